import type { IncomingMessage } from 'node:http'

/** Every Host of a request; Node keeps the first alone and a proxy may read the last (RFC 9112 §3.2). */
export function hostsNamed(rawHeaders: readonly string[]): readonly string[] {
  return rawHeaders.filter(
    (_value, index) =>
      index % 2 === 1 && rawHeaders[index - 1]?.length === 4 && rawHeaders[index - 1]?.toLowerCase() === 'host',
  )
}

/**
 * What two readers of a request would read differently, as a sentence; undefined where there is nothing. Such a request
 * is refused, and its connection ends with the answer.
 */
export function requestFault({ httpVersion, headers, rawHeaders, url = '' }: IncomingMessage): string | undefined {
  const hosts = hostsNamed(rawHeaders).length
  if (hosts > 1) return 'The request names its host twice.'
  if (hosts === 0 && httpVersion !== '1.0') return 'The request names no host.'
  // A router ends the path there, and whoever looks for the query reads on.
  if (url.includes('#')) return 'The target has a fragment.'
  const coding = headers['transfer-encoding']
  if (coding === undefined) return undefined
  // RFC 9112 §6.1: before 1.1 nobody has to know it, and a coding that is left on would be taken for the content.
  if (httpVersion === '1.0') return 'HTTP/1.0 knows no Transfer-Encoding.'
  return coding.trim().toLowerCase() === 'chunked' ? undefined : 'The only Transfer-Encoding that is read is chunked.'
}

/** The path and the query of a target, also of one in absolute form (RFC 9112 §3.2.2), whatever host it names. */
export function originForm(target: string): string {
  const [, rest] = /^https?:\/\/[^/?#]*(.*)$/i.exec(target) ?? []
  if (rest === undefined) return target
  return rest.startsWith('/') ? rest : `/${rest}`
}
