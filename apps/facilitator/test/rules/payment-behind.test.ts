import {
  addressTopic,
  canonicalJson,
  eventTopic,
  expectTransfer,
  keccak256Hex,
  paymentInfoHash,
  paymentInfoToWire,
  privateKeySigner,
  ratedPaymentTypedData,
  type Hex,
} from '@ergon/protocols'
import { describe, expect, test } from 'vitest'
import type { RpcRequest } from '../../src/chain/rpc-client.ts'
import { Unavailable } from '../../src/errors.ts'
import { checkPaymentBehind, readPaymentBehind } from '../../src/identity/payment-behind.ts'
import { checkProof, isPayment, readProof } from '../../src/identity/payment-proof.ts'
import {
  addresses,
  aPaymentInfo,
  caip2,
  payer,
  randomHex32,
  service,
  stranger,
  worker,
} from '../../src/testing/payments.ts'
import { networksOf, served } from './served.ts'

const word = (value: bigint): Hex => `0x${value.toString(16).padStart(64, '0')}`
const transferLog = (value: bigint, token = addresses.token) => ({
  address: token,
  topics: [eventTopic('Transfer'), addressTopic(payer.address), addressTopic(worker.address)],
  data: word(value),
})
const info = aPaymentInfo()
const captureLog = (amount: bigint, of = info) => ({
  address: addresses.escrow,
  topics: [eventTopic('PaymentCaptured'), paymentInfoHash(of, 31_337, addresses.escrow)],
  data: word(amount),
})

type Receipt = { readonly succeeded: boolean; readonly blockNumber: number; readonly logs: readonly unknown[] }
const receiptOf = (...logs: readonly unknown[]): Receipt => ({ succeeded: true, blockNumber: 5, logs })

/** Where this receipt is told for every transaction, and the agent is of this wallet. */
const where = (receipt: Receipt | undefined | Error, holder = worker.address) => {
  const network = served({
    chain: {
      confirmations: 0,
      receipts: ([hash]: readonly Hex[]) => {
        if (receipt instanceof Error) return Promise.reject(receipt)
        return Promise.resolve(hash === plain.transactionHash ? [receipt] : [])
      },
    },
    rpc: {
      batch: (calls: readonly RpcRequest[]) => Promise.resolve(calls.map(() => ({ result: word(BigInt(holder)) }))),
    },
    registries: { identity: stranger.address, reputation: stranger.address },
  })
  const away = served({ name: 'away', caip2: 'eip155:99', escrow: undefined, chain: network.chain })
  const { registries } = network
  if (registries === undefined) throw new Error('it has registries')
  return { networks: networksOf(network, away), target: { network, registries, name: 'localnet' } }
}

const lifecycle = { mode: 'enforce', delegates: [service.address], onUnorderly: () => undefined } as const

const plain = {
  transactionHash: randomHex32(),
  network: 'localnet',
  payer: payer.address,
  payee: worker.address,
  token: addresses.token,
}
const ofCapture = { ...plain, paymentInfo: paymentInfoToWire(info) }

