import { mintTestUsd } from '@ergon/contracts'
import type { PaidBehind, PaidRating, RatingTerms } from '@ergon/core'
import { keccak256Hex, networks, utf8, type Address } from '@ergon/protocols'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { createFacilitatorClient } from '../../src/adapters/facilitator/facilitator-client.ts'
import { createIdentityRegistry } from '../../src/adapters/identity.ts'
import { createAdapters } from '../../src/adapters/index.ts'
import { startLiar } from './fakes.ts'
import { asTypedData, freshKey } from './orders.ts'
import { eventually, party, rpc, startRig, stranger, type Party, type Rig } from './rig.ts'

let rig: Rig
beforeAll(async () => {
  rig = await startRig()
})
afterAll(async () => {
  await rig[Symbol.asyncDispose]()
})

async function registered(
  wallet: string,
  key = freshKey(),
): Promise<{ readonly agentId: number; readonly txHash: string | null }> {
  const made = await eventually(
    () => rig.adapters.identities.register({ network: 'localnet', wallet, key }),
    (answer) => answer !== 'pending',
  )
  if (made === 'pending') throw new Error('the registration does not end')
  return made
}

describe('identities', () => {
  test('a wallet without an agent has none, is registered once under one key, and is then found', async () => {
    const { identities } = rig.adapters
    const wallet = party(7).address
    expect(await identities.lookup('localnet', wallet)).toBeNull()
    const key = freshKey()
    const first = await registered(wallet, key)
    expect(first).toEqual({ agentId: expect.any(Number), txHash: expect.stringMatching(/^0x[0-9a-f]{64}$/) })
    expect(await registered(wallet, key)).toEqual(first)
    expect(await identities.lookup('localnet', wallet)).toBe(first.agentId)
    expect(await ownerOf(first.agentId)).toBe(wallet)
  })

  test('who holds an agent is asked each time until that is certain, and then once in a while', async () => {
    const told = [false, false, true]
    let asked = 0
    const get = () => {
      const body = { owner: party(7).address, settled: told[asked] ?? true }
      asked += 1
      return Promise.resolve({ kind: 'done', body } as const)
    }
    const post = () => Promise.reject(new Error('nothing is written'))
    const identities = createIdentityRegistry({ get, post, [Symbol.dispose]: () => undefined }, '')
    const settled = async () => (await identities.holder('localnet', 7))?.isSettled
    expect([await settled(), await settled(), await settled(), await settled()]).toEqual([false, false, true, true])
    expect(asked).toBe(3)
    expect(await identities.holder('localnet', 8)).toMatchObject({ owner: party(7).address })
    expect(asked).toBe(4)
  })

  test('registering twice at once under one key mints once', async () => {
    const wallet = party(8).address
    const key = freshKey()
    const [one, other] = await Promise.all([registered(wallet, key), registered(wallet, key)])
    expect(one.agentId).toBe(other.agentId)
  })

  test.each([
    ['until then', 7_200, 7_200],
    ['a day at most', 1e9, 86_400],
    ['an hour, where nothing is said', undefined, 3_600],
  ])(
    'a facilitator that pays no more gas today is asked again when it says: %s',
    async (_what, said, retryAfterSec) => {
      const body = { success: false, errorCode: 'gas_budget_spent', error: 'spent', final: false, retry_after: said }
      const exchange = () => Promise.resolve({ status: 429, text: JSON.stringify(body), headers: {} })
      using spent = createFacilitatorClient({ exchange, [Symbol.dispose]: () => undefined }, () => new Date())
      const order = { network: 'localnet', wallet: stranger.address, key: freshKey() }
      await expect(createIdentityRegistry(spent, '').register(order)).rejects.toMatchObject({
        code: 'GAS_BUDGET_SPENT',
        details: { retry_after_sec: retryAfterSec },
      })
    },
  )

  test('nobody is called unknown while the facilitator or its answer is missing', async () => {
    const { adapters, facilitatorLine } = rig
    await facilitatorLine.close()
    try {
      await expect(adapters.identities.lookup('localnet', stranger.address)).rejects.toMatchObject({
        code: 'identity_check_unavailable',
      })
      await expect(
        adapters.identities.register({ network: 'localnet', wallet: stranger.address, key: freshKey() }),
      ).rejects.toMatchObject({ code: 'REGISTRATION_FAILED' })
    } finally {
      await facilitatorLine.open()
    }
    await expect(adapters.identities.lookup('base', stranger.address)).rejects.toMatchObject({
      code: 'identity_check_unavailable',
    })
  })
})

