import { addSignature, decodeTransaction, encodeTransaction } from '@ergon/channels'
import type { RailOrder, SplitTerms } from '@ergon/core'
import { freePort, startSolana, type Solana } from '@ergon/dev-env'
import { createTestDatabase } from '@ergon/dev-env/testing'
import { createFacilitator, decideConfig, readEnv, readSecrets } from '@ergon/facilitator'
import { ed25519KeyOf, generatePrivateKey, loadFastKeccak, signEd25519, solanaRow, toBase58 } from '@ergon/protocols'
import { createRpcLedger, localKeys } from '@ergon/solana-ledger'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createFacilitatorClient } from '../../src/adapters/facilitator/facilitator-client.ts'
import { createSplitPayments } from '../../src/adapters/splits/split-payments.ts'
import { createSplitRail } from '../../src/adapters/splits/split-rail.ts'
import { facilitatorSchema } from '@ergon/facilitator/testing'

const keyOf = (byte: number) => {
  const seed = new Uint8Array(32).fill(byte)
  return { seed, address: toBase58(ed25519KeyOf(seed)) }
}
const [payer, worker] = [keyOf(141), keyOf(142)]
const stack = new AsyncDisposableStack()
let solana: Solana
let payments: ReturnType<typeof createSplitPayments>
let deps: Parameters<typeof createSplitPayments>[0]
let rail: ReturnType<typeof createSplitRail>
/** The facilitator, started again with this key of Solana. */
let facilitate: (seed: Uint8Array) => Promise<string>

beforeAll(async () => {
  await loadFastKeccak()
  solana = stack.use(await startSolana())
  await solana.fund(payer.address, { tokens: 100_000_000n })
  const { rpcUrl, genesisHash, mint } = solana
  const database = stack.use(await createTestDatabase(facilitatorSchema))
  const env = {
    FACILITATOR_PORT: String(await freePort()),
    DATABASE_URL: database.url,
    FACILITATOR_NETWORKS: 'solana',
    FACILITATOR_RPC_SOLANA: rpcUrl,
    FACILITATOR_KEY: generatePrivateKey(),
    FACILITATOR_SOLANA_GENESIS: genesisHash,
    FACILITATOR_SOLANA_MINT: mint,
    FACILITATOR_LOG_LEVEL: 'fatal',
  }
  let running: AsyncDisposable | undefined
  stack.defer(() => running?.[Symbol.asyncDispose]())
  facilitate = async (seed) => {
    await running?.[Symbol.asyncDispose]()
    const all = { ...env, FACILITATOR_SOLANA_KEY: toBase58(seed) }
    const service = await createFacilitator(decideConfig(readEnv(all)), readSecrets(all))
    running = service
    return service.listen()
  }
  const facilitator = stack.use(createFacilitatorClient(await facilitate(localKeys.feePayer.seed), () => new Date()))
  deps = {
    network: solanaRow({ genesisHash, mint }),
    ledger: createRpcLedger({ urls: [rpcUrl], genesisHash }),
    treasury: localKeys.operator.address,
    facilitator,
  }
  payments = createSplitPayments(deps)
  rail = createSplitRail({ ...deps, log: undefined })
})
afterAll(() => stack.disposeAsync())

const usdc = (atomic: bigint) => ({ atomic, asset: { symbol: 'USDC', network: 'solana', decimals: 6 } })
let submissions = 0

async function anOrder(): Promise<Extract<RailOrder, { readonly kind: 'charge' }>> {
  const submissionId = `submission-${String((submissions += 1))}`
  const terms: SplitTerms = { submissionId, worker: worker.address, payout: usdc(870_000n), fee: usdc(130_000n) }
  const { envelope } = await payments.challenge(terms, payer.address, new Date())
  const { paymentPayload } = envelope as { readonly paymentPayload: { readonly payload: { transaction: string } } }
  const unsigned = decodeTransaction(new Uint8Array(Buffer.from(paymentPayload.payload.transaction, 'base64')))
  const whole = addSignature(unsigned, payer.address, signEd25519(unsigned.messageBytes, payer.seed))
  const transaction = Buffer.from(encodeTransaction(whole)).toString('base64')
  const transfer = await payments.read(JSON.stringify({ payload: { transaction } }), terms)
  return { kind: 'charge', key: `charge:${submissionId}`, transfer }
}

const soon = () => new Date(Date.now() + 30_000)

test('what the facilitator reports is believed on the word of the ledger, now and later', async () => {
  const order = await anOrder()
  const answer = await rail.send(order, 10_000, soon())
  expect(answer).toMatchObject({ outcome: 'settled', logIndex: 0 })
  const txHash = answer.outcome === 'settled' ? answer.txHash : ''
  expect(await rail.send(order, 10_000, soon())).toEqual(answer)
  expect(await rail.proof(order, txHash)).toBe('proven')
  expect(await rail.balance(worker.address, order.transfer.amount.asset)).toBe(870_000n)
})

test('a transaction that is another’s, or is on no ledger, proves nothing', async () => {
  const [paid, unpaid] = [await anOrder(), await anOrder()]
  const answer = await rail.send(paid, 10_000, soon())
  expect(await rail.proof(unpaid, answer.outcome === 'settled' ? answer.txHash : '')).toBe('otherwise')
  const { messageBytes } = decodeTransaction(new Uint8Array(Buffer.from(unpaid.transfer.signature, 'base64')))
  const name = toBase58(signEd25519(messageBytes, localKeys.feePayer.seed))
  expect(await rail.proof(unpaid, name)).toBe('absent')
})

test('a facilitator that names another transaction is not believed', async () => {
  const [paid, unpaid] = [await anOrder(), await anOrder()]
  const answer = await rail.send(paid, 10_000, soon())
  const transaction = answer.outcome === 'settled' ? answer.txHash : ''
  const liar = { ...deps.facilitator, post: async () => ({ kind: 'done' as const, body: { transaction } }) }
  const deceived = createSplitRail({ ...deps, facilitator: liar, log: undefined })
  expect(await deceived.send(unpaid, 10_000, soon())).toEqual({ outcome: 'unknown' })
})

test('an order whose time is over is refused for good, and its money never moves', async () => {
  const order = await anOrder()
  const before = await rail.balance(payer.address, order.transfer.amount.asset)
  expect(await rail.send(order, 10_000, new Date(Date.now() - 1_000))).toMatchObject({
    outcome: 'refused',
    final: true,
  })
  expect(await rail.send(order, 10_000, soon())).toMatchObject({ outcome: 'refused', final: true })
  expect(await rail.balance(payer.address, order.transfer.amount.asset)).toBe(before)
})

test('a facilitator with another key pays what is asked from then on, and knows what the key before has paid', async () => {
  const [paid, late] = [await anOrder(), await anOrder()]
  const answer = await rail.send(paid, 10_000, soon())
  const next = keyOf(143)
  await solana.fund(next.address, { lamports: 1_000_000_000n })
  await facilitate(next.seed)
  expect(await rail.send(paid, 10_000, soon())).toEqual(answer)
  expect(await rail.send(late, 10_000, soon())).toMatchObject({ outcome: 'refused', final: true })
  await expect.poll(async () => feePayerOf(await anOrder()), { timeout: 20_000 }).toBe(next.address)
  expect(await rail.send(await anOrder(), 10_000, soon())).toMatchObject({ outcome: 'settled' })
  await facilitate(localKeys.feePayer.seed)
})

const feePayerOf = ({ transfer }: Awaited<ReturnType<typeof anOrder>>): string =>
  decodeTransaction(new Uint8Array(Buffer.from(transfer.signature, 'base64'))).message.feePayer
