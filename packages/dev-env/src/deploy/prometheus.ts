import { closeSync, mkdirSync, openSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { logTail } from '../log-tail.ts'
import { endProcess, hasEnded } from '../stopping.ts'
import { spawnTethered } from '../tether.ts'
import { waitFor } from '../waiting.ts'
import { adapt, readDeployed } from './proxy.ts'

/** A Prometheus with the files of `deploy/prometheus`. */
export type Prometheus = AsyncDisposable & {
  /** Names of the alerts that are firing now, each with the job it is about. */
  firing(): Promise<readonly string[]>
  /** The jobs that were reached at the last scrape. */
  reached(): Promise<readonly string[]>
}

export type PrometheusOptions = {
  readonly folder: string
  readonly port: number
  /** Where the services tell their figures. */
  readonly targets: { readonly server: number; readonly facilitator: number }
}

/** Asks every second and waits a second where an operator waits a minute; all else is as it is handed out. */
export async function startPrometheus({ folder, port, targets }: PrometheusOptions): Promise<Prometheus> {
  mkdirSync(folder, { recursive: true })
  const config = adapt(readDeployed('prometheus/prometheus.yml'), [
    ['scrape_interval: 15s', 'scrape_interval: 1s'],
    ['evaluation_interval: 15s', 'evaluation_interval: 1s'],
    ['127.0.0.1:9470', `127.0.0.1:${String(targets.server)}`],
    ['127.0.0.1:9471', `127.0.0.1:${String(targets.facilitator)}`],
  ])
  writeFileSync(join(folder, 'prometheus.yml'), config)
  writeFileSync(
    join(folder, 'ergon.rules.yml'),
    adapt(readDeployed('prometheus/ergon.rules.yml'), [['for: 1m', 'for: 1s']]),
  )
  const logFile = join(folder, 'prometheus.log')
  const output = openSync(logFile, 'a')
  const words = [
    `--config.file=${join(folder, 'prometheus.yml')}`,
    `--storage.tsdb.path=${join(folder, 'data')}`,
    `--web.listen-address=127.0.0.1:${String(port)}`,
  ]
  const child = spawnTethered('prometheus', words, { lastSignal: 'SIGKILL', stdio: ['ignore', output, output] })
  closeSync(output)
  const ask = async (path: string): Promise<unknown> => (await fetch(`http://127.0.0.1:${String(port)}${path}`)).json()
  try {
    await waitFor(
      () => {
        if (hasEnded(child)) throw new Error(`prometheus ended (apt-get install prometheus?):\n${logTail(logFile)}`)
        return fetch(`http://127.0.0.1:${String(port)}/-/ready`).then(
          ({ ok }) => ok || undefined,
          () => undefined,
        )
      },
      { timeoutMs: 30_000, everyMs: 100, what: 'prometheus' },
    )
  } catch (error) {
    await endProcess(child, 'SIGKILL', 0)
    throw error
  }
  return {
    async firing() {
      const { data } = (await ask('/api/v1/alerts')) as AlertsAnswer
      return data.alerts
        .filter(({ state }) => state === 'firing')
        .map(({ labels }) => `${labels.alertname} ${labels.job}`)
        .toSorted()
    },
    async reached() {
      const { data } = (await ask('/api/v1/targets')) as TargetsAnswer
      return data.activeTargets
        .filter(({ health }) => health === 'up')
        .map(({ labels }) => labels.job)
        .toSorted()
    },
    [Symbol.asyncDispose]: () => endProcess(child, 'SIGTERM', 5_000),
  }
}

/** As Prometheus documents its API. */
type AlertsAnswer = {
  readonly data: {
    readonly alerts: readonly {
      readonly state: string
      readonly labels: { readonly alertname: string; readonly job: string }
    }[]
  }
}
type TargetsAnswer = {
  readonly data: {
    readonly activeTargets: readonly { readonly health: string; readonly labels: { readonly job: string } }[]
  }
}