describe('ratings', () => {
  const rater = party(9)
  let agentId: number
  let paid: PaidBehind
  beforeAll(async () => {
    ;({ agentId } = await registered(party(5).address))
    await mintTestUsd(rig.chain.rpcUrl, rater.address, 100_000_000n)
  })
  beforeEach(async () => {
    paid = await aPaymentTo(party(5).address, rater)
  })

  const terms = (changes: Partial<RatingTerms> = {}): RatingTerms => ({
    network: 'localnet',
    agentId,
    score: 90,
    tag1: 'worker',
    tag2: 'simple_action',
    endpoint: 'http://market.test',
    feedbackUri: 'http://market.test/feedback/1',
    feedbackHash: keccak256Hex(utf8(freshKey())),
    ...changes,
  })

  async function signed(given: RatingTerms, signer: Party): Promise<PaidRating> {
    const prepared = await rig.adapters.ratings.prepare(given, signer.address, new Date())
    const signature = await signer.signTypedData(asTypedData(prepared.typedData))
    const { deadline, nonce, delegated, delegate, chainId, accountNonce } = prepared
    const authorization = delegated
      ? {}
      : {
          authorization: await signer.signAuthorization({ chainId, address: asAddress(delegate), nonce: accountNonce }),
        }
    return { ...given, rater: signer.address, deadline, nonce, signature, paid, ...authorization }
  }

  test('an agent nobody rated has no score; one that does not exist is not found', async () => {
    const { ratings } = rig.adapters
    expect(await ratings.summary('localnet', agentId)).toEqual({ mean: null, count: 0 })
    await expect(ratings.summary('localnet', 4_711)).rejects.toMatchObject({ code: 'IDENTITY_NOT_FOUND' })
  })

  test('a relayed rating has its rater as author on chain, and needs the delegation once', async () => {
    const { ratings } = rig.adapters
    const rating = await signed(terms(), rater)
    expect(rating.authorization).toBeDefined()
    const answer = await ratings.relay(rating, freshKey())
    expect(answer).toMatchObject({ outcome: 'settled', feedbackIndex: 1 })
    if (answer.outcome === 'settled') expect(await authorOf(answer.txHash)).toBe(rater.address)
    const next = await signed(terms({ score: 70 }), rater)
    expect(next.authorization).toBeUndefined()
    expect(await ratings.relay(next, freshKey())).toMatchObject({ outcome: 'settled', feedbackIndex: 2 })
    expect(await ratings.summary('localnet', agentId)).toEqual({ mean: 80, count: 2 })
  })

  test('relaying it again, under its key or another, answers the rating that is there', async () => {
    const { ratings } = rig.adapters
    const rating = await signed(terms(), rater)
    const key = freshKey()
    const first = await ratings.relay(rating, key)
    expect(first.outcome).toBe('settled')
    expect(await ratings.relay(rating, key)).toEqual(first)
    expect(await ratings.relay(rating, freshKey())).toEqual(first)
  })

  test.each<readonly [what: string, change: (rating: PaidRating) => PaidRating]>([
    ['with another score than signed', (rating) => ({ ...rating, score: 1 })],
    ['in the name of another', (rating) => ({ ...rating, rater: stranger.address })],
    ['past its deadline', (rating) => ({ ...rating, deadline: 1_000 })],
  ])('a rating %s is refused', async (_what, change) => {
    const rating = change(await signed(terms(), rater))
    expect(await rig.adapters.ratings.relay(rating, freshKey())).toMatchObject({
      outcome: 'refused',
      code: 'RATING_REFUSED',
    })
  })

  test('a rating whose gas nobody pays any more today says for how long', async () => {
    const rating = await signed(terms(), rater)
    await using liar = await startLiar({ success: false, errorCode: 'gas_budget_spent', retry_after: 7_200 })
    await using adapters = createAdapters({ ...rig.settings, facilitatorUrl: liar.url })
    expect(await adapters.ratings.relay(rating, freshKey())).toEqual({
      outcome: 'unavailable',
      sent: true,
      spentForSec: 7_200,
    })
  })

  test('a rating given by the service is written once under its key', async () => {
    const { ratings } = rig.adapters
    const [given, key] = [terms(), freshKey()]
    const first = await ratings.give(given, key, paid)
    expect(first).toMatchObject({ outcome: 'settled', feedbackIndex: 1 })
    expect(await ratings.give(given, key, paid)).toEqual(first)
  })

  test('a payment on a chain that is not served for now is not told as one on Solana: nothing is sent, and it waits', async () => {
    const away = { ...paid, asset: { ...paid.asset, network: 'base' } }
    const sent = await signed(terms(), rater)
    await using liar = await startLiar({ success: false, errorCode: 'proof_word_of_a_stranger' })
    await using adapters = createAdapters({ ...rig.settings, facilitatorUrl: liar.url })
    const waits = { code: 'NETWORK_NOT_ACCEPTED', details: { network: 'base' } }
    const { ratings } = adapters
    await expect(ratings.give(terms(), freshKey(), away)).rejects.toMatchObject(waits)
    await expect(ratings.relay({ ...sent, paid: away }, freshKey())).rejects.toMatchObject(waits)
  })

  test('is unavailable without the facilitator; lost answers are settled by sending it again', async () => {
    const {
      adapters: { ratings },
      facilitatorLine,
    } = rig
    const [given, key] = [terms(), freshKey()]
    await facilitatorLine.close()
    try {
      expect(await ratings.give(given, key, paid)).toEqual({ outcome: 'unavailable', sent: false })
      await expect(ratings.prepare(given, rater.address, new Date())).rejects.toMatchObject({
        code: 'RATING_UNAVAILABLE',
      })
      await expect(ratings.summary('localnet', agentId)).rejects.toMatchObject({ code: 'CHAIN_UNAVAILABLE' })
    } finally {
      await facilitatorLine.open()
    }
    expect(await ratings.give(given, key, paid)).toMatchObject({ outcome: 'settled' })
  })

  test('the document is one text for one content, and its hash is over those bytes', () => {
    const { ratings } = rig.adapters
    const one = ratings.document({ b: 1, a: { d: [1, 2], c: 'é' } })
    expect(new TextDecoder().decode(one.bytes)).toBe('{"a":{"c":"é","d":[1,2]},"b":1}')
    expect(ratings.document({ a: { c: 'é', d: [1, 2] }, b: 1 }).hash).toBe(one.hash)
    expect(one.hash).toBe(keccak256Hex(one.bytes))
  })
})

