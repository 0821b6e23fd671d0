import { privateKeySigner, type Hex, type SignedAuthorization } from '@ergon/protocols'
import { describe, expect, test } from 'vitest'
import { gasOfFeedback, readFeedback } from '../../src/identity/feedback-fields.ts'
import { asOnChain, isSame, isWhole, mintedBy } from '../../src/identity/minted.ts'
import { readAgentId, readFeedbackIndex, readRatingTarget, readRegistryTarget } from '../../src/identity/network.ts'
import { judgeAuthorization, readDelegation, type DelegationTerms } from '../../src/identity/relay-authorization.ts'
import type { Intent, Outcome } from '../../src/store/intents.ts'
import type { Registration } from '../../src/store/registrations.ts'
import { payer, randomHex32, stranger, worker } from '../../src/testing/payments.ts'
import { networksOf, served } from './served.ts'

const malformed = (message: string): unknown =>
  expect.objectContaining({ code: 'invalid_payload', status: 400, message })

describe('a rating that is read', () => {
  const whole = {
    agentId: '7',
    value: -5,
    valueDecimals: 2,
    tag1: 'one',
    tag2: 'two',
    endpoint: 'https://a.example',
    feedbackUri: 'https://b.example',
    feedbackHash: randomHex32(),
  }

  test('has eight fields, of which two are needed, and three that are read elsewhere', () => {
    expect(readFeedback(whole)).toEqual({ ...whole, agentId: 7n, value: -5n })
    expect(readFeedback({ agentId: 0, score: 9, rater: 1, proof: 2, payment: 3 })).toEqual({
      agentId: 0n,
      value: 9n,
      valueDecimals: 0,
      tag1: '',
      tag2: '',
      endpoint: '',
      feedbackUri: '',
      feedbackHash: `0x${'0'.repeat(64)}`,
    })
    expect(readFeedback({ ...whole, score: 9 }).value).toBe(-5n)
  })

  const most = '1' + '0'.repeat(38)
  test.each<readonly [name: string, good: readonly unknown[], bad: readonly unknown[], message: string]>([
    [
      'value',
      [most, `-${most}`, '0', '-0', Number.MAX_SAFE_INTEGER, -Number.MAX_SAFE_INTEGER],
      ['1' + '0'.repeat(37) + '1', `-1${'0'.repeat(37)}1`, 2 ** 53, 1.5, '', '-', '+1', '1.5', '0x1', true, [1]],
      'feedback.value must be an integer of at most 38 digits',
    ],
    ['valueDecimals', [0, 18], [19, -1, '2', 0.5, null], 'feedback.valueDecimals must be an integer from 0 to 18'],
    [
      'tag1',
      ['', 't'.repeat(128)],
      ['t'.repeat(129), 5, null],
      'feedback.tag1 must be a text of at most 128 characters',
    ],
    ['tag2', ['', 't'.repeat(128)], ['t'.repeat(129)], 'feedback.tag2 must be a text of at most 128 characters'],
    [
      'endpoint',
      ['e'.repeat(2_048)],
      ['e'.repeat(2_049)],
      'feedback.endpoint must be a text of at most 2048 characters',
    ],
    [
      'feedbackUri',
      ['u'.repeat(2_048)],
      ['u'.repeat(2_049)],
      'feedback.feedbackUri must be a text of at most 2048 characters',
    ],
    ['feedbackHash', [randomHex32()], ['0x', null], 'feedback.feedbackHash must be 32 bytes in hex'],
    ['agentId', [0, '0'], [undefined, '00'], 'feedback.agentId must be an agent id'],
    ['comment', [], ['x'], 'feedback.comment must be absent'],
  ])('has a %s within its bounds', (name, good, bad, message) => {
    for (const value of good) expect(() => readFeedback({ ...whole, [name]: value })).not.toThrow()
    const wrong = message.includes('characters') ? expect.objectContaining({ code: 'invalid_payload' }) : undefined
    for (const value of bad)
      expect(() => readFeedback({ ...whole, [name]: value })).toThrow(wrong ?? malformed(message))
    for (const value of bad) expect(() => readFeedback({ ...whole, [name]: value })).toThrow(message)
  })

  test('needs an agent and a value', () => {
    expect(() => readFeedback({ agentId: 1 })).toThrow(
      malformed('feedback.value must be an integer of at most 38 digits'),
    )
    expect(() => readFeedback(null)).toThrow(malformed('feedback must be an object'))
  })

  test('costs by the bytes of its texts, and its tags are stored', () => {
    const gasOf = (change: object): number => gasOfFeedback(readFeedback({ agentId: 1, value: 1, ...change }))
    expect(gasOf({})).toBe(250_000)
    expect(gasOf({ tag1: 'a', tag2: '€' }) - gasOf({})).toBe(4 * 715)
    expect(gasOf({ endpoint: 'a', feedbackUri: '€' }) - gasOf({})).toBe(4 * 24)
  })
})

