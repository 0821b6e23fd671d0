import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { mintTestUsd } from '@ergon/contracts'
import { isSolanaAddress } from '@ergon/channels'
import { lowerAddress } from '@ergon/protocols'
import { giveLocalDollars } from '../solana/local-dollars.ts'
import { createQuota } from './quota.ts'
import { readSmallBody } from './read-small-body.ts'

export type FaucetOptions = {
  readonly rpcUrl: string
  /** The local Solana ledger, where there is one: base58 addresses are given its dollars. */
  readonly solana?: { readonly rpcUrl: string; readonly genesisHash: string; readonly mint: string } | undefined
  readonly port: number
  /** Whose pages may ask. */
  readonly origins: readonly string[]
}

export type Faucet = AsyncDisposable & { readonly url: string }

const host = '127.0.0.1'
const giftAtomic = 1_000_000_000n
const mostBytes = 1_024
const callsPerMinute = 20

type Answer = {
  readonly status: number
  readonly body?: Readonly<Record<string, unknown>>
  readonly headers?: Readonly<Record<string, string>>
}

const refusal = (status: number, message: string, headers: Readonly<Record<string, string>> = {}): Answer => ({
  status,
  body: { error: message },
  headers,
})

/**
 * Mints test dollars for whoever asks on this machine: `POST /fund {"address": "0x…"}` of the local chain, a base58
 * address of the local Solana ledger.
 */
export async function startFaucet({ rpcUrl, solana, port, origins }: FaucetOptions): Promise<Faucet> {
  const quota = createQuota(callsPerMinute)
  const fund = async (request: IncomingMessage): Promise<Answer> => {
    const text = await readSmallBody(request, mostBytes)
    if (text === undefined) return refusal(413, `The body may be ${String(mostBytes)} bytes.`, { connection: 'close' })
    const address = addressIn(text)
    if (address === undefined) return refusal(400, 'Send {"address": "0x…"} with 40 hexadecimal digits.')
    if (!isHex(address) && solana === undefined) return refusal(400, 'There is no local Solana ledger here.')
    if (!quota.take(address, performance.now()))
      return refusal(429, 'An address is funded 20 times a minute at most.', { 'retry-after': '60' })
    if (isHex(address)) await mintTestUsd(rpcUrl, address, giftAtomic)
    else if (solana !== undefined) await giveLocalDollars(solana, address, giftAtomic)
    return { status: 200, body: { address, amount_atomic: String(giftAtomic), amount_usd: 1_000 } }
  }
  const answer = async (request: IncomingMessage): Promise<Answer> => {
    const { origin } = request.headers
    // A page that may not read the answer could still have the dollars minted, so it is refused before that.
    if (origin !== undefined && !origins.includes(origin)) return refusal(403, 'Pages of this origin may not ask.')
    if (request.url !== '/fund') return refusal(404, 'Only POST /fund is answered.')
    if (request.method === 'OPTIONS')
      return {
        status: 204,
        headers: {
          'access-control-allow-methods': 'POST',
          'access-control-allow-headers': 'content-type',
          'access-control-max-age': '600',
        },
      }
    if (request.method !== 'POST') return refusal(405, 'Only POST /fund is answered.', { allow: 'POST, OPTIONS' })
    return fund(request).catch(() => refusal(502, 'The local chain did not mint; is it running?'))
  }
  const server = createServer((request, response) => {
    void answer(request).then((told) => {
      write(response, told, allowed(request.headers.origin, origins))
    })
  })
  server.requestTimeout = 10_000
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject).listen(port, host, () => {
      resolve()
    })
  })
  // A TCP server that listens has an address with a port.
  const { port: taken } = server.address() as AddressInfo
  return {
    url: `http://${host}:${String(taken)}`,
    [Symbol.asyncDispose]: () =>
      new Promise((resolve) => {
        server.close(() => {
          resolve()
        })
        server.closeAllConnections()
      }),
  }
}

function allowed(origin: string | undefined, origins: readonly string[]): Readonly<Record<string, string>> {
  return {
    vary: 'Origin',
    ...(origin !== undefined && origins.includes(origin) ? { 'access-control-allow-origin': origin } : {}),
  }
}

function write(
  response: ServerResponse,
  { status, body, headers = {} }: Answer,
  cors: Readonly<Record<string, string>>,
): void {
  response.writeHead(status, {
    ...cors,
    ...headers,
    'cache-control': 'no-store',
    'x-content-type-options': 'nosniff',
    ...(body === undefined ? {} : { 'content-type': 'application/json; charset=utf-8' }),
  })
  response.end(body === undefined ? undefined : JSON.stringify(body))
}

const isHex = (address: string): address is `0x${string}` => address.startsWith('0x')

function addressIn(text: string): string | undefined {
  try {
    const body: unknown = JSON.parse(text)
    const address = typeof body === 'object' && body !== null && 'address' in body ? body.address : undefined
    if (typeof address !== 'string') return undefined
    if (/^0x[0-9a-f]{40}$/i.test(address)) return lowerAddress(address)
    return isSolanaAddress(address) ? address : undefined
  } catch {
    return undefined
  }
}
