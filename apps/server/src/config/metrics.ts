import { checkMetricsToken, decideMetricsAt, type MetricsAt } from '@ergon/process'
import { ConfigError } from './config-error.ts'
import type { RawSettings } from './env.ts'
import { valueOf } from './value-of.ts'

const refuse = (sentence: string): ConfigError => new ConfigError(sentence)

/** Where the figures are told; null: nowhere. @throws ConfigError */
export function decideMetrics(raw: RawSettings): MetricsAt | null {
  return decideMetricsAt('SVC', { host: raw.text('SVC_METRICS_HOST'), port: raw.text('SVC_METRICS_PORT') }, refuse)
}

/** @throws ConfigError where others than this machine could read them without one */
export function readMetricsToken(raw: RawSettings, metrics: MetricsAt | null): string | undefined {
  return checkMetricsToken('SVC', metrics, valueOf(raw, 'SVC_METRICS_TOKEN'), refuse)
}
