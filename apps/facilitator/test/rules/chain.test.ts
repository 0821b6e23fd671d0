import { bytesToHex, hexToBytes, keccak256, keccak256Hex, type Hex } from '@ergon/protocols'
import { parseTransaction } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { describe, expect, test } from 'vitest'
import type { Chain, Fees } from '../../src/chain/chain.ts'
import { queue, type Draft, type Queued } from '../../src/chain/draft.ts'
import { finalRefusal, keyConflict, recognise } from '../../src/chain/recognise.ts'
import { createSigning } from '../../src/chain/replacements.ts'
import { decodeRevert } from '../../src/chain/reverts.ts'
import { rlpEncode } from '../../src/chain/rlp.ts'
import { feesOf, signTransaction } from '../../src/chain/transaction.ts'
import { Refusal } from '../../src/errors.ts'
import { platform } from '../../src/surroundings/platform.ts'
import type { Bound, Intent } from '../../src/store/intents.ts'
import { account, facilitator, stranger } from '../../src/testing/payments.ts'

const text = (hex: string): string => `0x08c379a0${(32).toString(16).padStart(64, '0')}${hex}`
const said = (words: string): string => {
  const bytes = Buffer.from(words)
  const length = bytes.length.toString(16).padStart(64, '0')
  return text(length + bytes.toString('hex').padEnd(Math.ceil(bytes.length / 32) * 64, '0'))
}

describe('a revert', () => {
  /** As the contracts declare them (facts §1.2, §1.5), and what each means here. */
  test.each([
    ['AfterPreApprovalExpiry(uint48,uint48)', 'expired_authorization'],
    ['AfterAuthorizationExpiry(uint48,uint48)', 'expired_authorization'],
    ['PaymentAlreadyCollected(bytes32)', 'nonce_already_used'],
    ['InvalidSender(address,address)', 'operator_not_registered'],
    ['ConditionNotMet()', 'operator_not_registered'],
    ['ZeroAmount()', 'PaymentInfoInvalid'],
    ['AmountOverflow(uint256,uint256)', 'PaymentInfoInvalid'],
    ['ExceedsMaxAmount(uint256,uint256)', 'PaymentInfoInvalid'],
    ['InvalidExpiries(uint48,uint48,uint48)', 'PaymentInfoInvalid'],
    ['FeeBpsOverflow(uint16)', 'PaymentInfoInvalid'],
    ['InvalidFeeBpsRange(uint16,uint16)', 'PaymentInfoInvalid'],
    ['FeeBpsOutOfRange(uint16,uint16,uint16)', 'PaymentInfoInvalid'],
    ['ZeroFeeReceiver()', 'PaymentInfoInvalid'],
    ['InvalidFeeReceiver(address,address)', 'PaymentInfoInvalid'],
    ['InvalidFeeReceiver()', 'PaymentInfoInvalid'],
    ['FeeBoundsIncompatible(uint16,uint16,uint16)', 'PaymentInfoInvalid'],
    ['InvalidCollectorForOperation()', 'PaymentInfoInvalid'],
    ['ERC20InsufficientBalance(address,uint256,uint256)', 'insufficient_balance'],
    ['TokenCollectionFailed()', 'ContractCall'],
    ['InsufficientAuthorization(bytes32,uint256,uint256)', 'ContractCall'],
    ['ZeroAuthorization(bytes32)', 'ContractCall'],
    ['BeforeAuthorizationExpiry(uint48,uint48)', 'ContractCall'],
    ['AfterRefundExpiry(uint48,uint48)', 'ContractCall'],
    ['RefundExceedsCapture(uint256,uint256)', 'ContractCall'],
    ['Reentrancy()', 'ContractCall'],
    ['PartialVoidExceedsCapturable(uint256,uint256)', 'ContractCall'],
    ['ERC721NonexistentToken(uint256)', 'ContractCall'],
    ['InvalidSignature()', 'invalid_signature'],
    ['SignatureExpired(uint256)', 'expired_authorization'],
  ])('by %s means %s', (signature, code) => {
    const data = keccak256Hex(new TextEncoder().encode(signature)).slice(0, 10)
    const reason = signature.slice(0, signature.indexOf('('))
    expect(decodeRevert({ code: 3, message: '', data: `${data}${'0'.repeat(64)}` })).toEqual({ code, reason })
  })

  test.each([
    ['0x05b4a600', 'PaymentInfoInvalid', 'ForbiddenReceiver'],
    ['0xf4613197', 'PaymentInfoInvalid', 'DepositLimitExceeded'],
    ['0x8c242285', 'nonce_already_used', 'NonceAlreadyUsed'],
    ['0xf167fad1', 'ContractCall', 'WrongRegistry'],
    ['0xdeadbeef', 'ContractCall', 'selector=0xdeadbeef'],
    [`0x4e487b71${'11'.padStart(64, '0')}`, 'ContractCall', 'panic 0x11'],
    ['0x1f2a200', 'ContractCall', 'reverted without a reason'],
    ['0x', 'ContractCall', 'reverted without a reason'],
    [said('ERC20: transfer amount exceeds balance'), 'insufficient_balance', 'ERC20: transfer amount exceeds balance'],
    [said('Already used\u0007'), 'nonce_already_used', 'Already used'],
    [said('a'.repeat(200)), 'ContractCall', 'a'.repeat(200)],
    [said('a'.repeat(201)), 'ContractCall', 'a'.repeat(200)],
    [said(''), 'ContractCall', ''],
    ['0x08c379a0', 'ContractCall', ''],
  ])('that says %s means %s (%s)', (data, code, reason) => {
    expect(decodeRevert({ code: 3, message: '', data })).toEqual({ code, reason })
  })

  test('is told apart from a node that failed', () => {
    const without = { code: 'ContractCall', reason: 'reverted without a reason' }
    expect(decodeRevert({ code: 3, message: 'x' })).toEqual(without)
    expect(decodeRevert({ code: -32000, message: 'execution reverted' })).toEqual(without)
    expect(decodeRevert({ code: -32000, message: 'x', data: '0x' })).toEqual(without)
    expect(decodeRevert({ code: -32000, message: 'busy' })).toBeUndefined()
    for (const message of ['out of gas', 'OutOfGas', 'gas required exceeds allowance (5)'])
      expect(decodeRevert({ code: -32000, message })).toEqual({ code: 'ContractCall', reason: 'it runs out of gas' })
    const data = '0x1F2A2005'
    expect(decodeRevert({ code: -32000, message: 'out of gas', data })?.reason).toBe('ZeroAmount')
  })
})

