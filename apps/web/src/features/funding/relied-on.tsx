import type { ReactNode } from 'react'
import type { Output } from '@ergon/sdk'
import { Address } from '../../components/address.tsx'
import { useNetworkTitle } from '../../components/network-title.ts'
import { Badge, Card, Facts, type Tone } from '../../components/surface.tsx'
import { useFormat } from '../../lib/format.ts'
import { useMessages } from '../../lib/i18n.tsx'
import { useRead } from '../../lib/market.tsx'
import { fundingMessages } from './messages.ts'

type Task = Output<'tasks.get'>
type Funding = Output<'payments.funding'>

const tones: Readonly<Record<Funding['state'], Tone>> = {
  held: 'good',
  moving: 'brand',
  not_funded: 'warn',
  paid: 'good',
  returned: 'plain',
  at_approval: 'warn',
}

/** Before anybody applies: where the money is, how to check it alone, and what silence does. */
export function ReliedOn({ task }: { readonly task: Task }): ReactNode {
  const say = useMessages(fundingMessages)
  const { data } = useRead('payments.funding', { task_id: task.id }, { refetchInterval: 60_000 })
  return (
    <Card as="section" className="grid gap-3">
      <h2 className="flex flex-wrap items-center gap-2 text-base">
        {say('title')}
        {data !== undefined && <Badge tone={tones[data.state]}>{say(`badge.${data.state}`)}</Badge>}
      </h2>
      {data !== undefined && <Money funding={data} />}
      <Silence policy={task.policy} />
      <History wallet={task.agent_id} />
      {data !== undefined && data.check !== null && <Check funding={data} check={data.check} />}
    </Card>
  )
}

function Money({ funding }: { readonly funding: Funding }): ReactNode {
  const say = useMessages(fundingMessages)
  const format = useFormat()
  const { state, publisher_wallet: wallet } = funding
  // An escrow is checked by one call; a channel has its meter.
  const isInChannel = state === 'held' && funding.check === null
  const isUnread = state === 'held' && !isInChannel && funding.capturable_usd === null
  return (
    <div className="grid gap-1">
      <p>
        {say(isInChannel ? 'says.channel' : `says.${state}`, {
          amount: format.usd(funding.capturable_usd ?? funding.amount_usd),
          until: funding.bound_until === null ? '' : format.dateTime(funding.bound_until),
        })}
      </p>
      {isUnread && <p className="text-quiet">{say('unread')}</p>}
      {wallet !== null && <p className="text-quiet">{say(`wallet.${wallet.holds}`)}</p>}
    </div>
  )
}

/** What a policy promises; a task without one says so too. */
function Silence({ policy }: { readonly policy: Task['policy'] }): ReactNode {
  const say = useMessages(fundingMessages)
  if (policy === null) return <p className="text-quiet">{say('silence.none')}</p>
  return (
    <Facts
      rows={[
        [say('review'), say('hours', { n: policy.review_hours })],
        [say('silence'), say(`silence.${policy.on_silence}`)],
        [say('dispute'), say('hours', { n: policy.dispute_hours })],
        [say('revisions'), say('times', { n: policy.revisions_max })],
        ...(policy.start_hours === null ? [] : [[say('begin'), say('hours', { n: policy.start_hours })] as const]),
        ...(policy.applications_max === null ? [] : [[say('places'), String(policy.applications_max)] as const]),
      ]}
    />
  )
}

/** How this publisher treated what was handed in to it. */
function History({ wallet }: { readonly wallet: string }): ReactNode {
  const say = useMessages(fundingMessages)
  const format = useFormat()
  const history = useRead('reputation.publisher', { publisher_key: wallet, limit: 1 }).data?.history
  if (history === undefined) return null
  const { median_hours_to_decide: n, rejected_share: rejected, silent_share: silent } = history
  return (
    <p className="text-sm text-quiet">
      {say('publisher')}{' '}
      {rejected === null || silent === null
        ? say('history.none')
        : [
            ...(n === null ? [] : [say('history.median', { n })]),
            say('history.share', { rejected: format.percent(rejected), silent: format.percent(silent) }),
          ].join(', ')}
      .
    </p>
  )
}

function Check({
  funding,
  check,
}: {
  readonly funding: Funding
  readonly check: NonNullable<Funding['check']>
}): ReactNode {
  const say = useMessages(fundingMessages)
  const networkTitle = useNetworkTitle()
  return (
    <details>
      <summary className="link min-h-6 cursor-pointer">{say('check')}</summary>
      <div className="mt-2 grid gap-2">
        <p className="text-sm text-quiet">
          {say('howTo', { network: networkTitle(funding.network), reads: check.reads })}
        </p>
        <Facts
          rows={[
            [say('contract'), <Address key="to" value={check.to} />],
            [say('payment'), <Address key="hash" value={funding.payment_hash ?? ''} />],
            [say('call'), <code key="call" className="break-all text-sm">{`${check.method} ${check.data}`}</code>],
          ]}
        />
      </div>
    </details>
  )
}