describe('a number of the registry', () => {
  test('of an agent has 256 bits, as a number or a decimal text', () => {
    for (const value of [0, 5, Number.MAX_SAFE_INTEGER, '0', String(2n ** 256n - 1n)])
      expect(readAgentId(value, 'x')).toBe(BigInt(value))
    for (const value of [-1, 1.5, 2 ** 53, '', '-1', '01', '1n', '0x1', String(2n ** 256n), '9'.repeat(79), null, true])
      expect(() => readAgentId(value, 'x')).toThrow(malformed('x must be an agent id'))
  })

  test('of a rating has 64 bits', () => {
    expect(readFeedbackIndex(String(2n ** 64n - 1n), 'x')).toBe(2n ** 64n - 1n)
    expect(() => readFeedbackIndex(String(2n ** 64n), 'x')).toThrow(malformed('x must be the index of a rating'))
  })
})

describe('a network of identities', () => {
  const registries = { identity: '0x1', reputation: '0x2', ratingDelegate: undefined, takesRatings: true }
  const bare = served({ name: 'bare', caip2: 'eip155:1', registries: undefined })
  const old = served({ name: 'old', caip2: 'eip155:2', registries: { ...registries, takesRatings: false } })
  const networks = networksOf(served({ registries }), bare, old)

  test('is found by either name, and answered by the one that was used', () => {
    expect(readRegistryTarget('eip155:31337', networks)).toMatchObject({ name: 'eip155:31337', registries })
    expect(readRatingTarget('localnet', networks)).toMatchObject({ name: 'localnet', registries })
    expect(readRegistryTarget('old', networks).registries.takesRatings).toBe(false)
  })

  test.each([
    ['bare', 'Network bare has no ERC-8004 registries here'],
    ['nowhere', 'Network nowhere has no ERC-8004 registries here'],
    ['old', 'Network old keeps ratings readable but takes no new ones'],
  ])('%s takes no ratings', (name, message) => {
    expect(() => readRatingTarget(name, networks)).toThrow(
      expect.objectContaining({ code: 'UnsupportedNetwork', message }),
    )
  })

  test('has a name of 64 characters at most', () => {
    expect(() => readRegistryTarget('n'.repeat(64), networks)).toThrow(/has no ERC-8004/)
    expect(() => readRegistryTarget('n'.repeat(65), networks)).toThrow(/network must be a text of at most 64/)
    expect(() => readRegistryTarget(undefined, networks)).toThrow(/network must be/)
  })
})

