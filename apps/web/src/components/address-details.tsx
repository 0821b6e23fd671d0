import type { ReactNode } from 'react'
import { useMessages } from '../lib/i18n.tsx'
import { useRead } from '../lib/market.tsx'
import { defineMessages } from '../lib/messages.ts'
import { commonMessages } from '../messages/common-messages.ts'
import { Icon } from './icon.tsx'
import { useCopy } from './use-copy.ts'

const messages = defineMessages({
  en: { copyOf: 'Copy the address', explorer: 'See it on the explorer' },
  es: { copyOf: 'Copiar la dirección', explorer: 'Verla en el explorador' },
})

type DetailsProps = { readonly address: string; readonly network?: string | undefined }

/** An address whole, for whoever checks: to copy, and on the explorer of its network where there is one. */
export function AddressDetails({ address, network }: DetailsProps): ReactNode {
  const say = useMessages(messages)
  const common = useMessages(commonMessages)
  const { shown, done, copy } = useCopy<HTMLSpanElement>(address)
  const { data } = useRead('payments.networks', {}, { staleTime: Infinity, enabled: network !== undefined })
  const explorer = addressUrl(data?.networks.find(({ name }) => name === network)?.explorer_tx_url, address)
  return (
    <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
      <span
        ref={shown}
        className="numbers max-w-max min-w-0 grow basis-56 font-mono text-sm text-balance wrap-anywhere"
      >
        {address}
      </span>
      <button type="button" aria-label={say('copyOf')} className="icon-btn" onClick={copy}>
        <Icon name={done === 'copied' ? 'check-bold' : 'copy-bold'} />
      </button>
      <span role="status" className="text-sm text-good empty:hidden">
        {done === undefined ? '' : common(done)}
      </span>
      {explorer !== undefined && (
        <a href={explorer} target="_blank" rel="noreferrer noopener" className="link inline-flex min-h-6 items-center">
          {say('explorer')}
        </a>
      )}
    </div>
  )
}

/** Explorers show addresses beside transactions; one whose links are of another kind is left out. */
function addressUrl(transactions: string | null | undefined, address: string): string | undefined {
  if (typeof transactions !== 'string' || !/^https?:\/\/.*\/tx\/$/.test(transactions)) return undefined
  return transactions.replace(/\/tx\/$/, `/address/${encodeURIComponent(address)}`)
}
