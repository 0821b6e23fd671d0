import { isLoopbackHost } from './loopback-host.ts'

/** Where a service tells its figures. */
export type MetricsAt = { readonly host: string; readonly port: number }

type Refuse = (sentence: string) => Error

const tokenLength = 32

/** Null where no port is set. `service` is what the names of its settings begin with. @throws what `refuse` makes */
export function decideMetricsAt(
  service: string,
  { host, port }: { readonly host: string | undefined; readonly port: string | undefined },
  refuse: Refuse,
): MetricsAt | null {
  if (port === undefined || port === '') {
    if (host === undefined || host === '') return null
    throw refuse(`${service}_METRICS_HOST is set and ${service}_METRICS_PORT is not: no figures are told without it`)
  }
  if (!/^\d{1,5}$/.test(port) || Number(port) < 1 || Number(port) > 65_535)
    throw refuse(`${service}_METRICS_PORT must be a port from 1 to 65535`)
  return { host: host === undefined || host === '' ? '127.0.0.1' : host, port: Number(port) }
}

/** Figures about money are not for strangers. Undefined without a token. @throws what `refuse` makes */
export function checkMetricsToken(
  service: string,
  at: MetricsAt | null,
  token: string | undefined,
  refuse: Refuse,
): string | undefined {
  const name = `${service}_METRICS_TOKEN`
  if (token === undefined || token === '') {
    if (at === null || isLoopbackHost(at.host)) return undefined
    throw refuse(`${service}_METRICS_HOST is not this machine alone: set ${name}, which Prometheus then sends`)
  }
  if (at === null) throw refuse(`${name} is set and ${service}_METRICS_PORT is not: no figures are told without it`)
  if (!/^[\x21-\x7e]+$/.test(token) || token.length < tokenLength)
    throw refuse(`${name} must be at least ${String(tokenLength)} random characters`)
  return token
}
