import { moneyFindingKinds } from '@ergon/contract'
import type { ChainLag, Market } from '@ergon/core'
import {
  cannotListen,
  createSources,
  listenMetrics,
  oneIf,
  printFigures,
  samplesBy,
  tellPool,
  tellProcess,
  type LoopWatch,
  type ProcessLog,
  type Sample,
  type Sources,
  type ToldOf,
} from '@ergon/process'
import type { Pool } from 'pg'
import {
  readQueues,
  type BudgetToday,
  type DatabaseWatch,
  type Membership,
  type Queue,
} from './adapters/postgres/index.ts'
import type { Reachable } from './api/deps.ts'
import type { Config } from './config/config.ts'
import { ConfigError } from './config/config-error.ts'
import type { Secrets } from './config/secrets.ts'
import type { EventRelay } from './events/event-relay.ts'
import { figures } from './figures.ts'
import { networkReasons, ownReasons, type Readiness } from './live/readiness.ts'
import type { RequestCounts } from './request-counts.ts'

type OwnTold = ToldOf<typeof figures>

export type MetricsParts = {
  readonly config: Pick<Config, 'metrics'>
  /** Those that the market serves, the one of channels with them. */
  readonly networks: readonly string[]
  readonly secrets: Pick<Secrets, 'metricsToken'>
  readonly version: string
  readonly pool: Pool
  readonly market: Pick<Market, 'paymentsHealth' | 'moneyFindings' | 'chainLags' | 'closedNetworks' | 'uploadSizes'>
  readonly database: Pick<DatabaseWatch, 'seen'>
  readonly membership: Pick<Membership, 'unwrittenMs'>
  readonly relay: Pick<EventRelay, 'lateMs'>
  readonly readiness: () => Readiness
  readonly reached: () => Reachable | null
  readonly books: { budgetsToday(): Promise<readonly BudgetToday[]> }
  readonly loop: Pick<LoopWatch, 'delayMs'>
  readonly counts: Pick<RequestCounts, 'told'>
  readonly log: Pick<ProcessLog, 'info' | 'error'>
  readonly now: () => Date
}

/** Tells the figures to Prometheus where the settings name a port, until `owner` ends. @throws ConfigError */
export async function openMetrics(parts: MetricsParts, owner: AsyncDisposableStack): Promise<void> {
  const at = parts.config.metrics
  if (at === null) return
  const ask = createSources<typeof figures>(sourcesOf(parts))
  const page = {
    token: parts.secrets.metricsToken,
    print: async () => printFigures(figures, { ...(await ask()), ...known(parts) }),
    onFault: (error: unknown) => {
      parts.log.error({ err: error }, 'the figures could not be told')
    },
  }
  try {
    owner.use(await listenMetrics(at, page))
    parts.log.info(at, 'figures are told at /metrics')
  } catch (cause) {
    throw new ConfigError(cannotListen(at, cause, 'SVC_METRICS_PORT'), { cause })
  }
}

/** What is known without asking. */
function known(parts: MetricsParts): OwnTold {
  const { pool, database, membership, relay, readiness, reached, loop, counts, version, market, networks } = parts
  const closed = market.closedNetworks()
  const { silentMs, clockAheadMs } = database.seen()
  const ready = readiness()
  const seen = reached()
  return {
    ergon_ready: oneIf(ready.status !== 'not_ready'),
    ergon_alarm: alarmSamples(ready, Object.keys(seen?.networks ?? {})),
    ergon_database_silent_seconds: silentMs / 1_000,
    ergon_database_unwritten_seconds: membership.unwrittenMs() / 1_000,
    ergon_clock_ahead_seconds: clockAheadMs === null ? null : clockAheadMs / 1_000,
    ergon_events_late_seconds: relay.lateMs() / 1_000,
    ergon_facilitator_up: seen === null ? null : oneIf(seen.facilitator),
    ergon_chain_up: samplesBy(
      'network',
      Object.entries(seen?.networks ?? {}).map(([network, isUp]) => [network, oneIf(isUp)]),
    ),
    ergon_network_closed: samplesBy(
      'network',
      networks.map((name) => [name, oneIf(closed.includes(name))]),
    ),
    ...counts.told(),
    ...tellPool(pool),
    ...tellProcess(version, loop),
  }
}

