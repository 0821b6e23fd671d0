import { hostsNamed } from '@ergon/process'
import { normalizeAuthority } from '@ergon/protocols'

const absolute = /^https?:\/\/([^/?#@]+)(\/[^#]*|\?[^#]*|)$/i

/**
 * The path of a target in absolute form (RFC 9112 §3.2.2) that names a host of ours, the same as its Host; undefined
 * for every other target.
 */
export function ownPath(
  target: string,
  rawHeaders: readonly string[],
  authorities: ReadonlySet<string>,
): string | undefined {
  if (target.startsWith('/')) return undefined
  const [, authority = '', rest = ''] = absolute.exec(target) ?? []
  const named = normalizeAuthority(authority)
  if (!authorities.has(named) || hostsNamed(rawHeaders).some((host) => normalizeAuthority(host) !== named))
    return undefined
  return rest.startsWith('/') ? rest : `/${rest}`
}