describe('the payment behind a rating', () => {
  const checked = async (change: object, receipt: Receipt | undefined | Error, holder = worker.address) => {
    const payment = readPaymentBehind({ ...plain, ...change })
    if (payment === undefined) throw new Error('a payment')
    const { target, networks } = where(receipt, holder)
    return checkPaymentBehind(payment, 1n, target, { networks, lifecycle }).then(
      () => 'good',
      (error: unknown) => (error as { readonly code: string }).code,
    )
  }

  test('is a transfer of the least that is a payment, to or from whoever holds the agent', async () => {
    expect(await checked({}, receiptOf(transferLog(1_000n)))).toBe('good')
    expect(await checked({}, receiptOf(transferLog(1_000n)), payer.address)).toBe('good')
    expect(await checked({}, receiptOf(transferLog(1_000n)), stranger.address)).toBe('proof_payee_is_not_agent')
    expect(await checked({}, receiptOf(transferLog(999n)))).toBe('amount_below_minimum')
    expect(await checked({}, receiptOf(transferLog(0n)))).toBe('amount_below_minimum')
    // The second of two is one.
    expect(await checked({}, receiptOf(transferLog(0n), transferLog(1_000n)))).toBe('good')
  })

  test('is a capture of its own terms', async () => {
    expect(await checked(ofCapture, receiptOf(captureLog(1_000n)))).toBe('good')
    expect(await checked(ofCapture, receiptOf(captureLog(999n)))).toBe('amount_below_minimum')
    expect(await checked(ofCapture, receiptOf(captureLog(1_000n, aPaymentInfo())))).toBe('proof_transfer_not_found')
    expect(await checked(ofCapture, receiptOf(transferLog(1_000n)))).toBe('proof_transfer_not_found')
    for (const change of [{ payee: stranger.address }, { payer: stranger.address }])
      expect(await checked({ ...ofCapture, ...change }, receiptOf(captureLog(1_000n)))).toBe('proof_transfer_not_found')
    const token = { paymentInfo: paymentInfoToWire({ ...info, token: stranger.address }) }
    expect(await checked({ ...ofCapture, ...token }, receiptOf(captureLog(1_000n)))).toBe('proof_transfer_not_found')
    expect(await checked({ ...ofCapture, paymentInfo: {} }, receiptOf())).toBe('PaymentInfoInvalid')
    expect(await checked({ ...ofCapture, network: 'away' }, receiptOf())).toBe('proof_network_mismatch')
  })

  test.each<readonly [code: string, change: object, receipt: Receipt | undefined | Error]>([
    ['proof_network_mismatch', { network: 'nowhere' }, receiptOf(transferLog(1_000n))],
    ['proof_transaction_not_found', {}, undefined],
    ['proof_transaction_reverted', {}, { ...receiptOf(transferLog(1_000n)), succeeded: false }],
    ['proof_transfer_not_found', {}, receiptOf()],
    ['proof_transfer_not_found', { payer: stranger.address }, receiptOf(transferLog(1_000n))],
    ['proof_transfer_not_found', { token: stranger.address }, receiptOf(transferLog(1_000n, stranger.address))],
    ['rpc_unavailable', {}, new Error('the node is away')],
  ])('is refused as %s', async (code, change, receipt) => {
    expect(await checked(change, receipt)).toBe(code)
  })

  test('is read from six fields, or is none', () => {
    for (const none of [undefined, null]) expect(readPaymentBehind(none)).toBeUndefined()
    expect(readPaymentBehind(plain)).toEqual({ ...plain, paymentInfo: null })
    expect(readPaymentBehind(ofCapture)).toEqual(ofCapture)
    for (const [name, value] of [
      ['transactionHash', '0x'],
      ['network', 'n'.repeat(65)],
      ['payer', '0x'],
      ['payee', null],
      ['token', 5],
    ] as const)
      expect(() => readPaymentBehind({ ...plain, [name]: value })).toThrow(new RegExp(`^payment.${name} must be `))
    expect(() => readPaymentBehind({ ...plain, amount: '1' })).toThrow('feedback.payment.amount must be absent')
    expect(() => readPaymentBehind([])).toThrow('feedback.payment must be an object')
  })
})

describe('a payment that is told (decision 0344)', () => {
  const told = { network: 'solana', transactionHash: '5'.repeat(88), payer: payer.address, payee: worker.address }
  const signedBy = async (key: Hex, payment: typeof told, chainId = 31_337) => {
    const { transactionHash: transaction, ...sides } = payment
    return privateKeySigner(key).signTypedData(ratedPaymentTypedData({ ...sides, transaction }, chainId))
  }
  const spoken = async (change: Partial<typeof told> = {}, word: object = {}) => ({
    ...{ ...told, ...change },
    word: { signer: service.address, signature: await signedBy(service.privateKey, { ...told, ...change }), ...word },
  })
  const checked = (payment: unknown, holder = worker.address) => {
    const read = readPaymentBehind(payment)
    if (read === undefined) throw new Error('a payment')
    const { target, networks } = where(new Error('no chain is asked'), holder)
    return checkPaymentBehind(read, 1n, target, { networks, lifecycle }).then(
      () => 'good',
      (error: unknown) => (error as { readonly code: string }).code,
    )
  }

  test('is believed of whoever orders here, for either side of it', async () => {
    expect(await checked(await spoken())).toBe('good')
    expect(await checked(await spoken(), payer.address)).toBe('good')
    expect(await checked(await spoken(), stranger.address)).toBe('proof_payee_is_not_agent')
    const own = { signer: stranger.address, signature: await signedBy(stranger.privateKey, told) }
    expect(await checked(await spoken({}, own))).toBe('proof_word_of_a_stranger')
    expect(await checked(await spoken({}, { signature: own.signature }))).toBe('proof_word_not_signed')
    const elsewhere = await signedBy(service.privateKey, told, 1)
    expect(await checked(await spoken({}, { signature: elsewhere }))).toBe('proof_word_not_signed')
  })
  test('is signed letter for letter', async () => {
    const { word: signed } = await spoken()
    for (const change of [
      { network: 'solana-devnet' },
      { transactionHash: `6${'5'.repeat(87)}` },
      { payer: stranger.address },
      { payee: stranger.address },
    ])
      expect(await checked({ ...told, ...change, word: signed })).toBe('proof_word_not_signed')
  })
  test.each(['localnet', caip2, 'away'])('is told of no chain that is read here, as %s is', async (network) => {
    expect(await checked(await spoken({ network }))).toBe('proof_network_mismatch')
  })
  test('names its transaction in base58, in 64 to 88 letters', async () => {
    for (const length of [64, 88])
      expect(await checked(await spoken({ transactionHash: '5'.repeat(length) })), String(length)).toBe('good')
    for (const odd of ['5'.repeat(63), '5'.repeat(89), '0'.repeat(88), `0x${'5'.repeat(64)}`, 5, undefined])
      expect(() => readPaymentBehind({ ...told, transactionHash: odd, word: {} }), String(odd)).toThrow(
        /^payment.transactionHash must be /,
      )
  })
  test('is read from five fields, and its word from two', async () => {
    const whole = await spoken()
    expect(readPaymentBehind(whole)).toEqual(whole)
    for (const word of [null, 'yes', {}, { signer: '0x' }, { ...whole.word, at: 1 }])
      expect(() => readPaymentBehind({ ...told, word }), JSON.stringify(word)).toThrow(/^payment.word/)
    const long: Hex = `0x${'11'.repeat(66)}`
    expect(() => readPaymentBehind({ ...told, word: { ...whole.word, signature: long } })).toThrow(/signature/)
    expect(() => readPaymentBehind({ ...whole, token: addresses.token })).toThrow(
      'feedback.payment.token must be absent',
    )
  })
})

