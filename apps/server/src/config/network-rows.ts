import { settingsJson } from '@ergon/process'
import { parseNetworkRows, ProtocolError, type Network } from '@ergon/protocols'
import { ConfigError } from './config-error.ts'

/** Rows of SVC_NETWORKS_FILE, in the shape that the facilitator takes too; none where it is unset. */
export function readNetworkRows(path: string | undefined): readonly Network[] {
  if (path === undefined) return []
  const rows = settingsJson(
    path,
    (why, cause) => new ConfigError(`SVC_NETWORKS_FILE cannot be read: ${why}`, { cause }),
  )
  try {
    return parseNetworkRows(rows)
  } catch (error) {
    throw error instanceof ProtocolError ? new ConfigError(`SVC_NETWORKS_FILE: ${error.message}`) : error
  }
}