test('lengths at the edges of RLP have the prefixes of the yellow paper', () => {
  const prefixOf = (length: number, first = 1) => {
    const bytes = new Uint8Array(length).fill(first)
    return bytesToHex(rlpEncode(bytes)).slice(2, -2 * length || undefined)
  }
  expect([prefixOf(0), prefixOf(1, 0x7f), prefixOf(1, 0x80)]).toEqual(['80', '', '81'])
  expect([prefixOf(55), prefixOf(56), prefixOf(255), prefixOf(256)]).toEqual(['b7', 'b838', 'b8ff', 'b90100'])
  const listOf = (length: number) => bytesToHex(rlpEncode([new Uint8Array(length).fill(1)])).slice(2, 6)
  expect([listOf(54), listOf(55)]).toEqual(['f7b6', 'f838'])
})

const key = hexToBytes(facilitator.privateKey)
const unsigned = { chainId: 31_337, nonce: 0, gas: 21_000n, to: stranger.address, data: '0x' as const }
const anIntent = (
  change: Partial<Intent> = {},
  fees: Fees = { maxFeePerGas: 100n, maxPriorityFeePerGas: 8n },
): Intent => ({
  id: 'i',
  network: 'localnet',
  kind: 'exact',
  onceKey: 'once',
  sameness: 'same',
  idempotencyKey: null,
  requestHash: 'hash',
  account: facilitator.address,
  accountNonce: 7,
  transactions: [signTransaction({ ...unsigned, nonce: 7, ...fees }, key)],
  call: { to: stranger.address, data: '0x1234', gas: '90000' },
  expectations: [],
  status: 'sent',
  outcome: null,
  ...change,
})