test('a payment is more than nothing of a token that is served', () => {
  const network = served()
  expect([999n, 1_000n].map((amount) => isPayment(network, addresses.token, amount))).toEqual([false, true])
  expect(isPayment(network, stranger.address, 1_000n)).toBe(false)
  const free = { tokens: new Map([[addresses.token, { symbol: '', decimals: 6, smallest: 0n, domain: expect }]]) }
  // Its domain is not asked for.
  const ofFree = (amount: bigint): boolean => isPayment(free as never, addresses.token, amount)
  expect([ofFree(0n), ofFree(1n)]).toEqual([false, true])
})

describe('a proof of a payment', () => {
  const fields = { ...plain, blockNumber: 5, amount: '1000', timestamp: 7, network: caip2 }
  const hashed = (change: object = {}) => {
    const all = { ...fields, ...change }
    return { ...all, paymentHash: keccak256Hex(new TextEncoder().encode(canonicalJson(all))) }
  }
  type Asked = { readonly receipt?: Receipt | null | Error; readonly rater?: Hex | null }
  const checked = async (
    proof: unknown,
    { receipt = receiptOf(transferLog(1_000n)), rater = payer.address }: Asked = {},
    holder = worker.address,
  ) => {
    const read = readProof(proof)
    if (read === undefined) throw new Error('a proof')
    const { target, networks } = where(receipt ?? undefined, holder)
    return checkProof(read, rater ?? undefined, 1n, target, networks).then(
      () => 'good',
      (error: unknown) => (error as { readonly code: string }).code,
    )
  }

  test('is good as it was handed out, on the network by either of its names', async () => {
    expect(await checked(hashed())).toBe('good')
    expect(await checked(hashed({ network: 'localnet' }))).toBe('good')
  })

  test.each<readonly [code: string, ask: () => Promise<string>]>([
    ['rater_missing', () => checked(hashed(), { rater: null })],
    ['proof_payer_is_not_rater', () => checked(hashed(), { rater: stranger.address })],
    ['proof_network_mismatch', () => checked(hashed({ network: 'away' }))],
    ['proof_payment_hash_mismatch', () => checked({ ...hashed(), amount: '1001' })],
    ['proof_transfer_not_found', () => checked(hashed({ token: stranger.address }))],
    ['amount_below_minimum', () => checked(hashed({ amount: '999' }))],
    ['proof_transaction_not_found', () => checked(hashed(), { receipt: null })],
    ['proof_transaction_reverted', () => checked(hashed(), { receipt: { ...receiptOf(), succeeded: false } })],
    ['proof_block_number_mismatch', () => checked(hashed({ blockNumber: 4 }))],
    ['proof_transfer_not_found', () => checked(hashed({ amount: '1001' }))],
    ['proof_payee_is_not_agent', () => checked(hashed(), {}, payer.address)],
    ['rpc_unavailable', () => checked(hashed(), { receipt: new Error('away') })],
  ])('is refused as %s', async (code, ask) => {
    expect(await ask()).toBe(code)
  })

  test('names its reason in its sentence, and a node that is silent is no verdict', async () => {
    const { target, networks } = where(new Error('away'))
    const read = readProof(hashed())
    if (read === undefined) throw new Error('a proof')
    await expect(checkProof(read, payer.address, 1n, target, networks)).rejects.toThrow(Unavailable)
    await expect(checkProof(read, payer.address, 1n, target, networks)).rejects.toThrow('proof_rpc_unavailable')
    await expect(checkProof(read, undefined, 1n, target, networks)).rejects.toThrow('rater_missing')
    expect(expectTransfer(read.token, read.payer, read.payee, read.amount).word?.value).toBe('1000')
  })

  test('is read from nine fields, or is none', () => {
    for (const none of [undefined, null]) expect(readProof(none)).toBeUndefined()
    expect(readProof(hashed())).toEqual({ ...hashed(), amount: 1_000n })
    for (const [name, value] of [
      ['transactionHash', '0x'],
      ['blockNumber', '5'],
      ['network', 'n'.repeat(65)],
      ['payer', '0x'],
      ['payee', '0x'],
      ['amount', 5],
      ['token', '0x'],
      ['timestamp', -1],
      ['paymentHash', '0x'],
    ] as const)
      expect(() => readProof({ ...hashed(), [name]: value })).toThrow(new RegExp(`^proof.${name} must be `))
    expect(() => readProof({ ...hashed(), tip: 1 })).toThrow('feedback.proof.tip must be absent')
  })
})
