import { readFileSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import type { Session } from './session.ts'

/**
 * The node to ask: named on the line, in ERGON_RPC_URL or in the profile, else what `npm start` wrote down in this
 * folder or one above it. Every local chain has the same id and contracts, so none is guessed: it might be another's.
 */
export function nodeUrl(session: Session, given: string | undefined): string | undefined {
  return given ?? session.env['ERGON_RPC_URL'] ?? session.profile().rpc_url ?? localNodeOf(session.url(), process.cwd())
}

/** The node beside a service of this machine, as the record of whoever started both says. */
export function localNodeOf(serviceUrl: string, folder: string): string | undefined {
  for (let here = resolve(folder); ; here = dirname(here)) {
    const { serverUrl, rpcUrl } = readRecord(join(here, '.ergon', 'constellation.json'))
    if (serverUrl === serviceUrl && typeof rpcUrl === 'string') return rpcUrl
    if (dirname(here) === here) return undefined
  }
}

function readRecord(file: string): { readonly serverUrl?: unknown; readonly rpcUrl?: unknown } {
  try {
    const read: unknown = JSON.parse(readFileSync(file, 'utf8'))
    return typeof read === 'object' && read !== null ? read : {}
  } catch {
    // There is none here, or none that can be read; the node is then to be named.
    return {}
  }
}
