import { createTestDatabase } from '@ergon/dev-env/testing'
import { expect, test } from 'vitest'
import { facilitatorEnv } from './harness-env.ts'
import {
  balanceOf,
  createClient,
  eventually,
  sentByFacilitator,
  startFacilitator,
  startFundedChain,
} from './harness.ts'
import { startRpcProxy } from './rpc-proxy.ts'
import { aPaymentInfo, aTransfer, authorizeBody, exactV2, payer, releaseBody, worker } from '../src/testing/payments.ts'
import { facilitatorSchema } from '../src/testing/facilitator-schema.ts'

/** Mulberry32: the same seed fails the same way. */
function seeded(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}

test.each([1, 2])(
  'through a network that loses requests and answers (seed %i), every payment moves exactly once',
  async (seed) => {
    const random = seeded(seed)
    await using chain = await startFundedChain()
    await using proxy = await startRpcProxy(chain.rpcUrl)
    await using database = await createTestDatabase(facilitatorSchema)
    const env = facilitatorEnv(proxy.url, database.url, {
      FACILITATOR_RPC_TIMEOUT_MS: '300',
      FACILITATOR_SETTLE_WAIT_MS: '600',
    })
    await using service = await startFacilitator(env)
    const client = createClient(await service.listen())
    const before = {
      worker: await balanceOf(chain.rpcUrl, worker.address),
      payer: await balanceOf(chain.rpcUrl, payer.address),
      sent: await sentByFacilitator(chain.rpcUrl),
    }
    proxy.decide = () => {
      const dice = random()
      return dice < 0.12 ? 'drop' : dice < 0.2 ? 'swallow-answer' : 'forward'
    }
    const insist = (body: object, key: string): Promise<unknown> =>
      eventually(
        () => client.post('/settle', body, { 'idempotency-key': key }),
        ({ status, body: answer }) => {
          // A verdict would be wrong: every one of these payments is good.
          if (status === 400 || status === 409) throw new Error(JSON.stringify(answer))
          return status === 200
        },
        `settlement ${key}`,
        90_000,
      )
    await Promise.all(
      Array.from({ length: 12 }, async (_, index) => {
        if (index % 2 === 0) {
          await insist(exactV2(aTransfer({ value: 1_000n })), `transfer-${index}`)
          return
        }
        const info = aPaymentInfo({ maxAmount: 10_000n })
        await insist(authorizeBody(info), `authorize-${index}`)
        await Promise.all([
          insist(releaseBody(info, 6_000n), `release-${index}`),
          insist(releaseBody(info, 4_000n), `rest-${index}`),
        ])
      }),
    )
    proxy.decide = () => 'forward'
    expect(await balanceOf(chain.rpcUrl, worker.address)).toBe(before.worker + 6n * 1_000n + 6n * 8_700n)
    expect(await balanceOf(chain.rpcUrl, payer.address)).toBe(before.payer - 6n * 1_000n - 6n * 10_000n)
    expect(await sentByFacilitator(chain.rpcUrl)).toBe(before.sent + 6 + 18)
  },
  200_000,
)