describe('a transaction', () => {
  test.each([0n, 1n, 127n, 128n, 255n, 256n, 2n ** 64n])('tells the fees that it pays: %i', (fee) => {
    for (const nonce of [0, 127, 128, 70_000]) {
      const fees = { maxPriorityFeePerGas: fee, maxFeePerGas: fee + 1n }
      expect(feesOf(signTransaction({ ...unsigned, nonce, ...fees }, key))).toEqual(fees)
      const long: Hex = `0x${'ab'.repeat(300)}`
      expect(feesOf(signTransaction({ ...unsigned, nonce, data: long, ...fees }, key))).toEqual(fees)
    }
  })

  test('is what another signer writes, also where a part of its signature begins with zeros', async () => {
    const other = privateKeyToAccount(facilitator.privateKey)
    const all = Array.from({ length: 600 }, (_, nonce) => {
      const fields = { ...unsigned, nonce: nonce + 1_000, maxFeePerGas: 9n, maxPriorityFeePerGas: 1n }
      return { fields, signed: signTransaction(fields, key) }
    })
    const usual = Math.max(...all.map(({ signed }) => signed.raw.length))
    const short = all.filter(({ signed }) => signed.raw.length < usual)
    expect(short.length).toBeGreaterThan(0)
    for (const { fields, signed } of short) {
      expect(signed.raw).toBe(await other.signTransaction({ type: 'eip1559', ...fields }))
      expect(signed.hash).toBe(bytesToHex(keccak256(hexToBytes(signed.raw))))
    }
  })
})

