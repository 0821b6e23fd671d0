import { readFileSync } from 'node:fs'
import { parseNetworkRows, ProtocolError, type Network } from '@ergon/protocols'
import { ConfigError } from './config-error.ts'

/** Rows of SVC_NETWORKS_FILE, in the shape that the facilitator takes too; none where it is unset. */
export function readNetworkRows(path: string | undefined): readonly Network[] {
  if (path === undefined) return []
  try {
    return parseNetworkRows(JSON.parse(readFileSync(path, 'utf8')))
  } catch (error) {
    const why = error instanceof ProtocolError ? error.message : 'it cannot be read as JSON'
    throw new ConfigError(`SVC_NETWORKS_FILE: ${why}`)
  }
}
