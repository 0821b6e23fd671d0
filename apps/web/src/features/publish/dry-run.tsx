import type { ReactNode } from 'react'
import { Failure } from '../../components/failure.tsx'
import { useNetworkTitle } from '../../components/network-title.ts'
import { Loading, Note } from '../../components/surface.tsx'
import { useNow } from '../../components/time.tsx'
import { useFormat } from '../../lib/format.ts'
import { useMessages } from '../../lib/i18n.tsx'
import { useRead } from '../../lib/market.tsx'
import { commonMessages } from '../../messages/common-messages.ts'
import { publishMessages } from './messages.ts'

type DryRunProps = {
  readonly wallet: string
  readonly bountyUsd: number
  readonly hours: number
  readonly network: string
}

/** What publishing would find, without publishing: the money that is there, and when the task would end. */
export function DryRun({ wallet, bountyUsd, hours, network }: DryRunProps): ReactNode {
  const say = useMessages(publishMessages)
  const common = useMessages(commonMessages)
  const format = useFormat()
  const networkTitle = useNetworkTitle()
  const now = useNow()
  const { data, error, refetch } = useRead('payments.balance', { wallet })
  if (error !== null)
    return (
      <Failure
        error={error}
        retry={() => {
          void refetch()
        }}
      />
    )
  if (data === undefined) return <Loading says={common('loading')} rows={1} />
  const held = data.balances.find((one) => one.network === network)?.balance_usd ?? undefined
  const ends = new Date(now + hours * 3_600_000).toISOString()
  return (
    <Note
      tone={held === undefined || held < bountyUsd ? 'warn' : 'good'}
      role="status"
      title={say(held === undefined ? 'notKnown' : held < bountyUsd ? 'notEnough' : 'enough')}
    >
      <p>
        {held === undefined
          ? say('balanceUnknown')
          : say(held < bountyUsd ? 'balanceLow' : 'balance', {
              amount: format.usd(held),
              network: networkTitle(network),
              bounty: format.usd(bountyUsd),
            })}
      </p>
      <p>{say('expires', { when: format.dateTime(ends) })}</p>
    </Note>
  )
}
