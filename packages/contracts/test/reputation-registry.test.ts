import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { localAddresses } from '../src/index.ts'
import { type Call, type TestChain, accountAt } from './chain.ts'
import { useLocalChain } from './local-chain.ts'
import { asPayer, asStranger, payee, payer, stranger, zeroAddress } from './payment.ts'

const chainOf = useLocalChain()
const noHash = `0x${'00'.repeat(32)}`
const limit = 10n ** 38n
const asRater: Call = { from: accountAt(8) }
const rater = accountAt(8).address

/** An agent of the payee that nobody has rated. */
async function anAgent(chain: TestChain): Promise<bigint> {
  // register answers the id that it is about to give.
  const id = (await chain.read('IdentityRegistry', 'register', [], { from: payee })) as bigint
  await chain.write('IdentityRegistry', 'register', [], { from: payee })
  return id
}

type Rating = { readonly value?: bigint; readonly decimals?: number; readonly tag1?: string; readonly tag2?: string }

function feedback(agentId: bigint, { value = 80n, decimals = 0, tag1 = 'quality', tag2 = '' }: Rating = {}) {
  return [agentId, value, decimals, tag1, tag2, 'https://agent.example', 'ipfs://feedback', noHash]
}

const rate = (chain: TestChain, agentId: bigint, rating?: Rating, call = asRater) =>
  chain.write('ReputationRegistry', 'giveFeedback', feedback(agentId, rating), call)

const summary = (chain: TestChain, agentId: bigint, clients: readonly string[], tag1 = '', tag2 = '') =>
  chain.read('ReputationRegistry', 'getSummary', [agentId, clients, tag1, tag2])

describe('giving feedback', () => {
  test('records the caller as author, counting from one', async () => {
    const chain = chainOf()
    const id = await anAgent(chain)
    await rate(chain, id, { value: -5n, decimals: 1, tag2: 'api' })
    await rate(chain, id)
    expect(await chain.read('ReputationRegistry', 'getClients', [id])).toEqual([rater])
    expect(await chain.read('ReputationRegistry', 'getLastIndex', [id, rater])).toBe(2n)
    expect(await chain.read('ReputationRegistry', 'readFeedback', [id, rater, 1n])).toEqual([
      -5n,
      1,
      'quality',
      'api',
      false,
    ])
    expect(await chain.read('ReputationRegistry', 'getVersion')).toBe('2.0.0')
  })

  test('refuses what has no meaning', async () => {
    const chain = chainOf()
    const id = await anAgent(chain)
    const cases: readonly (readonly [string, readonly unknown[], Call])[] = [
      ['too many decimals', feedback(id, { decimals: 19 }), asRater],
      ['value too large', feedback(id, { value: limit + 1n }), asRater],
      ['value too large', feedback(id, { value: -limit - 1n }), asRater],
      ['ERC721NonexistentToken', feedback(999n), asRater],
      ['Self-feedback not allowed', feedback(id), { from: payee }],
    ]
    for (const [error, args, call] of cases) {
      expect(await chain.revertOf('ReputationRegistry', 'giveFeedback', args, call)).toBe(error)
    }
    await chain.write('IdentityRegistry', 'setApprovalForAll', [stranger.address, true], { from: payee })
    expect(await chain.revertOf('ReputationRegistry', 'giveFeedback', feedback(id), asStranger)).toBe(
      'Self-feedback not allowed',
    )
    await chain.write('IdentityRegistry', 'setApprovalForAll', [stranger.address, false], { from: payee })
  })
})

describe('revoking and answering', () => {
  test('feedback is revoked by its author, once', async () => {
    const chain = chainOf()
    const id = await anAgent(chain)
    await rate(chain, id)
    const revoke = (index: bigint, call = asRater) =>
      chain.revertOf('ReputationRegistry', 'revokeFeedback', [id, index], call)
    expect(await revoke(0n)).toBe('index must be > 0')
    expect(await revoke(2n)).toBe('index out of bounds')
    expect(await revoke(1n, asStranger)).toBe('index out of bounds')
    await chain.write('ReputationRegistry', 'revokeFeedback', [id, 1n], asRater)
    expect(await revoke(1n)).toBe('Already revoked')
    expect(await chain.read('ReputationRegistry', 'readFeedback', [id, rater, 1n])).toEqual([
      80n,
      0,
      'quality',
      '',
      true,
    ])
    expect(await summary(chain, id, [rater])).toEqual([0n, 0n, 0])
  })

  test('anybody answers existing feedback, and the answers are counted', async () => {
    const chain = chainOf()
    const id = await anAgent(chain)
    await rate(chain, id)
    await rate(chain, id, {}, asPayer)
    const answer = (client: string, index: bigint, uri: string) => [id, client, index, uri, noHash]
    const refused = (args: readonly unknown[]) =>
      chain.revertOf('ReputationRegistry', 'appendResponse', args, asStranger)
    expect(await refused(answer(rater, 1n, ''))).toBe('Empty URI')
    expect(await refused(answer(rater, 0n, 'u'))).toBe('index must be > 0')
    expect(await refused(answer(rater, 2n, 'u'))).toBe('index out of bounds')
    await chain.write('ReputationRegistry', 'appendResponse', answer(rater, 1n, 'u'), asStranger)
    await chain.write('ReputationRegistry', 'appendResponse', answer(rater, 1n, 'u'), { from: payee })
    await chain.write('ReputationRegistry', 'appendResponse', answer(payer.address, 1n, 'u'), asStranger)
    const count = (client: string, index: bigint, responders: readonly string[]) =>
      chain.read('ReputationRegistry', 'getResponseCount', [id, client, index, responders])
    expect(await count(zeroAddress, 0n, [])).toBe(3n)
    expect(await count(rater, 0n, [])).toBe(2n)
    expect(await count(rater, 1n, [payee.address])).toBe(1n)
    expect(await count(zeroAddress, 1n, [stranger.address])).toBe(2n)
    expect(await count(rater, 7n, [])).toBe(0n)
  })
})

