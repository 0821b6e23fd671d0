import type { ReactNode } from 'react'
import { SettlementPending } from '@ergon/sdk'
import { useMutation } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { Address } from '../address.tsx'
import { Button } from '../button.tsx'
import { Money } from '../money.tsx'
import { useNetworkTitle } from '../network-title.ts'
import { Facts, Note } from '../surface.tsx'
import { useFormat } from '../../lib/format.ts'
import { useMessages } from '../../lib/i18n.tsx'
import { useWallet } from '../../wallet/wallet.tsx'
import { feeOwedMessages } from './messages.ts'
import type { OwedFee } from './owed-fee.ts'

/**
 * What a publisher owes before anything more is published, and the way to pay it; `failed` shows why paying did not
 * work.
 */
export function FeeOwed({
  fee,
  failed,
}: {
  readonly fee: OwedFee
  readonly failed: (error: unknown) => ReactNode
}): ReactNode {
  const say = useMessages(feeOwedMessages)
  const format = useFormat()
  const networkTitle = useNetworkTitle()
  const { act } = useWallet()
  const amount = format.usd(fee.amountUsd)
  const pay = useMutation({
    mutationFn: () =>
      act(
        {
          title: say('intent', { amount }),
          explanation: say('explains'),
          payer: fee.wallet,
          amountUsd: fee.amountUsd,
          mostLostUsd: fee.amountUsd,
          network: fee.network,
          way: 'direct',
        },
        (client) => client.payUnpaidFee({ task_id: fee.taskId }),
      ),
  })
  if (pay.data !== undefined) return <Note tone="good" role="status" title={say('paid')} />
  if (pay.error instanceof SettlementPending) return <Note tone="good" role="status" title={say('paying')} />
  return (
    <div className="grid gap-3 rounded-lg bg-surface p-3 text-ink">
      <Facts
        rows={[
          [
            say('owed'),
            <span key="owed">
              <Money usd={fee.amountUsd} /> {fee.token}
            </span>,
          ],
          [
            say('task'),
            <Link key="task" to="/tasks/$taskId" params={{ taskId: fee.taskId }} className="link">
              {say('theTask')}
            </Link>,
          ],
          [say('wallet'), <Address key="wallet" value={fee.wallet} />],
          [say('network'), networkTitle(fee.network)],
        ]}
      />
      <p>{say(fee.isUnderWay ? 'underWay' : 'payNow', { amount, token: fee.token })}</p>
      {pay.error !== null && failed(pay.error)}
      {!fee.isUnderWay && (
        <div>
          <Button
            kind="primary"
            busy={pay.isPending}
            onClick={() => {
              pay.mutate()
            }}
          >
            {say('pay', { amount })}
          </Button>
        </div>
      )}
    </div>
  )
}
