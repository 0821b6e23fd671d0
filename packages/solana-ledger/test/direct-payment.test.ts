import {
  addSignature,
  associatedTokenAccount,
  computeLimitInstruction,
  computePriceInstruction,
  createTokenAccountInstruction,
  decodeTransaction,
  directPaymentInstructions,
  encodeTransaction,
  memoInstruction,
  signTransaction,
  token2022Program,
  tokenProgram,
  transactionId,
  transferTokensInstruction,
  unsignedTransaction,
  verifyDirectPayment,
  verifyExactPayment,
} from '@ergon/channels'
import type { DirectPayment, ExactTerms, Instruction, Transaction } from '@ergon/channels'
import { ed25519KeyOf, signEd25519, toBase58 } from '@ergon/protocols'
import { createKeyPairSignerFromPrivateKeyBytes } from '@solana/kit'
import { ExactSvmScheme } from '@x402/svm/exact/client'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { deliver, localKeys, localMint, startEmbeddedLedger, startRpcFront } from '../src/index.ts'
import type { EmbeddedLedger, LocalKey, RpcFront } from '../src/index.ts'
import { foreignClient } from './foreign-client.ts'

const key = (byte: number): LocalKey => {
  const seed = new Uint8Array(32).fill(byte)
  return { seed, address: toBase58(ed25519KeyOf(seed)) }
}
const [payer, worker, treasury, seller, stranger] = [key(21), key(22), key(23), key(24), key(25)]
const { operator: facilitator } = localKeys

let embedded: EmbeddedLedger
let front: RpcFront
let client: ReturnType<typeof foreignClient>
beforeAll(async () => {
  embedded = await startEmbeddedLedger()
  front = await startRpcFront(embedded.machine)
  client = foreignClient(front.url)
  await embedded.fund(payer.address, { tokens: 100_000_000n })
  await embedded.fund(seller.address, { tokens: 0n })
})
afterAll(async () => {
  await front[Symbol.asyncDispose]()
  await embedded[Symbol.asyncDispose]()
})

/** What a facilitator does with a payment it has verified: it signs last, and delivers. */
async function settle(transaction: Transaction) {
  const signature = signEd25519(transaction.messageBytes, facilitator.seed)
  const whole = addSignature(transaction, facilitator.address, signature)
  const { lastValidBlockHeight } = await embedded.ledger.blockhash()
  const delivery = { wire: encodeTransaction(whole), signature: transactionId(whole), lastValidBlockHeight }
  return deliver(embedded.ledger, delivery, { pollMs: 5 })
}

async function signedBy(
  signers: readonly LocalKey[],
  instructions: readonly Instruction[],
  feePayer = facilitator.address,
) {
  const { blockhash } = await embedded.ledger.blockhash()
  const seeds = new Map(signers.map(({ address, seed }) => [address, seed]))
  return encodeTransaction(signTransaction(unsignedTransaction(feePayer, blockhash, instructions), seeds))
}

const payment: DirectPayment = {
  payer: payer.address,
  feePayer: facilitator.address,
  mint: localMint,
  decimals: 6,
  payees: [
    { owner: worker.address, amount: 8_700_000n },
    { owner: treasury.address, amount: 1_300_000n },
  ],
  reference: 'task 1',
  computeUnits: 120_000,
  computePrice: 1n,
}