async function ownerOf(agentId: number): Promise<string> {
  const to = networks.localnet.erc8004?.identity
  const word = await rpc(rig.chain.rpcUrl, 'eth_call', [
    { to, data: `0x6352211e${agentId.toString(16).padStart(64, '0')}` },
    'latest',
  ])
  return `0x${String(word).slice(26)}`
}

/** The client that the registry recorded in a transaction. */
async function authorOf(txHash: string): Promise<string | undefined> {
  const receipt = (await rpc(rig.chain.rpcUrl, 'eth_getTransactionReceipt', [txHash])) as {
    logs: { address: string; topics: string[] }[]
  } // the node's own shape
  const log = receipt.logs.find(
    ({ address }) => address.toLowerCase() === networks.localnet.erc8004?.reputation.toLowerCase(),
  )
  return log?.topics[2] === undefined ? undefined : `0x${log.topics[2].slice(26)}`
}

function asAddress(text: string): `0x${string}` {
  return text as `0x${string}` // the adapter answers addresses
}

/** A transfer of one dollar, straight on chain. */
async function aPaymentTo(payee: Address, payer: Party): Promise<PaidBehind> {
  const { rpcUrl } = rig.chain
  const data = `0xa9059cbb${payee.slice(2).padStart(64, '0')}${1_000_000n.toString(16).padStart(64, '0')}`
  const txHash = String(
    await rpc(rpcUrl, 'eth_sendTransaction', [
      { from: payer.address, to: networks.localnet.tokens['USDC']?.address, data },
    ]),
  )
  await rpc(rpcUrl, 'evm_mine', [])
  return {
    txHash,
    asset: { symbol: 'USDC', network: 'localnet', decimals: 6 },
    payer: payer.address,
    payee,
    payment: null,
  }
}