describe('a stuck transaction', () => {
  const signing = (asked: Fees, highestFee?: bigint) => {
    // What it is asked for.
    const chain = { chainId: 31_337, fees: () => Promise.resolve(asked) } as unknown as Chain
    const { address } = facilitator
    return createSigning({
      network: 'localnet',
      chain,
      account: address,
      privateKey: key,
      highestFee,
      surroundings: platform,
    })
  }
  const quiet: Fees = { maxFeePerGas: 10n, maxPriorityFeePerGas: 1n }

  test('is sent again as it is, for a quarter more and no less than is asked now', async () => {
    const replaced = await signing(quiet).replace(anIntent())
    expect(replaced && parseTransaction(replaced.raw)).toMatchObject({
      nonce: 7,
      to: stranger.address,
      data: '0x1234',
      gas: 90_000n,
      maxFeePerGas: 126n,
      maxPriorityFeePerGas: 11n,
    })
    const dear = await signing({ maxFeePerGas: 500n, maxPriorityFeePerGas: 12n }).replace(anIntent())
    expect(dear && feesOf(dear)).toEqual({ maxFeePerGas: 500n, maxPriorityFeePerGas: 12n })
  })

  test('is taken back by nothing under its nonce', async () => {
    const cancelled = await signing(quiet).cancel(anIntent())
    expect(cancelled && parseTransaction(cancelled.raw)).toMatchObject({
      nonce: 7,
      to: facilitator.address,
      gas: 21_000n,
    })
    expect(cancelled && parseTransaction(cancelled.raw).data).toBeUndefined()
  })

  test.each<readonly [highest: bigint, most: bigint | undefined]>([
    [126n, 126n],
    [125n, 125n],
    [110n, 110n],
    // Less than a tenth more is taken by no pool.
    [109n, undefined],
    [100n, undefined],
  ])('is paid %i at most', async (highest, most) => {
    const replaced = await signing(quiet, highest).replace(anIntent())
    expect(replaced && feesOf(replaced).maxFeePerGas).toBe(most)
  })

  test('is left where its tip cannot rise by a tenth', async () => {
    const tips = { maxFeePerGas: 100n, maxPriorityFeePerGas: 100n }
    expect(await signing(quiet, 109n).replace(anIntent({}, tips))).toBeUndefined()
    expect(await signing(quiet, 110n).replace(anIntent({}, tips))).toBeDefined()
    // Nothing more than nothing is still a raise.
    const free = { maxFeePerGas: 0n, maxPriorityFeePerGas: 0n }
    const raised = await signing({ maxFeePerGas: 0n, maxPriorityFeePerGas: 0n }).replace(anIntent({}, free))
    expect(raised && feesOf(raised)).toEqual({ maxFeePerGas: 1n, maxPriorityFeePerGas: 1n })
    expect(await signing(quiet, 0n).replace(anIntent({}, free))).toBeUndefined()
  })

  test('is replaced ten times at most, and never another account’s', async () => {
    const [one] = anIntent().transactions
    const forms = (count: number) => ({ transactions: one === undefined ? [] : new Array<typeof one>(count).fill(one) })
    expect(await signing(quiet).replace(anIntent(forms(10)))).toBeDefined()
    expect(await signing(quiet).replace(anIntent(forms(11)))).toBeUndefined()
    expect(await signing(quiet).replace(anIntent(forms(0)))).toBeUndefined()
    expect(await signing(quiet).replace(anIntent({ account: account(9).address }))).toBeUndefined()
    const { address } = facilitator
    const loud = `0x${address.slice(2).toUpperCase()}` as const
    expect(await signing(quiet).replace(anIntent({ account: loud }))).toBeDefined()
  })

  test('keeps the delegation that it carries', async () => {
    const authorization = {
      chainId: 31_337,
      address: stranger.address,
      nonce: 1,
      yParity: 0 as const,
      r: `0x${'11'.repeat(32)}` as const,
      s: `0x${'22'.repeat(32)}` as const,
    }
    const call = { ...anIntent().call, authorizationList: [authorization] }
    const replaced = await signing(quiet).replace(anIntent({ call }))
    expect(replaced?.raw.slice(0, 4)).toBe('0x04')
  })

  test('pays what the next block takes: base fee and tip', async () => {
    // A base fee of 45 and a tip of 8: the most that is asked for is 98, and 53 is needed.
    const paying = (asked: Fees, of = anIntent()) => signing(asked).pays(of)
    expect(await paying({ maxFeePerGas: 192n, maxPriorityFeePerGas: 8n })).toBe(true)
    expect(await paying({ maxFeePerGas: 194n, maxPriorityFeePerGas: 8n })).toBe(false)
    expect(await paying({ maxFeePerGas: 98n, maxPriorityFeePerGas: 9n })).toBe(false)
    expect(await paying(quiet, anIntent({ transactions: [] }))).toBe(false)
  })

  test('leaves a gap that is filled with nothing, for no more than is paid', async () => {
    const filler = await signing({ maxFeePerGas: 50n, maxPriorityFeePerGas: 40n }, 30n).filler(12)
    expect(filler).toMatchObject({
      network: 'localnet',
      kind: 'filler',
      onceKey: null,
      idempotencyKey: null,
      account: facilitator.address,
      accountNonce: 12,
      call: { to: facilitator.address, data: '0x', gas: '21000' },
      status: 'sent',
      outcome: null,
    })
    const [transaction] = filler.transactions
    expect(transaction && feesOf(transaction)).toEqual({ maxFeePerGas: 30n, maxPriorityFeePerGas: 30n })
    expect(transaction && parseTransaction(transaction.raw)).toMatchObject({ nonce: 12, gas: 21_000n })
  })
})

