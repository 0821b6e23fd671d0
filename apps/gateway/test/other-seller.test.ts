import { randomBytes } from 'node:crypto'
import { freePort } from '@ergon/dev-env'
import { createTestDatabase } from '@ergon/dev-env/testing'
import { createPayingFetch, receiptOf, solanaSeedSigner } from '@ergon/sdk'
import { localMint } from '@ergon/solana-ledger'
import { expect, test } from 'vitest'
import { price, seller, startChain, startStage, startUpstream, until } from './harness.ts'

/** The seller of an endpoint takes its money at another address from a start on. */

test('open channels pay the former seller what it sold, and buyers go on with the new one', async () => {
  await using chain = await startChain()
  await using upstream = await startUpstream()
  await using database = await createTestDatabase()
  const next = solanaSeedSigner(new Uint8Array(randomBytes(32))).address
  const sellingFor = (payee: string) => ({
    DATABASE_URL: database.url,
    GATEWAY_ENDPOINTS: `/weather ${upstream.url}/v1 ${price} ${payee}`,
    GATEWAY_DEPOSITS: '10000/10000/1000000',
    GATEWAY_IDLE_SEC: '1',
    GATEWAY_PORT: port,
  })
  const port = String(await freePort())
  const signer = solanaSeedSigner(new Uint8Array(randomBytes(32)))
  await chain.embedded.fund(signer.address, { tokens: 1_000_000n })
  const paying = createPayingFetch({ signer, cap: 50_000n, network: 'localnet', mint: localMint })
  const call = async (): Promise<bigint | undefined> =>
    receiptOf(await paying.fetch(`http://127.0.0.1:${port}/weather`))?.spent
  const former = await chain.tokens(seller.address)
  {
    await using _first = await startStage(chain, upstream.url, sellingFor(seller.address))
    expect([await call(), await call()]).toEqual([price, price * 2n])
  }
  await using second = await startStage(chain, upstream.url, sellingFor(next))
  expect(await call()).toBe(price)
  await paying.close()
  const share = (calls: bigint): bigint => (price * calls * 8_700n) / 10_000n
  const isPaid = async (address: string, before: bigint, calls: bigint): Promise<boolean> =>
    (await chain.tokens(address)) === before + share(calls)
  await until(async () => (await isPaid(seller.address, former, 2n)) && (await isPaid(next, 0n, 1n)), 90_000)
  expect(await chain.tokens(signer.address)).toBe(1_000_000n - price * 3n)
  expect(second.url).toContain(port)
})
