import { createServer } from 'node:http'
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { mintTestUsd } from '@ergon/contracts'

/** Hands out test money of the local chain to the test wallets of the app. */
export type Faucet = AsyncDisposable & { readonly url: string }

const grantAtomic = 1_000_000_000n
const grantsAMinute = 20
const mostBytes = 1_000

export type FaucetOptions = { readonly rpcUrl: string; readonly port: number; /** The one page that may ask. */ readonly origin: () => string | undefined }

/** `POST /fund {"address"}` mints 1,000 test dollars; on this machine only. */
export async function startFaucet({ rpcUrl, port, origin }: FaucetOptions): Promise<Faucet> {
  const grants = new Map<string, readonly number[]>()
  const mayHave = (address: string): boolean => {
    const recent = (grants.get(address) ?? []).filter((at) => at > Date.now() - 60_000)
    if (recent.length >= grantsAMinute) return false
    grants.set(address, [...recent, Date.now()])
    return true
  }
  const fund = async (body: string): Promise<number> => {
    const address = addressIn(body)
    if (address === undefined) return 422
    if (!mayHave(address)) return 429
    await mintTestUsd(rpcUrl, address, grantAtomic)
    return 200
  }
  const server = createServer((request, response) => {
    const allowed = origin()
    const from = request.headers.origin
    const end = (status: number): void => {
      response.writeHead(status, { 'content-type': 'application/json', vary: 'origin', ...(allowed === undefined ? {} : { 'access-control-allow-origin': allowed, 'access-control-allow-headers': 'content-type' }) })
      response.end(JSON.stringify({ ok: status === 200 }))
    }
    if (from !== undefined && from !== allowed) end(403)
    else if (request.method === 'OPTIONS') end(204)
    else if (request.method !== 'POST' || request.url !== '/fund') end(404)
    else if (Number(request.headers['content-length'] ?? Number.NaN) <= mostBytes) text(request).then(fund).then(end, () => { end(502) })
    else end(413)
  })
  server.requestTimeout = 5_000
  server.listen(port, '127.0.0.1')
  await once(server, 'listening')
  // A server that listens on a port has an address with one.
  const { port: chosen } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${chosen}`,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}

function addressIn(body: string): `0x${string}` | undefined {
  try {
    const { address } = JSON.parse(body) as { readonly address?: unknown }
    // The pattern is the type.
    return typeof address === 'string' && /^0x[0-9a-fA-F]{40}$/.test(address) ? (address as `0x${string}`) : undefined
  } catch {
    return undefined
  }
}