describe('the direct rail', () => {
  test('pays 87 and 13 in one transaction, makes missing token accounts, and costs the payer no lamport', async () => {
    const wire = await signedBy([payer], directPaymentInstructions(payment))
    expect(await settle(verifyDirectPayment(wire, payment))).toMatchObject({ end: 'landed', status: { error: null } })
    expect(await client.tokens(worker.address)).toBe('8.7')
    expect(await client.tokens(treasury.address)).toBe('1.3')
    expect(await client.tokens(payer.address)).toBe('90')
    expect((await client.rpc.getBalance(payer.address as never).send()).value).toBe(0n)
  })

  test('pays everybody or nobody', async () => {
    const tooMuch = {
      ...payment,
      payees: [
        { owner: stranger.address, amount: 1n },
        { owner: worker.address, amount: 10n ** 12n },
      ],
    }
    const wire = await signedBy([payer], directPaymentInstructions(tooMuch))
    const { messageBytes, signatures } = verifyDirectPayment(wire, tooMuch)
    const whole = addSignature(
      { ...decodeTransaction(wire), messageBytes, signatures },
      facilitator.address,
      signEd25519(messageBytes, facilitator.seed),
    )
    await expect(embedded.ledger.send(encodeTransaction(whole))).rejects.toThrow('InstructionError')
    expect(await embedded.ledger.account(associatedTokenAccount(stranger.address, localMint))).toBeNull()
  })

  const add = (extra: Instruction) => [...directPaymentInstructions(payment), extra]
  const instructions = () => [...directPaymentInstructions(payment)]
  test.each<readonly [string, () => readonly Instruction[]]>([
    ['with one instruction more', () => add(memoInstruction('more'))],
    [
      'with a transfer out of the facilitator',
      () =>
        add(
          transferTokensInstruction({
            from: facilitator.address,
            to: stranger.address,
            mint: localMint,
            amount: 1n,
            decimals: 6,
          }),
        ),
    ],
    [
      'with a token account made for a stranger',
      () =>
        add(createTokenAccountInstruction({ funder: facilitator.address, owner: stranger.address, mint: localMint })),
    ],
    ['with one instruction less', () => instructions().slice(0, -1)],
    ['in another order', () => instructions().toReversed()],
    ['with another reference', () => directPaymentInstructions({ ...payment, reference: 'task 2' })],
    [
      'with a smaller share for the worker',
      () =>
        directPaymentInstructions({
          ...payment,
          payees: [
            { owner: worker.address, amount: 8_699_999n },
            { owner: treasury.address, amount: 1_300_001n },
          ],
        }),
    ],
    [
      'with another worker',
      () =>
        directPaymentInstructions({
          ...payment,
          payees: [
            { owner: stranger.address, amount: 8_700_000n },
            { owner: treasury.address, amount: 1_300_000n },
          ],
        }),
    ],
    ['with a dearer priority', () => directPaymentInstructions({ ...payment, computePrice: 2n })],
  ])('refuses the transaction %s', async (_, changed) => {
    const wire = await signedBy([payer], changed())
    expect(() => verifyDirectPayment(wire, payment)).toThrow(expect.objectContaining({ code: 'direct_message' }))
  })

  test('refuses what its payer has not signed, and what another pays the fee for', async () => {
    const unsigned = await signedBy([], directPaymentInstructions(payment))
    expect(() => verifyDirectPayment(unsigned, payment)).toThrow(expect.objectContaining({ code: 'signature' }))
    const other = await signedBy([payer], directPaymentInstructions(payment), stranger.address)
    expect(() => verifyDirectPayment(other, payment)).toThrow(expect.objectContaining({ code: 'direct_message' }))
  })

  test.each<readonly [string, Partial<DirectPayment>]>([
    ['nobody', { payees: [] }],
    [
      'one payee twice',
      {
        payees: [
          { owner: worker.address, amount: 1n },
          { owner: worker.address, amount: 2n },
        ],
      },
    ],
    ['its own payer', { payees: [{ owner: payer.address, amount: 1n }] }],
    ['nothing', { payees: [{ owner: worker.address, amount: 0n }] }],
    ['by the facilitator’s own money', { payer: facilitator.address }],
  ])('writes no payment of %s', (_, wrong) => {
    expect(() => directPaymentInstructions({ ...payment, ...wrong })).toThrow(
      expect.objectContaining({ code: 'direct_terms' }),
    )
  })
})

