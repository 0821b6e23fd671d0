import {
  associatedTokenAccount,
  createTokenAccountInstruction,
  memoInstruction,
  computeLimitInstruction,
  computePriceInstruction,
  systemProgram,
  token2022Program,
  type Instruction,
} from '@ergon/channels'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Client } from './harness.ts'
import {
  aSplit,
  anExact,
  budget,
  exactBody,
  feePayer,
  keyOf,
  payer,
  seller,
  signedBy,
  startSolanaFacilitator,
  startSolanaWorld,
  stranger,
  tokensOf,
  transferOf,
  type SolanaWorld,
} from './solana-rig.ts'

let world: SolanaWorld
let rig: AsyncDisposable & Client
beforeAll(async () => {
  world = await startSolanaWorld()
  rig = await startSolanaFacilitator(world)
  await world.solana.fund(poor.address, { tokens: 1n })
  for (const { address } of [frozen, robbed]) await world.solana.fund(address, { tokens: 1_000_000n })
  tellOf(frozen.address, (data) => data.writeUInt8(2, stateAt))
  tellOf(robbed.address, (data) => data.write('another', ownerAt))
})
afterAll(async () => {
  await rig[Symbol.asyncDispose]()
  await world[Symbol.asyncDispose]()
})

const prefix = 'invalid_exact_svm'
const poor = keyOf(70)
const frozen = keyOf(71)
const robbed = keyOf(72)

const stateAt = 108
const ownerAt = 32

/** Makes the node tell of an account that has been frozen, or given away: nobody can do either to the local mint's. */
function tellOf(owner: string, change: (data: Buffer) => void): void {
  const address = associatedTokenAccount(owner, world.solana.mint)
  const { rewrite } = world.proxy
  world.proxy.rewrite = (methods, answer, request) => {
    if (!methods.includes('getAccountInfo') || !request.includes(address)) return rewrite(methods, answer, request)
    return answer.replace(/[A-Za-z0-9+/=]{100,}/, (text) => {
      const data = Buffer.from(text, 'base64')
      change(data)
      return data.toString('base64')
    })
  }
}

/** Both endpoints say the same of it, and no money moves. */
async function refused(body: object) {
  const before = await tokensOf(world, seller.address)
  const verified = await rig.post('/verify', body)
  const settled = await rig.post('/settle', body)
  expect(await tokensOf(world, seller.address)).toBe(before)
  expect(verified.body['isValid']).toBe(false)
  expect(settled.body['success']).toBe(false)
  return { verified: verified.body['invalidReason'], settled: settled.body['errorReason'], body: settled.body }
}

type Make = () => Promise<object>
const exactOf = async (instructions: readonly Instruction[], change = {}, signers = [payer]) =>
  exactBody(world, await signedBy(world, signers, instructions), change)

test.each<readonly [string, string, Make]>([
  [
    'an asset that is not served',
    `${prefix}_asset_not_supported`,
    () => exactOf([...budget(), transferOf(world)], { asset: stranger.address }),
  ],
  [
    'another amount',
    `${prefix}_payload_amount_mismatch`,
    () => exactOf([...budget(), transferOf(world, { amount: 249_999n })]),
  ],
  [
    'other decimals',
    `${prefix}_payload_amount_mismatch`,
    () => exactOf([...budget(), transferOf(world, { decimals: 9 })]),
  ],
  [
    'another mint',
    `${prefix}_payload_mint_mismatch`,
    () => exactOf([...budget(), transferOf(world, { mint: stranger.address })]),
  ],
  [
    'another recipient',
    `${prefix}_payload_recipient_mismatch`,
    () => exactOf([...budget(), transferOf(world, { to: stranger.address })]),
  ],
  [
    'Token-2022',
    `${prefix}_payload_token_2022_not_supported`,
    () => exactOf([...budget(), { ...transferOf(world), program: token2022Program }]),
  ],
  [
    'money of the fee payer',
    `${prefix}_payload_transaction_fee_payer_transferring_funds`,
    () => exactOf([...budget(), transferOf(world, { from: feePayer.address })]),
  ],
  [
    'one instruction more, out of the fee payer’s lamports',
    `${prefix}_payload_unknown_fourth_instruction`,
    () => exactOf([...budget(), transferOf(world), lamportsOut()]),
  ],
  [
    'two memos',
    `${prefix}_payload_transaction_instructions_length`,
    () => exactOf([...budget(), transferOf(world), memoInstruction('a'), memoInstruction('b')]),
  ],
  [
    'no signature of its payer',
    `${prefix}_payload_signature_invalid`,
    () => exactOf([...budget(), transferOf(world)], {}, []),
  ],
  [
    'a fee payer that is not ours',
    'fee_payer_not_managed_by_facilitator',
    () => exactOf([...budget(), transferOf(world)], { extra: { feePayer: stranger.address } }),
  ],
  [
    'a payer without a token account',
    `${prefix}_payer_account_missing`,
    () => exactOf([...budget(), transferOf(world, { from: stranger.address })], {}, [stranger]),
  ],
  [
    'a payer with too little',
    `${prefix}_insufficient_balance`,
    () => exactOf([...budget(), transferOf(world, { from: poor.address })], {}, [poor]),
  ],
  [
    'a frozen payer',
    `${prefix}_payer_account_frozen`,
    () => exactOf([...budget(), transferOf(world, { from: frozen.address })], {}, [frozen]),
  ],
  [
    'a token account its payer gave away',
    `${prefix}_payer_account_foreign`,
    () => exactOf([...budget(), transferOf(world, { from: robbed.address })], {}, [robbed]),
  ],
  [
    'a recipient without a token account',
    `${prefix}_recipient_account_missing`,
    () => exactOf([...budget(), transferOf(world, { to: stranger.address })], { payTo: stranger.address }),
  ],
  [
    'a frozen recipient',
    `${prefix}_recipient_account_frozen`,
    () => exactOf([...budget(), transferOf(world, { to: frozen.address })], { payTo: frozen.address }),
  ],
  [
    'a blockhash of another ledger',
    `${prefix}_blockhash_stale`,
    async () =>
      exactBody(
        world,
        await signedBy(world, [payer], [...budget(), transferOf(world)], { blockhash: stranger.address }),
      ),
  ],
  [
    'a payment to itself',
    'self_payment',
    () => exactOf([...budget(), transferOf(world, { to: payer.address })], { payTo: payer.address }),
  ],
  ['another scheme', 'unsupported_scheme', () => exactOf([...budget(), transferOf(world)], { scheme: 'upto' })],
  [
    'another network of Solana',
    'invalid_network',
    () => exactOf([...budget(), transferOf(world)], { network: 'solana:4uhcVJyU9pJkvQyS88uRDiswHXSCkY3z' }),
  ],
  [
    'dearer priority than is paid for',
    `${prefix}_payload_transaction_instructions_compute_price_instruction_too_high`,
    () => exactOf([computeLimitInstruction(400_000), computePriceInstruction(125_001n), transferOf(world)]),
  ],
])('%s is refused by its name', async (_, reason, make) => {
  expect(await refused(await make())).toMatchObject({ verified: reason, settled: reason })
})

