import type { ReactNode } from 'react'
import { Icon } from '../components/icon.tsx'
import { Money } from '../components/money.tsx'
import { Portrait } from '../components/portrait.tsx'
import { useFormat } from '../lib/format.ts'
import { useMessages } from '../lib/i18n.tsx'
import type { Intent } from '../wallet/signing.ts'
import { useSession } from '../wallet/wallet.tsx'
import { explainedMessages } from './explained-messages.ts'

/** From whom to whom the money goes, as a picture with its words. */
export function MoneyWay({ intent }: { readonly intent: Intent }): ReactNode {
  const say = useMessages(explainedMessages)
  const format = useFormat()
  const { picture } = useSession()
  const { way, payer, payee, payeeName, payeePicture, amountUsd, receivedUsd } = intent
  if (way === undefined || payer === undefined || amountUsd === undefined) return null
  const less = (
    <>
      −<Money usd={amountUsd} />
    </>
  )
  const escrow = (
    <span className="disc size-11 text-[1.4rem]">
      <Icon name="lock-key" />
    </span>
  )
  return (
    <ol aria-label={say('way')} className="money-way">
      {way !== 'out' && (
        <Stop mark={<Portrait address={payer} picture={picture} size={44} />} name={say('you')}>
          {less}
        </Stop>
      )}
      {way !== 'direct' && (
        <Stop mark={escrow} name={say('escrow')}>
          {way === 'out' ? less : say('waits')}
        </Stop>
      )}
      {payee !== undefined && (
        <Stop
          mark={<Portrait address={payee} name={payeeName} picture={payeePicture} size={44} />}
          name={payeeName ?? say('worker')}
        >
          {receivedUsd === undefined ? say('ifApproved') : say('gets', { amount: format.usd(receivedUsd) })}
        </Stop>
      )}
    </ol>
  )
}

type StopProps = { readonly mark: ReactNode; readonly name: string; readonly children: ReactNode }

function Stop({ mark, name, children }: StopProps): ReactNode {
  return (
    <li>
      {mark}
      <span className="max-w-full truncate font-label">{name}</span>
      <span className="text-micro text-quiet">{children}</span>
    </li>
  )
}