describe('an order that was seen before', () => {
  type Told = { readonly live?: readonly Intent[]; readonly bound?: readonly Bound[]; readonly done?: boolean }
  const outcome = { transaction: '0xaa' as const, blockNumber: 1, logs: [] }
  const draftOf = (change: Partial<Draft> = {}): Draft => ({
    kind: 'exact',
    requestHash: 'hash',
    sameness: 'same',
    conflictKeys: ['c'],
    call: { to: stranger.address, data: '0x' },
    expectations: [],
    spent: (transaction) => new Refusal('spent', transaction),
    refuse: () => new Refusal('no', 'no'),
    ...change,
  })
  const boundTo = (change: Partial<Bound>): Bound => ({
    key: 'key',
    requestHash: 'hash',
    intent: null,
    registrationId: null,
    refusal: null,
    ...change,
  })
  const ask = async (change: Partial<Draft>, told: Told) => {
    const { item, outcome: end } = queue(draftOf(change))
    const asked: unknown[] = []
    const store = {
      find: (...of: readonly unknown[]) => {
        asked.push(of)
        return Promise.resolve({ live: told.live ?? [], bound: told.bound ?? [] })
      },
    }
    const tracker = {
      find: () => (told.done === undefined ? undefined : { done: told.done }),
      follow: () => Promise.resolve(outcome),
    }
    const done = await recognise({ network: 'localnet', store: store as never, tracker: tracker as never }, [item], 5)
    const ended = done.has(item) ? await end.catch((error: unknown) => error) : 'new'
    return { ended, asked, item }
  }
  const keyed = { idempotencyKey: 'key' }
  const once = { onceKey: 'once' }

  test('without a key is new, and no store is asked', async () => {
    expect(await ask({}, {})).toMatchObject({ ended: 'new', asked: [], item: { seenAt: 5 } })
  })

  test('under keys that nothing is bound to is new', async () => {
    const { ended, asked } = await ask({ ...keyed, ...once }, { bound: [boundTo({ key: 'other' })] })
    expect([ended, asked]).toEqual(['new', [['localnet', ['once'], ['key']]]])
  })

  test('joins the transaction that its key is bound to, and is not taken back any more', async () => {
    const { ended, item } = await ask(keyed, { bound: [boundTo({ intent: anIntent() })] })
    expect(ended).toBe(outcome)
    expect(item).toMatchObject({ intentId: 'i', started: true } satisfies Partial<Queued>)
  })

  test('under a key of another body is a conflict, with the transaction of that', async () => {
    const bound = (intent: Intent | null) => ({ bound: [boundTo({ requestHash: 'other', intent })] })
    const conflict = { code: 'idempotency_key_conflict', status: 409 }
    expect((await ask(keyed, bound(null))).ended).toMatchObject(conflict)
    expect((await ask(keyed, bound(anIntent({ outcome })))).ended).toMatchObject({
      ...conflict,
      message: 'this Idempotency-Key was used with another body',
      details: { transaction: '0xaa' },
    })
    const sent = anIntent()
    expect(keyConflict({ intent: sent }).details).toEqual({ transaction: sent.transactions[0]?.hash })
  })

  test('that was refused is refused for good, as it was', async () => {
    const refusal = { status: 403, code: 'why', message: 'because', details: { a: 1 } }
    const { ended } = await ask(keyed, { bound: [boundTo({ refusal })] })
    expect(ended).toMatchObject({ ...refusal, details: { a: 1, final: true } })
    expect(finalRefusal(null)).toMatchObject({
      status: 400,
      code: 'refused',
      message: 'refused',
      details: { final: true },
    })
  })

  test('joins the same payment under way, and of another is told which one was first', async () => {
    expect((await ask(once, { live: [anIntent()] })).ended).toBe(outcome)
    const other = await ask({ ...once, sameness: 'other' }, { live: [anIntent()] })
    expect(other.ended).toMatchObject({ code: 'spent', message: anIntent().transactions[0]?.hash })
    const landed = await ask(once, { live: [anIntent({ status: 'succeeded', outcome })] })
    expect(landed.ended).toMatchObject({ code: 'spent', message: '0xaa' })
    const bare = await ask(once, { live: [anIntent({ status: 'succeeded', transactions: [] })] })
    expect(bare.ended).toMatchObject({ code: 'spent', message: '0x' })
    expect((await ask(once, { live: [anIntent({ onceKey: 'another' })] })).ended).toBe('new')
  })

  test('of a payment that has just landed is looked for once more', async () => {
    expect(await ask(once, { live: [anIntent()], done: true })).toMatchObject({ ended: 'new', item: { seenAt: -1 } })
    expect((await ask(once, { live: [anIntent()], done: false })).ended).toBe(outcome)
  })

  test('is judged for its role last of all', async () => {
    const guard = () => new Refusal('role', 'not you')
    expect((await ask({ ...once, guard }, { live: [anIntent()] })).ended).toBe(outcome)
    expect((await ask({ ...once, guard }, {})).ended).toMatchObject({ code: 'role' })
    expect((await ask({ guard: () => undefined }, {})).ended).toBe('new')
  })
})
