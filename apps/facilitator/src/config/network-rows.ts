import { parseNetworkRows, ProtocolError, type Network } from '@ergon/protocols'
import { StartupError } from '../errors.ts'

/** With the nodes that are asked where no setting names any. */
export type NetworkRow = Network & { readonly rpcUrls?: readonly string[] }

/** Rows of FACILITATOR_NETWORKS_FILE. @throws StartupError */
export function readNetworkRows(value: unknown): readonly NetworkRow[] {
  try {
    return parseNetworkRows(value).map(withNodes)
  } catch (error) {
    if (error instanceof ProtocolError) throw new StartupError(`FACILITATOR_NETWORKS_FILE: ${error.message}`)
    throw error
  }
}

function withNodes(row: NetworkRow): NetworkRow {
  // The list of nodes is this service's own, and no part of the shape that both processes take.
  const nodes: unknown = row.rpcUrls
  if (nodes === undefined || (Array.isArray(nodes) && nodes.every((url) => typeof url === 'string'))) return row
  throw new StartupError(`the network row ${row.name} has rpcUrls that are no list of URLs`)
}