describe('an exact payment of x402', () => {
  const terms: ExactTerms = {
    feePayer: facilitator.address,
    payTo: seller.address,
    mint: localMint,
    decimals: 6,
    amount: 250_000n,
  }
  const network = 'solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp'

  async function byPublicClient(extra: Readonly<Record<string, unknown>> = {}): Promise<Uint8Array> {
    const signer = await createKeyPairSignerFromPrivateKeyBytes(payer.seed)
    const scheme = new ExactSvmScheme(signer, { rpcUrl: front.url })
    const { payload } = await scheme.createPaymentPayload(2, {
      scheme: 'exact',
      network,
      asset: localMint,
      amount: terms.amount.toString(),
      payTo: terms.payTo,
      maxTimeoutSeconds: 60,
      extra: { feePayer: facilitator.address, ...extra },
    })
    return new Uint8Array(Buffer.from(String(payload['transaction']), 'base64'))
  }

  test('of the public client is verified, signed by the facilitator and lands', async () => {
    const payment = verifyExactPayment(await byPublicClient(), terms)
    expect(payment.payer).toBe(payer.address)
    expect(await settle(payment.transaction)).toMatchObject({ end: 'landed', status: { error: null } })
    expect(await client.tokens(seller.address)).toBe('0.25')
    const withMemo = await byPublicClient({ memo: 'order 7' })
    expect(verifyExactPayment(withMemo, { ...terms, memo: 'order 7' }).payer).toBe(payer.address)
    expect(() => verifyExactPayment(withMemo, { ...terms, memo: 'order 8' })).toThrow(
      expect.objectContaining({ code: 'invalid_exact_svm_payload_memo_mismatch' }),
    )
  })

  const transfer = (changes: object = {}) =>
    transferTokensInstruction({
      from: payer.address,
      to: seller.address,
      mint: localMint,
      amount: 250_000n,
      decimals: 6,
      ...changes,
    })
  const budget = [computeLimitInstruction(20_000), computePriceInstruction(1n)]
  const whole = () => [...budget, transfer()]
  const making = (changes: object = {}) =>
    createTokenAccountInstruction({ funder: payer.address, owner: seller.address, mint: localMint, ...changes })
  const touching = (address: string, signer = false): Instruction => {
    const { accounts, ...rest } = transfer()
    return { ...rest, accounts: [...accounts, { address, signer, writable: true }] }
  }
  test.each<readonly [string, string, () => readonly Instruction[]]>([
    ['no budget', 'transaction_instructions_length', () => [transfer()]],
    [
      'five instructions',
      'transaction_instructions_length',
      () => [...whole(), memoInstruction('a'), memoInstruction('b')],
    ],
    [
      'a price before the limit',
      'transaction_instructions_compute_limit_instruction',
      () => [...budget.toReversed(), transfer()],
    ],
    [
      'two limits',
      'transaction_instructions_compute_price_instruction',
      () => [budget[0] ?? transfer(), computeLimitInstruction(1), transfer()],
    ],
    [
      'too high a limit',
      'transaction_instructions_compute_limit_instruction_too_high',
      () => [computeLimitInstruction(400_001), computePriceInstruction(1n), transfer()],
    ],
    [
      'too high a price',
      'transaction_instructions_compute_price_instruction_too_high',
      () => [computeLimitInstruction(20_000), computePriceInstruction(5_000_001n), transfer()],
    ],
    ['a smaller amount', 'amount_mismatch', () => [...budget, transfer({ amount: 249_999n })]],
    ['a larger amount', 'amount_mismatch', () => [...budget, transfer({ amount: 250_001n })]],
    ['other decimals', 'amount_mismatch', () => [...budget, transfer({ decimals: 9 })]],
    ['another recipient', 'recipient_mismatch', () => [...budget, transfer({ to: stranger.address })]],
    ['another mint', 'mint_mismatch', () => [...budget, transfer({ mint: stranger.address })]],
    [
      'the facilitator’s money',
      'transaction_fee_payer_transferring_funds',
      () => [...budget, transfer({ from: facilitator.address })],
    ],
    ['a fifth account in the transfer', 'no_transfer_instruction', () => [...budget, touching(stranger.address)]],
    ['another program', 'no_transfer_instruction', () => [...budget, memoInstruction('pay')]],
    [
      'a plain transfer',
      'no_transfer_instruction',
      () => [...budget, { ...transfer(), program: tokenProgram, data: transfer().data.with(0, 3) }],
    ],
    ['a second transfer', 'unknown_fourth_instruction', () => [...whole(), transfer({ to: stranger.address })]],
    [
      'a memo that another party signs',
      'unknown_fourth_instruction',
      () => [
        ...whole(),
        { ...memoInstruction('x'), accounts: [{ address: stranger.address, signer: true, writable: false }] },
      ],
    ],
    [
      'a token account made at the facilitator’s cost',
      'no_transfer_instruction',
      () => [...budget, making({ funder: facilitator.address }), transfer()],
    ],
    [
      'a token account made for a stranger',
      'no_transfer_instruction',
      () => [...budget, making({ owner: stranger.address }), transfer()],
    ],
    [
      'a transfer of Token-2022',
      'token_2022_not_supported',
      () => [...budget, { ...transfer(), program: token2022Program }],
    ],
    ['too long a memo', 'unknown_fourth_instruction', () => [...whole(), memoInstruction('x'.repeat(257))]],
  ])('with %s is refused', async (_, code, instructions) => {
    const wire = await signedBy([payer, facilitator, stranger], instructions())
    expect(() => verifyExactPayment(wire, terms)).toThrow(
      expect.objectContaining({ code: `invalid_exact_svm_payload_${code}` }),
    )
  })

  test('may make the account of its seller, at the cost of its payer', async () => {
    const payment = verifyExactPayment(await signedBy([payer], [...budget, making(), transfer()]), terms)
    expect(payment).toMatchObject({ payer: payer.address, createsAccount: true, budget: { units: 20_000, price: 1n } })
  })

  test('that is unsigned, of another fee payer, or no transaction is refused', async () => {
    const codeOf = (wire: Uint8Array) => {
      try {
        verifyExactPayment(wire, terms)
        return undefined
      } catch (error) {
        return (error as { code?: string }).code
      }
    }
    expect(codeOf(await signedBy([], whole()))).toBe('invalid_exact_svm_payload_signature_invalid')
    expect(codeOf(await signedBy([payer], whole(), stranger.address))).toBe('invalid_exact_svm_fee_payer_mismatch')
    expect(codeOf(new Uint8Array(5))).toBe('invalid_exact_svm_payload_transaction_could_not_be_decoded')
    expect(codeOf(await signedBy([payer], whole()))).toBeUndefined()
  })
})
