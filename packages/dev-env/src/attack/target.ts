import { networks } from '@ergon/protocols'
import { queryDatabase } from '../testing/query-database.ts'
import type { ConstellationRecord } from '../constellation/record.ts'

/** A running instance, as whoever attacks it and whoever looks at its state afterwards see it. */
export type Target = {
  readonly url: string
  readonly facilitatorUrl: string
  readonly chainId: number
  readonly adminKey: string
  readonly dataDir: string
  readonly logs: { readonly server: string }
  readonly pids: { readonly server: number; readonly facilitator: number }
  /** A name server that takes questions and answers none; undefined where the instance asks that of the system. */
  readonly silence: { readonly heard: () => number } | undefined
  /** The state behind the answers. */
  rows(text: string, values?: readonly unknown[]): Promise<readonly Readonly<Record<string, unknown>>[]>
  rpc(method: string, params: readonly unknown[]): Promise<unknown>
  readonly rpcUrl: string
}

/** @throws when the constellation runs without its services */
export function targetOf(record: ConstellationRecord, silence?: Target['silence']): Target {
  const {
    serverUrl: url,
    facilitatorUrl,
    pids: { server, facilitator },
    logs,
  } = record
  if (
    url === undefined ||
    facilitatorUrl === undefined ||
    server === undefined ||
    facilitator === undefined ||
    logs.server === undefined
  )
    throw new Error('the instance runs without its services')
  return {
    url,
    facilitatorUrl,
    chainId: record.chainId,
    adminKey: record.adminKeys.server,
    dataDir: record.dataDir,
    logs: { server: logs.server },
    pids: { server, facilitator },
    silence,
    rpcUrl: record.rpcUrl,
    rows: (text, values) => queryDatabase(record.databases.server, text, values),
    rpc: (method, params) => callNode(record.rpcUrl, method, params),
  }
}

async function callNode(url: string, method: string, params: readonly unknown[]): Promise<unknown> {
  const response = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
    signal: AbortSignal.timeout(10_000),
  })
  const { result, error } = (await response.json()) as {
    readonly result?: unknown
    readonly error?: { readonly message: string }
  } // JSON-RPC
  if (error !== undefined) throw new Error(error.message)
  return result
}

/** Of the local chain. */
export const registries = networks.localnet.erc8004
