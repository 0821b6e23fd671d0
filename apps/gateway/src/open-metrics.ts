import {
  cannotListen,
  createSources,
  listenMetrics,
  oneIf,
  printFigures,
  samplesBy,
  tellPool,
  tellProcess,
  type HttpCounts,
  type LoopWatch,
  type MetricsAt,
} from '@ergon/process'
import { StartupError } from './errors.ts'
import { figures } from './figures.ts'
import type { SessionDeps } from './session/deps.ts'
import { readCounted } from './store/counted.ts'

const version = '0.1.0'

export type MetricsParts = {
  readonly at: MetricsAt
  readonly deps: Pick<SessionDeps, 'config' | 'secrets' | 'database' | 'recent' | 'log'>
  readonly loop: Pick<LoopWatch, 'delayMs'>
  readonly counts: Pick<HttpCounts, 'told'>
}

/** Tells the figures to Prometheus. @throws StartupError when it cannot listen */
export async function openMetrics({ at, deps, loop, counts }: MetricsParts): Promise<AsyncDisposable> {
  const { config, secrets, database, log } = deps
  const ask = createSources<typeof figures>({
    channels: async () => {
      const { channels, lateSeconds, callsHeld, sponsoredToday } = await readCounted(database.query)
      return {
        ergon_channels: samplesBy('status', Object.entries(channels)),
        ergon_channels_late_seconds: lateSeconds ?? 0,
        ergon_calls_held: callsHeld,
        ergon_budget_used: samplesBy('budget', [['sponsored', sponsoredToday]]),
        ergon_budget_limit: samplesBy('budget', [['sponsored', config.sponsored.all]]),
      }
    },
  })
  const print = async (): Promise<string> => {
    const [asked, isUp] = await Promise.all([ask(), ledgerAnswers(deps)])
    const known = { ergon_ledger_up: oneIf(isUp), ...counts.told() }
    return printFigures(figures, { ...asked, ...known, ...tellPool(database.pool), ...tellProcess(version, loop) })
  }
  const onFault = (error: unknown): void => {
    log.error({ err: error }, 'the figures could not be told')
  }
  try {
    return await listenMetrics(at, { token: secrets.metricsToken, print, onFault })
  } catch (cause) {
    throw new StartupError(cannotListen(at, cause, 'GATEWAY_METRICS_PORT'), { cause })
  }
}

const patienceMs = 1_000

/** Silence is no answer. */
async function ledgerAnswers({ recent }: Pick<SessionDeps, 'recent'>): Promise<boolean> {
  const { promise: late, resolve } = Promise.withResolvers<false>()
  const timer = setTimeout(() => {
    resolve(false)
  }, patienceMs)
  const answered = recent().then(
    (block) => block !== undefined,
    () => false,
  )
  return Promise.race([answered, late]).finally(() => {
    clearTimeout(timer)
  })
}
