import type { ReactNode } from 'react'
import type { Output } from '@ergon/sdk'
import { Failure } from '../components/failure.tsx'
import type { IconName } from '../components/icon-names.ts'
import { IconDisc } from '../components/icon-disc.tsx'
import { useNetworkTitle } from '../components/network-title.ts'
import { Page } from '../components/page.tsx'
import { Badge, Card, Facts, Loading, Note } from '../components/surface.tsx'
import { Moment } from '../components/time.tsx'
import { statusMessages } from '../features/status/messages.ts'
import { SigningPolicy } from '../features/status/signing-policy.tsx'
import { closedNetworksOf } from '../lib/closed-networks.ts'
import { useFormat } from '../lib/format.ts'
import { useMessages } from '../lib/i18n.tsx'
import { useRead } from '../lib/market.tsx'
import { commonMessages } from '../messages/common-messages.ts'

const everyMs = 15_000

/** Whether the service works, for a person who wonders whether it is them. */
export function StatusScreen(): ReactNode {
  const say = useMessages(statusMessages)
  const common = useMessages(commonMessages)
  const format = useFormat()
  const { data, error, refetch } = useRead('service.health', {}, { refetchInterval: everyMs })
  return (
    <Page title={say('title')} lead={say('lead')}>
      <div role="status">
        {error !== null && (
          <Note tone="bad" title={say('down')}>
            <p>{say('downSays')}</p>
          </Note>
        )}
        {error === null && data !== undefined && (
          <Note
            tone={data.status === 'healthy' ? 'good' : 'warn'}
            title={say(data.status === 'healthy' ? 'up' : 'degraded')}
          >
            <p className="text-sm">{say('asked', { when: format.dateTime(data.timestamp) })}</p>
          </Note>
        )}
      </div>
      {error !== null && (
        <Failure
          error={error}
          retry={() => {
            void refetch()
          }}
        />
      )}
      {data === undefined && error === null && <Loading says={common('loading')} />}
      {data !== undefined && error === null && <Parts health={data} />}
      <PaymentsPart />
      <DeploymentPart {...(data === undefined ? {} : { health: data })} />
      <SigningPolicy />
    </Page>
  )
}

type Health = Output<'service.health'>

function Parts({ health }: { readonly health: Health }): ReactNode {
  const say = useMessages(statusMessages)
  const networkTitle = useNetworkTitle()
  const networks = useRead('payments.networks', {}, { staleTime: 600_000 })
  const titleOf = (name: string): string => {
    const title = networkTitle(name)
    return name === networks.data?.preferred ? `${title} (${say('preferred')})` : title
  }
  const parts: readonly PartProps[] = [
    { icon: 'file-text', name: say('database'), does: say('databaseDoes'), works: health.database },
    { icon: 'coins', name: say('facilitator'), does: say('facilitatorDoes'), works: health.facilitator },
    ...Object.entries(health.networks).map(
      ([name, works]) =>
        ({ icon: 'globe-hemisphere-west', name: titleOf(name), does: say('networkDoes'), works }) as const,
    ),
  ]
  const closed = closedNetworksOf(health)
  const isMoneyStopped = !health.facilitator || Object.values(health.networks).includes(false)
  return (
    <section aria-labelledby="parts" className="grid gap-3">
      <h2 id="parts">{say('parts')}</h2>
      <ul className="divide-y divide-line rounded-card border border-line bg-surface">
        {parts.map((part) => (
          <Part key={part.name} {...part} />
        ))}
      </ul>
      {closed.length > 0 && (
        <Note tone="warn" title={say('closed', { names: closed.map(networkTitle).join(', ') })}>
          <p className="text-sm">{say('closedSays')}</p>
        </Note>
      )}
      {isMoneyStopped && <Note tone="warn" title={say('noMoney')} />}
    </section>
  )
}

type PartProps = {
  readonly icon: IconName
  readonly name: string
  /** What it is there for. */
  readonly does: string
  readonly works: boolean
}

function Part({ icon, name, does, works }: PartProps): ReactNode {
  const say = useMessages(statusMessages)
  return (
    <li className="flex items-center gap-3.5 px-5 py-3.5">
      <IconDisc icon={icon} tone={works ? 'good' : 'bad'} />
      <span className="grid min-w-0 flex-1">
        <span className="font-label wrap-anywhere">{name}</span>
        <span className="text-sm text-quiet">{does}</span>
      </span>
      <Badge tone={works ? 'good' : 'bad'} icon={works ? 'check-bold' : 'x-bold'}>
        {say(works ? 'works' : 'broken')}
      </Badge>
    </li>
  )
}

function PaymentsPart(): ReactNode {
  const say = useMessages(statusMessages)
  const format = useFormat()
  const { data, error, refetch } = useRead('service.healthPayments', {}, { refetchInterval: everyMs })
  if (error !== null)
    return (
      <Failure
        error={error}
        retry={() => {
          void refetch()
        }}
      />
    )
  if (data === undefined) return null
  const found = Object.entries(data.findings).filter(([, n]) => n > 0)
  return (
    <Card as="section" className="grid gap-3">
      <h2>{say('money')}</h2>
      <Note
        tone={data.status === 'healthy' ? 'good' : 'warn'}
        title={say(data.status === 'healthy' ? 'moneyUp' : 'moneyDegraded')}
      />
      <Facts
        rows={[
          [say('inFlight'), format.number(data.in_flight)],
          [say('inDoubt'), format.number(data.in_doubt)],
          ...(data.oldest_seconds === null
            ? []
            : [[say('oldest'), say('seconds', { n: Math.round(data.oldest_seconds) })] as const]),
          [say('ledger'), say(data.ledger_balanced ? 'balanced' : 'unbalanced')],
          [
            say('findings'),
            found.length === 0
              ? say('noFindings')
              : format.list(found.map(([kind, n]) => `${kind}: ${format.number(n)}`)),
          ],
          [say('audited'), data.audited_at === null ? say('never') : <Moment key="audited" at={data.audited_at} />],
        ]}
      />
    </Card>
  )
}

function DeploymentPart({ health }: { readonly health?: Health }): ReactNode {
  const say = useMessages(statusMessages)
  const format = useFormat()
  const { data, error } = useRead('service.config', {}, { staleTime: 600_000 })
  if (error !== null) return <Failure error={error} />
  if (data === undefined) return null
  const rate = (perMinute: number): string => (perMinute === 0 ? say('unlimited') : format.number(perMinute))
  return (
    <Card as="section" className="grid gap-3">
      <h2>{say('deployment')}</h2>
      <Facts
        rows={[
          ...(health === undefined
            ? []
            : [[say('version'), health.version] as const, [say('apiVersion'), health.api_version] as const]),
          [say('mode'), say(`mode.${data.payment_mode}`)],
          [say('bounties'), say('between', { least: format.usd(data.min_bounty), most: format.usd(data.max_bounty) })],
          [say('tokens'), format.list(data.supported_tokens)],
          [
            say('limits'),
            say('limitsSay', {
              wallet: rate(data.rate_limits.wallet_per_minute),
              anonymous: rate(data.rate_limits.anonymous_per_minute),
            }),
          ],
        ]}
      />
    </Card>
  )
}
