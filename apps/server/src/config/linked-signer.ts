import { isLoopback } from '@ergon/protocols'
import { ConfigError } from './config-error.ts'
import type { RawSettings } from './env.ts'

export type LinkedSignerSettings = { readonly url: string; readonly timeoutMs: number }

/** Off unless an address is set (spec §5, OAuth 12). @throws ConfigError */
export function decideLinkedSigner(raw: RawSettings): LinkedSignerSettings | null {
  const address = raw.text('SVC_LINKED_SIGNER_URL')
  if (address === undefined) {
    const orphan = raw.names.find((name) => /^SVC_LINKED_SIGNER_/.test(name))
    if (orphan !== undefined) throw new ConfigError(`${orphan} is set and SVC_LINKED_SIGNER_URL is not`)
    return null
  }
  if (!URL.canParse(address)) throw new ConfigError('SVC_LINKED_SIGNER_URL is no URL')
  const { protocol, hostname, username, password, search, hash } = new URL(address)
  if (username !== '' || password !== '')
    throw new ConfigError('SVC_LINKED_SIGNER_URL must hold no credentials; set SVC_LINKED_SIGNER_KEY')
  if (search !== '' || hash !== '') throw new ConfigError('SVC_LINKED_SIGNER_URL must have no query and no fragment')
  if (protocol !== 'https:' && !(protocol === 'http:' && isLoopback(hostname)))
    throw new ConfigError('SVC_LINKED_SIGNER_URL must be https, or http on this machine')
  return { url: address.replace(/\/+$/, ''), timeoutMs: timeoutOf(raw) }
}

function timeoutOf(raw: RawSettings): number {
  const given = raw.text('SVC_LINKED_SIGNER_TIMEOUT_MS') ?? '5000'
  const ms = Number(given)
  if (!/^\d+$/.test(given) || ms < 100 || ms > 20_000)
    throw new ConfigError('SVC_LINKED_SIGNER_TIMEOUT_MS must be a whole number from 100 to 20000')
  return ms
}
