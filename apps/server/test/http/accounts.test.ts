import { randomUUID } from 'node:crypto'
import { startChain, type Chain } from '@ergon/dev-env'
import { startNodeProxy, type NodeProxy } from '@ergon/dev-env/testing'
import { signAuthFrame } from '@ergon/protocols'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createAccountProofs } from '../../src/adapters/postgres/account-proofs.ts'
import { startRig, type Rig } from '../adapters/rig.ts'
import { authority } from '../dispatch/tiny-service.ts'
import { transportNames } from '../parity/transport.ts'
import { openTransports } from '../parity/transports.ts'
import { contractParty } from './contract-wallet.ts'
import { aTask, expectStatus, startLiveMarket, type LiveMarket, type Party } from './live-market.ts'
import { cookieOf, openSession, sendJson, ownOrigin, signInText } from './live-people.ts'
import { openSocket } from './live-socket.ts'

/** One address, three accounts: a contract here, a contract with other owners on another chain, and a key. */
let rig: Rig
let other: Chain
let far: NodeProxy
let market: LiveMarket
beforeAll(async () => {
  rig = await startRig()
  other = await startChain()
  far = await startNodeProxy(other.rpcUrl)
  far.chainId = abroadId
  const chains = {
    SVC_NETWORKS: 'localnet,base-sepolia',
    SVC_RPC_BASE_SEPOLIA: far.url,
    SVC_RATE_WALLET_PER_MIN: '0',
  }
  market = await startLiveMarket(chains, rig, { withoutDuties: true, unproven: true })
})
afterAll(async () => {
  await market[Symbol.asyncDispose]()
  await far[Symbol.asyncDispose]()
  await other[Symbol.asyncDispose]()
  await rig[Symbol.asyncDispose]()
})

const abroadId = 84_532
const here = (): { url: string; rpcUrl: string } => ({ url: market.url, rpcUrl: rig.chain.rpcUrl })
const abroad = (): { url: string; rpcUrl: string; chainId: number } => ({
  url: market.url,
  rpcUrl: other.rpcUrl,
  chainId: abroadId,
})
const path = '/api/v1/workers/register'
const refused = { status: 403, body: { code: 'ACCOUNT_PROOF_DIFFERS', detail: { retryable: false } } }

type Pair = { readonly owner: Party; readonly thief: Party }

async function twoAtOneAddress(): Promise<Pair> {
  const owner = await contractParty(here(), 0n)
  return { owner, thief: await contractParty(abroad(), 0n, owner.wallet) }
}

// One pair for many tests: contracts that nobody has seen yet share ten calls a minute behind one address.
let owner: Party
let thief: Party
beforeAll(async () => {
  ;({ owner, thief } = await twoAtOneAddress())
})

describe.each(transportNames)('over %s', (name) => {
  test('a contract of the same address on another chain does not act as the account that a contract made here', async () => {
    const transport = openTransports(market.url)[name]
    const call = async (as: Party, input: Record<string, unknown>): Promise<string | null> =>
      (await transport.call('workers.register', { as, input })).code
    expect(await call(owner, { name: 'Ada' })).toBeNull()
    expect(await call(thief, { name: 'Eve' })).toBe('ACCOUNT_PROOF_DIFFERS')
    expect(await call(owner, { name: 'Ada L' })).toBeNull()
  })
})

test("it does not read what is the account's either, and is told how the account proves itself", async () => {
  expectStatus(await owner.call('POST', path, {}), 201)
  const reply = await thief.call('GET', '/api/v1/users/blocked')
  expect(reply).toMatchObject(refused)
  expect(reply.body.details).toEqual({
    wallet: owner.wallet,
    account: 'contract@eip155:31337',
    given: `contract@eip155:${String(abroadId)}`,
  })
  expectStatus(await owner.call('GET', '/api/v1/users/blocked'), 200)
})