const lamportsOut = (): Instruction => ({
  program: systemProgram,
  accounts: [
    { address: feePayer.address, signer: true, writable: true },
    { address: stranger.address, signer: false, writable: true },
  ],
  data: Uint8Array.from([2, 0, 0, 0, 64, 66, 15, 0, 0, 0, 0, 0]),
})

test('what a split pays is what was offered, and to whom, byte for byte', async () => {
  const body = await aSplit(world)
  const asked = body['paymentRequirements'] as { payees: { payTo: string; amount: string }[]; extra: object }
  const change = (requirements: object) => ({ ...body, paymentRequirements: { ...asked, ...requirements } })
  const [first, second] = asked.payees
  const payees = [
    { ...first, amount: '8700001' },
    { ...second, amount: '1299999' },
  ]
  expect(await refused(change({ payees }))).toMatchObject({ verified: 'direct_message' })
  expect(await refused(change({ payees: asked.payees.toReversed() }))).toMatchObject({ verified: 'direct_message' })
  const other = change({ extra: { ...asked.extra, reference: 'task 2' } })
  expect(await refused(other)).toMatchObject({ verified: 'direct_message' })
})

test('a seller’s token account may be made at the cost of the payer, and never at ours', async () => {
  const newcomer = keyOf(73)
  const making = (funder: string) =>
    createTokenAccountInstruction({ funder, owner: newcomer.address, mint: world.solana.mint })
  const paying = transferOf(world, { to: newcomer.address })
  const body = (funder: string) => exactOf([...budget(), making(funder), paying], { payTo: newcomer.address })
  expect(await refused(await body(feePayer.address))).toMatchObject({
    verified: `${prefix}_payload_no_transfer_instruction`,
  })
  await world.solana.fund(payer.address, { lamports: 5_000_000n })
  expect((await rig.post('/settle', await body(payer.address))).body['success']).toBe(true)
  expect(await tokensOf(world, newcomer.address)).toBe(250_000n)
})

test('a node that is silent, or of another cluster, leaves everything open and is seen in health', async () => {
  const body = await anExact(world)
  const { decide, rewrite } = world.proxy
  world.proxy.decide = () => 'drop'
  expect(await rig.post('/settle', body)).toMatchObject({
    status: 502,
    body: { success: false, errorCode: 'rpc_unavailable', broadcast: false },
  })
  expect(await rig.post('/verify', body)).toMatchObject({ status: 502 })
  world.proxy.decide = decide
  world.proxy.rewrite = (methods, answer, request) =>
    methods.includes('getGenesisHash') ? answer : rewrite(methods, answer, request)
  expect(await rig.post('/verify', body)).toMatchObject({ status: 502, body: { errorCode: 'rpc_unavailable' } })
  world.proxy.rewrite = rewrite
  await expect.poll(async () => (await rig.post('/settle', body)).body['success']).toBe(true)
})
