import {
  cannotListen,
  createSources,
  listenMetrics,
  printFigures,
  samplesBy,
  tellPool,
  tellProcess,
  type LoopWatch,
  type MetricsAt,
} from '@ergon/process'
import type { Pool } from 'pg'
import { StartupError } from './errors.ts'
import { figures } from './figures.ts'
import { version } from './http/service-routes.ts'
import type { Telling } from './http/telling.ts'
import type { Log } from './log.ts'
import { readOpenIntents } from './store/open-intents.ts'

export type MetricsParts = {
  readonly at: MetricsAt
  readonly token: string | undefined
  readonly pool: Pool
  readonly networks: readonly string[]
  readonly telling: Telling
  readonly loop: Pick<LoopWatch, 'delayMs'>
  readonly log: Log
}

/** Tells the figures to Prometheus. @throws StartupError when it cannot listen */
export async function openMetrics({
  at,
  token,
  pool,
  networks,
  telling,
  loop,
  log,
}: MetricsParts): Promise<AsyncDisposable> {
  const ask = createSources<typeof figures>({
    intents: async () => {
      const open = await readOpenIntents(pool, networks)
      return {
        ergon_intents_open: samplesBy(
          'network',
          open.map((one) => [one.network, one.open]),
        ),
        ergon_intents_oldest_seconds: samplesBy(
          'network',
          open.map((one) => [one.network, one.oldestSeconds ?? 0]),
        ),
      }
    },
    ...(telling.budgets === undefined ? {} : { budgets: telling.budgets }),
  })
  const print = async (): Promise<string> => {
    const [asked, known] = await Promise.all([ask(), telling.known()])
    return printFigures(figures, { ...asked, ...known, ...tellPool(pool), ...tellProcess(version, loop) })
  }
  const onFault = (error: unknown): void => {
    log.error({ err: error }, 'the figures could not be told')
  }
  try {
    return await listenMetrics(at, { token, print, onFault })
  } catch (cause) {
    throw new StartupError(cannotListen(at, cause, 'FACILITATOR_METRICS_PORT'), { cause })
  }
}