type Given = { readonly value: bigint; readonly decimals: number }
const halves: Given[] = [
  { value: 999n, decimals: 2 },
  { value: -998n, decimals: 2 },
]
const mixed: Given[] = [
  { value: limit, decimals: 0 },
  { value: 1n, decimals: 18 },
  { value: 2n, decimals: 18 },
]
const negated = ({ value, decimals }: Given): Given => ({ value: -value, decimals })

describe('reading', () => {
  test('a summary needs named clients and counts theirs alone', async () => {
    const chain = chainOf()
    const id = await anAgent(chain)
    await rate(chain, id, { value: 100n })
    await rate(chain, id, { value: 50n, tag1: 'speed' })
    await rate(chain, id, { value: 1n }, asStranger)
    expect(await chain.revertOf('ReputationRegistry', 'getSummary', [id, [], '', ''])).toBe('clientAddresses required')
    expect(await summary(chain, id, [rater])).toEqual([2n, 75n, 0])
    expect(await summary(chain, id, [rater], 'speed')).toEqual([1n, 50n, 0])
    expect(await summary(chain, id, [rater], '', 'none')).toEqual([0n, 0n, 0])
    expect(await summary(chain, id, [rater, stranger.address])).toEqual([3n, 50n, 0])
  })

  test('readAllFeedback names every match, of all clients when none is named', async () => {
    const chain = chainOf()
    const id = await anAgent(chain)
    await rate(chain, id, { value: 1n })
    await rate(chain, id, { value: 2n, tag1: 'speed', decimals: 2 })
    await rate(chain, id, { value: 3n }, asStranger)
    await chain.write('ReputationRegistry', 'revokeFeedback', [id, 1n], asRater)
    const all = (clients: readonly string[], tag1: string, withRevoked: boolean) =>
      chain.read('ReputationRegistry', 'readAllFeedback', [id, clients, tag1, '', withRevoked])
    expect(await all([], '', true)).toEqual([
      [rater, rater, stranger.address],
      [1n, 2n, 1n],
      [1n, 2n, 3n],
      [0, 2, 0],
      ['quality', 'speed', 'quality'],
      ['', '', ''],
      [true, false, false],
    ])
    expect(await all([rater], '', false)).toEqual([[rater], [2n], [2n], [2], ['speed'], [''], [false]])
    expect(await all([], 'quality', false)).toEqual([[stranger.address], [1n], [3n], [0], ['quality'], [''], [false]])
  })

  test('the mean is cut to the number of decimals that most feedback has, or to fewer where it would not fit', async () => {
    const chain = chainOf()
    const ratings = fc.array(
      fc.record({ value: fc.bigInt({ min: -limit, max: limit }), decimals: fc.constantFrom(0, 0, 2, 18) }),
      { minLength: 1, maxLength: 5 },
    )
    await fc.assert(
      fc.asyncProperty(ratings, async (given) => {
        const id = await anAgent(chain)
        for (const rating of given) await rate(chain, id, rating)
        const uses = (decimals: number) => given.filter((rating) => rating.decimals === decimals).length
        const mode = [0, 2, 18].reduce((best, d) => (uses(d) > uses(best) ? d : best))
        const sum = given.reduce((total, { value, decimals }) => total + value * 10n ** BigInt(18 - decimals), 0n)
        const mean = (decimals: number) => sum / BigInt(given.length) / 10n ** BigInt(18 - decimals)
        let decimals = mode
        while (BigInt.asIntN(128, mean(decimals)) !== mean(decimals)) decimals -= 1
        expect(await summary(chain, id, [rater])).toEqual([BigInt(given.length), mean(decimals), decimals])
      }),
      { numRuns: 10, endOnFailure: true, examples: [[halves], [mixed], [mixed.map(negated)]] },
    )
  })
})

test('a reputation registry needs an identity registry', async () => {
  const chain = chainOf()
  expect(await chain.read('ReputationRegistry', 'getIdentityRegistry')).toBe(localAddresses.IdentityRegistry)
})
