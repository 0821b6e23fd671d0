import { randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { bytesToHex } from '@ergon/protocols'
import { solanaSeedSigner } from '@ergon/sdk'
import { startNodeService } from '../node-service.ts'
import { freePort } from '../ports.ts'
import { startPostgres } from '../postgres/postgres.ts'
import { startSolana } from '../solana/solana.ts'
import type { GatewayOptions } from './gateway-options.ts'

/** A gateway with all that it needs, for whoever tries it. */
export type LocalGateway = AsyncDisposable & {
  readonly url: string
  /** A node of its ledger, for an ordinary Solana client. */
  readonly rpcUrl: string
  /** The token that is paid with. */
  readonly mint: string
  readonly seller: string
  /** Seed of a buyer with money, in hex. */
  readonly buyerSeed: string
  /** Resolves when the gateway has ended, for whatever reason. */
  readonly ended: Promise<void>
}

const buyerTokens = 100_000_000n
const main = fileURLToPath(new URL('../../../../apps/gateway/src/main.ts', import.meta.url))

/** Starts PostgreSQL, a Solana ledger and the gateway; the seller and the buyer are made anew each time. */
export async function startLocalGateway({ sell, port }: Pick<GatewayOptions, 'sell' | 'port'>): Promise<LocalGateway> {
  await using resources = new AsyncDisposableStack()
  const folder = mkdtempSync(join(tmpdir(), 'ergon-gateway-'))
  resources.defer(() => {
    rmSync(folder, { recursive: true, force: true })
  })
  const postgres = resources.adopt(await startPostgres({ durable: false }), (started) => started.stop())
  await postgres.createDatabase('gateway')
  const solana = resources.use(await startSolana())
  const [seller, seed] = [solanaSeedSigner(new Uint8Array(randomBytes(32))), new Uint8Array(randomBytes(32))]
  await solana.fund(solanaSeedSigner(seed).address, { tokens: buyerTokens })
  const gatewayPort = await freePort(port)
  const url = `http://127.0.0.1:${String(gatewayPort)}`
  const service = resources.adopt(
    await startNodeService({
      name: 'gateway',
      main,
      healthUrl: `${url}/__402/ready`,
      logFile: join(folder, 'gateway.log'),
      env: {
        DATABASE_URL: postgres.url('gateway'),
        GATEWAY_ENDPOINTS: sell.trim().split(/\s+/).length === 3 ? `${sell.trim()} ${seller.address}` : sell,
        GATEWAY_RPC: solana.rpcUrl,
        GATEWAY_PORT: String(gatewayPort),
      },
    }),
    (started) => started.stop(),
  )
  const owned = resources.move()
  return {
    url,
    rpcUrl: solana.rpcUrl,
    mint: solana.mint,
    seller: seller.address,
    buyerSeed: bytesToHex(seed),
    ended: service.ended,
    [Symbol.asyncDispose]: () => owned.disposeAsync(),
  }
}
