import type { ReactNode } from 'react'
import { useRead } from '../lib/market.tsx'
import { Address } from './address.tsx'

/** A transaction, linked to the explorer of its network where there is one. */
export function Transaction({ hash, network }: { readonly hash: string; readonly network: string }): ReactNode {
  const { data } = useRead('payments.networks', {}, { staleTime: Infinity })
  const explorer = data?.networks.find(({ name }) => name === network)?.explorer_tx_url ?? null
  const href = explorer === null ? undefined : webAddress(explorer, hash)
  return href === undefined ? (
    <Address value={hash} />
  ) : (
    <a href={href} target="_blank" rel="noreferrer noopener" className="link inline-flex min-h-6 items-center">
      <Address value={hash} />
    </a>
  )
}

function webAddress(explorer: string, hash: string): string | undefined {
  if (!URL.canParse(explorer)) return undefined
  const url = new URL(`${explorer}${encodeURIComponent(hash)}`)
  return url.protocol === 'https:' || url.protocol === 'http:' ? url.href : undefined
}
