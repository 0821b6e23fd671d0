import type { ReactNode } from 'react'
import type { Output } from '@ergon/sdk'
import { AddressDetails } from '../../../components/address-details.tsx'
import { Button } from '../../../components/button.tsx'
import { Money } from '../../../components/money.tsx'
import { useNetworkTitle } from '../../../components/network-title.ts'
import { Facts, Note } from '../../../components/surface.tsx'
import { Transaction } from '../../../components/transaction.tsx'
import { useFormat } from '../../../lib/format.ts'
import { useMessages } from '../../../lib/i18n.tsx'
import { cashOutMessages } from './cash-out-messages.ts'

type ReceiptProps = { readonly cashOut: Output<'cashOuts.send'>; readonly onMore: () => void }

/** What was sent and where anybody can look it up; or that it is on its way, and that it is not to be sent again. */
export function CashOutReceipt({ cashOut, onMore }: ReceiptProps): ReactNode {
  const say = useMessages(cashOutMessages)
  const format = useFormat()
  const networkTitle = useNetworkTitle()
  const { amount_usd, to, network, token, tx, status } = cashOut
  if (status === 'not_sent')
    return (
      <div className="grid gap-4">
        <Note tone="warn" role="alert" title={say('state.not_sent')} />
        <Button onClick={onMore}>{say('again')}</Button>
      </div>
    )
  if (status === 'sending') return <OnItsWay />
  return (
    <div className="grid gap-4">
      <Note tone="good" role="status" title={say('sent', { amount: format.usd(amount_usd) })} />
      <Facts
        rows={[
          [say('sentTo'), <AddressDetails key="to" address={to} network={network} />],
          [say('on'), `${token}, ${networkTitle(network)}`],
          [say('fee'), <Money key="fee" usd={0} />],
          ...(tx === null ? [] : [[say('link'), <Transaction key="tx" hash={tx} network={network} />] as const]),
        ]}
      />
      <Button kind="primary" onClick={onMore}>
        {say('sendMore')}
      </Button>
    </div>
  )
}

/** Nobody is asked to sign again before it has ended. */
export function OnItsWay(): ReactNode {
  const say = useMessages(cashOutMessages)
  return (
    <Note tone="move" role="status" title={say('sending')}>
      {say('sendingSays')}
    </Note>
  )
}