describe('a delegation', () => {
  const signer = privateKeySigner(payer.privateKey)
  const delegate = worker.address
  const terms: DelegationTerms = { rater: payer.address, delegate, chainId: 31_337, accountNonce: 3 }
  const signed = (change: object = {}): Promise<SignedAuthorization> =>
    signer.signAuthorization({ chainId: 31_337, address: delegate, nonce: 3, ...change })

  test('by the rater, to the contract, on the chain, of the next nonce is good', async () => {
    expect(judgeAuthorization(await signed(), terms)).toBeUndefined()
    // A nonce of zero is an empty string in its encoding.
    expect(judgeAuthorization(await signed({ nonce: 0 }), { ...terms, accountNonce: 0 })).toBeUndefined()
  })

  test('that a node would skip is refused by its name', async () => {
    const good = await signed()
    expect(judgeAuthorization(undefined, terms)).toBe('relay_missing_authorization')
    const wrong = async (change: object): Promise<string | undefined> => judgeAuthorization(await signed(change), terms)
    expect(await wrong({ address: stranger.address })).toBe('relay_authorization_wrong_delegate')
    expect(await wrong({ chainId: 0 })).toBe('relay_authorization_wrong_chain')
    expect(await wrong({ nonce: 2 })).toBe('relay_authorization_wrong_nonce')
    expect(await wrong({ nonce: 4 })).toBe('relay_authorization_wrong_nonce')
    expect(judgeAuthorization(good, { ...terms, rater: stranger.address })).toBe('relay_authorization_not_by_rater')
    const flipped: SignedAuthorization = { ...good, yParity: good.yParity === 0 ? 1 : 0 }
    expect(judgeAuthorization(flipped, terms)).toBe('relay_authorization_not_by_rater')
  })

  test('with a high s is refused: nodes skip it (EIP-7702)', async () => {
    const good = await signed()
    const order = 0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141n
    const s: Hex = `0x${(order - BigInt(good.s)).toString(16).padStart(64, '0')}`
    const other: SignedAuthorization = { ...good, s, yParity: good.yParity === 0 ? 1 : 0 }
    expect(judgeAuthorization(other, terms)).toBe('relay_authorization_not_by_rater')
  })

  test('is read from six fields, or is none', async () => {
    const good = await signed()
    expect(readDelegation(good)).toEqual(good)
    expect(readDelegation({ ...good, yParity: 1 })?.yParity).toBe(1)
    expect(readDelegation({ ...good, yParity: 0 })?.yParity).toBe(0)
    for (const none of [undefined, null]) expect(readDelegation(none)).toBeUndefined()
    for (const [name, value] of [
      ['chainId', '31337'],
      ['address', '0x1'],
      ['nonce', -1],
      ['yParity', 2],
      ['r', '0x'],
      ['s', 5],
      ['v', 27],
    ] as const)
      expect(() => readDelegation({ ...good, [name]: value })).toThrow(new RegExp(`^authorization.${name} must be `))
    expect(() => readDelegation('0x')).toThrow('authorization must be an object')
  })
})

describe('what was minted', () => {
  const [mint, move]: readonly Hex[] = [randomHex32(), randomHex32()]
  const log = (...topics: readonly Hex[]) => ({ address: worker.address, topics, data: '0x' as const })
  const registered = log('0xaa', `0x${'0'.repeat(63)}9`)
  // What is asked for.
  const row = (change: Partial<Registration>) => ({ id: 'r', status: 'done', error: null, ...change }) as Registration
  const done = row({ agentId: '9', mintTransaction: mint ?? null, transferTransaction: mint ?? null })
  const endedAs = (outcome: Partial<Outcome> | null) => ({ outcome }) as Intent

  test('is what the registry says, and handed over where that was to be', () => {
    const transaction = mint ?? '0x'
    expect(mintedBy({ logs: [registered], transaction })).toEqual({
      agentId: '9',
      mintTransaction: mint,
      transferTransaction: null,
    })
    expect(mintedBy({ logs: [registered, log()], transaction }).transferTransaction).toBe(mint)
    expect(mintedBy({ logs: [], transaction }).agentId).toBe('0')
  })

  test('is as its chain has it now: mined again, under way again, or undone', () => {
    const again = asOnChain(done, endedAs({ logs: [log('0xaa', '0x0a'), log()], transaction: move ?? '0x' }))
    expect(again).toMatchObject({ status: 'done', agentId: '10', mintTransaction: move, transferTransaction: move })
    const nothing = { agentId: null, mintTransaction: null, transferTransaction: null }
    expect(asOnChain(done, endedAs(null))).toMatchObject({ status: 'pending', ...nothing })
    const failed = endedAs({ failure: { code: 'x', reason: 'why' }, logs: [], transaction: '0x' })
    expect(asOnChain(done, failed)).toMatchObject({ status: 'failed', error: 'why', ...nothing })
  })

  test('stays as it was told where it is not done, not known, or of the version before', () => {
    const pending = row({ status: 'pending' })
    expect(asOnChain(pending, endedAs(null))).toBe(pending)
    for (const unknown of [undefined, null]) expect(asOnChain(done, unknown)).toBe(done)
    const parted = row({ agentId: '9', mintTransaction: mint ?? null, transferTransaction: move ?? null })
    expect(isWhole(parted)).toBe(false)
    expect(asOnChain(parted, endedAs(null))).toBe(parted)
    expect([isWhole(done), isWhole(row({ transferTransaction: null, mintTransaction: mint ?? null }))]).toEqual([
      true,
      true,
    ])
  })

  test('is the same in all three', () => {
    expect(isSame(done, { ...done })).toBe(true)
    for (const name of ['agentId', 'mintTransaction', 'transferTransaction'] as const)
      expect(isSame(done, { ...done, [name]: null })).toBe(false)
  })
})