/** Each that may be a reason, for each network where it has one. */
function alarmSamples({ reasons: given }: Readiness, reached: readonly string[]): readonly Sample[] {
  return [
    ...ownReasons.map((alarm) => ({ labels: { alarm }, value: oneIf(given.includes(alarm)) })),
    ...reached.flatMap((network) =>
      networkReasons.map((alarm) => ({
        labels: { alarm, network },
        value: oneIf(given.includes(`${alarm}:${network}`)),
      })),
    ),
  ]
}

/** What `/health/payments` and the other healths ask, and what waits: none of these adds up history. */
function sourcesOf(parts: MetricsParts): Sources<typeof figures> {
  return { ...moneySources(parts), ...workSources(parts) }
}

/** One sample for each network that is served, and for each other one of which something is known. */
function samplesOf<T extends { readonly network: string }>(
  served: readonly string[],
  known: readonly T[],
  value: (one: T) => number,
): readonly Sample[] {
  const of = (network: string): number =>
    known.reduce((sum, one) => sum + (one.network === network ? value(one) : 0), 0)
  const all = new Set([...served, ...known.map(({ network }) => network)])
  return samplesBy(
    'network',
    [...all].map((network) => [network, of(network)]),
  )
}

function moneySources({ market, now, networks }: MetricsParts): Sources<typeof figures> {
  const ageOf = (at: Date): number => Math.max(0, (now().getTime() - at.getTime()) / 1_000)
  return {
    payments: async () => {
      const { byNetwork, ledgerBalanced } = await market.paymentsHealth()
      return {
        ergon_settlements_in_flight: samplesOf(networks, byNetwork, ({ inFlight }) => inFlight),
        ergon_settlements_in_doubt: samplesOf(networks, byNetwork, ({ inDoubt }) => inDoubt),
        ergon_settlements_oldest_seconds: samplesOf(networks, byNetwork, ({ oldestSeconds }) => oldestSeconds ?? 0),
        ergon_ledger_balanced: oneIf(ledgerBalanced),
      }
    },
    findings: async () => {
      const { byNetwork, oldest, lastRun } = await market.moneyFindings()
      return {
        ergon_money_findings: moneyFindingKinds.flatMap((kind) =>
          samplesOf(
            networks,
            byNetwork.filter((one) => one.kind === kind),
            ({ count }) => count,
          ).map(({ labels, value }) => ({ labels: { ...labels, kind }, value })),
        ),
        ergon_money_findings_oldest_seconds: oldest === null ? 0 : ageOf(oldest),
        ergon_money_audit_age_seconds: lastRun === null ? null : ageOf(lastRun),
      }
    },
    chains: async () => {
      const lags = await market.chainLags()
      const each = (figure: (lag: ChainLag) => number): readonly Sample[] =>
        samplesBy(
          'network',
          lags.map((lag) => [lag.network, figure(lag)]),
        )
      return {
        ergon_chain_lag_blocks: each(({ lagBlocks }) => Number(lagBlocks)),
        ergon_chain_lag_seconds: each(({ lagSeconds }) => lagSeconds),
        ergon_chain_head_age_seconds: each(({ headAt }) => ageOf(headAt)),
        ergon_chain_read_age_seconds: each(({ readAt }) => ageOf(readAt)),
      }
    },
  }
}

function workSources(parts: MetricsParts): Sources<typeof figures> {
  const { market, pool, networks } = parts
  return {
    queues: async () => {
      const queues = await readQueues(pool, networks)
      const each = (figure: (queue: Queue) => number): readonly Sample[] =>
        queues.map((queue) => ({
          labels: { queue: queue.name, ...(queue.network === null ? {} : { network: queue.network }) },
          value: figure(queue),
        }))
      return {
        ergon_queue_waiting: each(({ waiting }) => waiting),
        ergon_queue_late_seconds: each(({ lateSeconds }) => lateSeconds ?? 0),
      }
    },
    budgets: async () => {
      const [counted, { bytes, todayBytes, dayLimitBytes }] = await Promise.all([
        parts.books.budgetsToday(),
        market.uploadSizes(),
      ])
      const budgets = [...counted, { budget: 'upload_bytes', used: todayBytes, limit: dayLimitBytes }]
      return {
        ergon_budget_used: samplesBy(
          'budget',
          budgets.map(({ budget, used }) => [budget, used]),
        ),
        // Zero is no limit.
        ergon_budget_limit: samplesBy(
          'budget',
          budgets.flatMap(({ budget, limit }) => (limit > 0 ? [[budget, limit] as const] : [])),
        ),
        ergon_uploads_bytes: bytes,
      }
    },
  }
}