test('a contract is not the account of a key at its address, nor a key that of a contract', async () => {
  const [party, first] = [await market.party(0n), await market.party(0n)]
  expectStatus(await party.call('POST', path, {}), 201)
  const contract = await contractParty(here(), 0n, party.wallet)
  expect(await contract.call('POST', path, { name: 'Eve' })).toMatchObject(refused)
  // An address that has code and signs by its key is a key (EIP-7702).
  expectStatus(await party.call('POST', path, { name: 'Ada' }), 201)

  const wallet = await contractParty(here(), 0n, first.wallet)
  expectStatus(await wallet.call('POST', path, {}), 201)
  expect(await first.call('POST', path, {})).toMatchObject(refused)
})

test('a key is one account on every chain', async () => {
  const party = await market.party(0n)
  expectStatus(await party.call('POST', path, {}), 201)
  const elsewhere = await openTransports(market.url).REST.call('workers.register', {
    as: { ...party, chainId: abroadId },
    input: {},
  })
  expect(elsewhere.code).toBeNull()
})

async function signIn(
  party: Party,
): Promise<{ readonly status: number; readonly body: unknown; readonly cookie: string }> {
  const text = expectStatus(await signInText(market.url, party.wallet, {}, party.chainId), 200)
  const message = String(text.body['message'])
  const reply = await openSession(market.url, message, await party.signer.signMessage(message))
  return { ...reply, cookie: cookieOf(reply) }
}

test('no session opens for it, and one that was opened before the account began speaks for nobody', async () => {
  const { owner, thief } = await twoAtOneAddress()
  const early = await signIn(thief)
  expectStatus(await owner.call('POST', path, {}), 201)
  expect(await signIn(thief)).toMatchObject(refused)
  const headers = { origin: ownOrigin, cookie: early.cookie }
  expect(await sendJson(market.url, 'POST', path, { name: 'Eve' }, headers)).toMatchObject(refused)
  expect(await sendJson(market.url, 'GET', '/api/v1/users/blocked', undefined, headers)).toMatchObject(refused)
  await expect(openSocket(market.url, headers)).rejects.toThrow('403')
  expect((await signIn(owner)).status).toBe(201)
})

test('a socket that it signs for is refused', async () => {
  expectStatus(await owner.call('POST', path, {}), 201)
  const frameOf = (party: Party): ReturnType<typeof signAuthFrame> =>
    signAuthFrame(`ws://${authority}/ws`, {
      signer: party.signer,
      chainId: party.chainId ?? 0,
      now: Date.now() / 1000,
      nonce: randomUUID(),
    })
  using client = await openSocket(market.url)
  const frame = await frameOf(thief)
  client.send(frame.type, frame.payload)
  expect((await client.next(({ type }) => type.startsWith('auth_'))).payload).toMatchObject({
    code: 'ACCOUNT_PROOF_DIFFERS',
  })
  using again = await openSocket(market.url)
  const own = await frameOf(owner)
  again.send(own.type, own.payload)
  expect((await again.next(({ type }) => type.startsWith('auth_'))).type).toBe('auth_success')
})

test("a contract works where it is: on another chain its address may be another wallet's", async () => {
  const publisher = await market.party(0n)
  const task = expectStatus(
    await publisher.call('POST', '/api/v1/tasks', aTask({ payment_network: 'base-sepolia' })),
    201,
  )
  const apply = (as: Party): ReturnType<Party['call']> =>
    as.call('POST', `/api/v1/tasks/${String(task.body['id'])}/apply`, {})
  expect(await apply(owner)).toMatchObject({ status: 422, body: { code: 'NETWORK_NOT_ACCEPTED' } })
  expectStatus(await apply(await contractParty(abroad(), 0n)), 201)
})

test('what came to nothing makes no account: the row of a refused act goes after an hour', async () => {
  const { owner, thief } = await twoAtOneAddress()
  const missing = `/api/v1/tasks/${randomUUID()}/apply`
  expect((await thief.call('POST', missing, {})).status).toBe(404)
  expect(await owner.call('POST', missing, {})).toMatchObject(refused)
  const pool = new pg.Pool({ connectionString: market.databaseUrl, max: 1 })
  await pool.query("update account_proofs set begun_at = now() - interval '61 minutes' where wallet = $1", [
    owner.wallet,
  ])
  expect(await createAccountProofs(pool).purge(10)).toBe(1)
  await pool.end()
  expectStatus(await owner.call('POST', path, {}), 201)
})
