import {
  buildSignInMessage,
  hashMessage,
  hashTypedData,
  keccak256Hex,
  paymentInfoType,
  utf8,
  type Signer,
  type TypedData,
} from '@ergon/protocols'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { ChallengeMismatch, createClient, type Client } from '../src/index.ts'
import { recordingService, type Reply } from './recording-service.ts'
import {
  deployment,
  ids,
  payer,
  smallMarket,
  stranger,
  token,
  worker,
  type Lies,
  type MarketOptions,
} from './small-market.ts'

type Way = {
  readonly name: string
  readonly challenge: string
  readonly options?: MarketOptions
  readonly session?: true
  readonly act: (client: Client) => Promise<unknown>
}
const assign = (client: Client) =>
  client.assignWorker({
    task_id: ids.task,
    executor_id: ids.worker,
    bounty_usd: 1,
    worker_wallet: worker.address,
    payment_network: 'localnet',
    payment_token: 'USDC',
  })
const approve = (client: Client) =>
  client.approveSubmission({
    submission_id: ids.submission,
    bounty_usd: 1,
    worker_wallet: worker.address,
    treasury_wallet: '0x3c44cdddb6a900fa2b585dd299e03d12fa4293bc',
  })
const ways: readonly Way[] = [
  { name: 'assign', challenge: `GET /api/v1/tasks/${ids.task}/assign/challenge`, act: assign },
  {
    name: 'assign as a person',
    challenge: `GET /api/v1/h2a/tasks/${ids.task}/assign/challenge`,
    session: true,
    act: assign,
  },
  { name: 'approve', challenge: `GET /api/v1/submissions/${ids.submission}/approve/challenge`, act: approve },
  {
    name: 'approve as a person',
    challenge: `GET /api/v1/h2a/tasks/${ids.task}/approve/challenge`,
    session: true,
    act: approve,
  },
  {
    name: 'approve in one step',
    challenge: `GET /api/v1/submissions/${ids.submission}/approve/challenge`,
    options: { mode: 'fase1' },
    act: approve,
  },
  {
    name: 'rate',
    challenge: 'POST /api/v1/reputation/relay/prepare',
    act: (client) =>
      client.rate({ task_id: ids.task, direction: 'publisher_rates_executor', score: 80, ratee_agent_id: 5 }),
  },
  {
    name: 'order a service',
    challenge: `GET /api/v1/tasks/${ids.task}/assign/challenge`,
    act: (client) => client.orderService({ listing_id: ids.listing, unit_price_usd: 1, seller_wallet: worker.address }),
  },
]

/** Lets a wallet act, and keeps every document it signed. */
async function visit({ options = {}, session, act }: Pick<Way, 'options' | 'session' | 'act'>, lies: Lies = {}) {
  await using service = await recordingService(smallMarket({ ...options, lies }))
  const signed: TypedData[] = []
  const delegated: unknown[] = []
  const signer: Signer = {
    address: payer.address,
    signMessage: (message) => payer.signMessage(message),
    signTypedData(document) {
      signed.push(document)
      return payer.signTypedData(document)
    },
    async signAuthorization(authorization) {
      delegated.push(authorization)
      return payer.signAuthorization(authorization)
    },
  }
  const client = createClient({
    baseUrl: service.url,
    signer,
    chainId: 31337,
    session: session ?? false,
    wait: async () => undefined,
    retry: { attempts: 1, firstDelayMs: 1, maxDelayMs: 1 },
  })
  const error: unknown = await act(client).then(
    () => undefined,
    (thrown: unknown) => thrown,
  )
  return { error, signed, delegated, sent: service.arrivals.filter(({ method }) => method === 'POST') }
}

type Path = readonly (string | number)[]
const leaves = (value: unknown, path: Path = []): readonly Path[] =>
  typeof value === 'object' && value !== null
    ? Object.entries(value).flatMap(([name, member]) => leaves(member, [...path, name]))
    : [path]
const at = (value: unknown, path: Path): unknown =>
  path.reduce<unknown>((inner, name) => (inner as Record<string, unknown>)[name], value)

function withLeaf(value: unknown, path: Path, change: (leaf: unknown) => unknown): unknown {
  const copy = structuredClone(value)
  const last = path.at(-1)
  if (last !== undefined) (at(copy, path.slice(0, -1)) as Record<string, unknown>)[last] = change(at(value, path))
  return copy
}

const changes: readonly { readonly to: string; readonly change: (leaf: unknown) => unknown }[] = [
  {
    to: 'one more',
    change: (leaf) =>
      typeof leaf === 'number'
        ? leaf + 1
        : typeof leaf === 'string' && /^\d+$/.test(leaf)
          ? String(BigInt(leaf) + 1n)
          : typeof leaf === 'string' && /^0x/.test(leaf)
            ? `0x${leaf.slice(3)}${leaf.slice(2, 3) === '1' ? '2' : '1'}`
            : `${String(leaf)}x`,
  },
  {
    to: 'much more',
    change: (leaf) =>
      typeof leaf === 'number'
        ? leaf * 10 + 9_000_000
        : typeof leaf === 'string' && /^\d+$/.test(leaf)
          ? `${leaf}000`
          : `0x${'ee'.repeat(32)}`,
  },
  { to: 'another party', change: () => stranger.address },
  { to: 'nothing', change: () => null },
]
/**
 * The terms of a lock that its release names and nobody but the chain can confirm: with others, the order opens
 * nothing.
 */
const onlyTheChainKnows = new Set([
  'salt',
  'preApprovalExpiry',
  'authorizationExpiry',
  'refundExpiry',
  'minFeeBps',
  'maxFeeBps',
])

describe('a lying service gets no signature', () => {
  test.each(ways)('whatever single member of the challenge is changed: $name', async (way) => {
    const honest = await truthOf(way)
    const digests = honest.signed.map((document) => String(hashTypedData(document)))
    expect([honest.error, digests.length > 0]).toEqual([undefined, true])
    const found = leaves(honest.challenge)
    expect(found.length).toBeGreaterThan(20)
    await fc.assert(
      fc.asyncProperty(fc.constantFrom(...found), fc.constantFrom(...changes), async (path, { change }) => {
        const { signed, error } = await visit(way, {
          rewrite: (route, body) => (route === way.challenge ? withLeaf(honest.challenge, path, change) : body),
        })
        for (const document of signed) {
          const info = document.message['paymentInfo']
          if (!onlyTheChainKnows.has(String(path.at(-1))) || info === undefined)
            expect(digests).toContain(String(hashTypedData(document)))
          else
            expect(info).toMatchObject({
              payer: payer.address,
              receiver: worker.address,
              token: token.verifyingContract,
              operator: deployment.operator,
              feeReceiver: deployment.operator,
              maxAmount: '1000000',
            })
        }
        if (signed.length < digests.length) expect(error).toBeInstanceOf(Error)
      }),
      { numRuns: 120 },
    )
  })

  test.each(ways)('a challenge of another version is named as such, and nothing is signed: $name', async (way) => {
    for (const other of [
      { version: 2 },
      { accepts: [{ offers: [] }], lifecycle_order: {}, settlement_auth_worker: {} },
    ]) {
      const { signed, error } = await visit(way, {
        rewrite: (route, body) => (route === way.challenge ? other : body),
      })
      expect(signed).toEqual([])
      expect(error).toBeInstanceOf(ChallengeMismatch)
    }
  })

  /** The honest challenge of a way, held still, and what is signed for it. */
  async function truthOf(way: Way) {
    let challenge: unknown
    const honest = await visit(way, {
      rewrite: (route, body) =>
        route === way.challenge ? (challenge = JSON.parse(JSON.stringify(body)) as unknown) : body,
    })
    return { ...honest, challenge }
  }
})

describe('ordering a service', () => {
  const order = (client: Client) =>
    client.orderService({ listing_id: ids.listing, unit_price_usd: 1, seller_wallet: worker.address })

  test('publishes at the agreed price and locks it for the seller', async () => {
    const { error, sent, signed } = await visit({ act: order })
    expect([error, signed.length]).toEqual([undefined, 1])
    expect(JSON.parse(sent[0]?.body ?? '')).toEqual({ bounty_usd_override: 1 })
    expect(sent.map(({ target }) => target)).toEqual([
      `/api/v1/services/${ids.listing}/order`,
      `/api/v1/tasks/${ids.task}/assign`,
    ])
  })

  test.each<[string, Lies]>([
    ['price', { listing: { unit_price_usd: 2 } }],
    ['seller', { listing: { seller_wallet: stranger.address } }],
    ['listing', { listing: { id: ids.task } }],
    ['network', { listing: { payment_network: 'base' } }],
    ['price', { ordered: { bounty_usd: 2 } }],
    ['seller', { ordered: { seller_executor_id: ids.task } }],
    ['network', { ordered: { payment_network: 'base' } }],
    ['bounty', { task: { bounty_usd: 3 } }],
  ])('another %s is not signed: %o', async (term, lies) => {
    const { error, signed } = await visit({ act: order }, lies)
    expect(error).toBeInstanceOf(ChallengeMismatch)
    expect([(error as ChallengeMismatch).term, signed.length]).toEqual([term, 0])
  })
})

describe('taking a bounty back', () => {
  const reclaim = (client: Client) => client.reclaimTransaction(ids.task)

  test('the selector is that of reclaim(PaymentInfo), and an honest call passes', async () => {
    const struct = paymentInfoType.replace('PaymentInfo', '').replaceAll(/ \w+/g, '')
    const transactions: unknown[] = []
    await visit({
      act: async (client) => {
        transactions.push(await reclaim(client))
      },
    })
    expect(transactions).toEqual([
      expect.objectContaining({
        chainId: 31337,
        from: payer.address,
        to: deployment.escrow,
        value: 0n,
        data: expect.stringMatching(`^${keccak256Hex(utf8(`reclaim(${struct})`)).slice(0, 10)}`),
      }),
    ])
  })

  test.each<[string, Lies]>([
    ['escrow', { reclaim: { escrow: stranger.address } }],
    ['payer', { reclaim: { payer: stranger.address } }],
    ['chain', { reclaim: { chain_id: 8453 } }],
    ['task', { reclaim: { task_id: ids.worker } }],
    ['call', { reclaim: { calldata: '0xa9059cbb' } }],
    ['call', { reclaim: { calldata: `0xa9059cbb${'00'.repeat(384)}` } }],
    ['operator', { call: { 0: stranger.address } }],
    ['payer', { call: { 1: stranger.address } }],
    ['token', { call: { 3: stranger.address } }],
    ['amount', { call: { 4: '0x01' } }],
    // A word is an address where nothing is in front of it.
    ['operator', { call: { 0: `0x01${deployment.operator.slice(2)}` } }],
    ['payer', { call: { 1: `0x01${payer.address.slice(2)}` } }],
    ['token', { call: { 3: `0x01${token.verifyingContract.slice(2)}` } }],
  ])('another %s is not handed out: %o', async (term, lies) => {
    expect((await visit({ act: reclaim }, lies)).error).toMatchObject({ name: 'ChallengeMismatch', term })
  })
})

describe('signing in', () => {
  const fields = (origin: string) => ({
    domain: new URL(origin).host,
    address: payer.address,
    uri: origin,
    chainId: 31337,
    nonce: 'abcdefgh12345678',
    issuedAt: new Date().toISOString(),
    expirationTime: new Date(Date.now() + 600_000).toISOString(),
  })
  const signIn = async (lie: object = {}, nonce = 'abcdefgh12345678') => {
    let own = ''
    await using service = await recordingService(({ target, headers }): Reply => {
      if (target.endsWith('/challenge'))
        return { body: { nonce, message: buildSignInMessage({ ...fields(own), ...lie }), expires_at: '' } }
      if (target.endsWith('/session'))
        return {
          status: 201,
          headers: { 'set-cookie': 'svc_session=token; Path=/; HttpOnly' },
          body: { wallet: payer.address, expires_at: '' },
        }
      return { body: { cookie: headers['cookie'] ?? null } }
    })
    own = service.url
    const client = createClient({ baseUrl: service.url, signer: payer, chainId: 31337, session: true })
    const error: unknown = await client.signIn().then(
      () => undefined,
      (thrown: unknown) => thrown,
    )
    const asked = error === undefined ? await client.tasks.list() : undefined
    return { error, asked, arrivals: service.arrivals }
  }

  test('signs the text, keeps the cookie, names its origin, and signs no request', async () => {
    const { error, asked, arrivals } = await signIn()
    expect([error, asked]).toEqual([undefined, { cookie: 'svc_session=token' }])
    expect(
      arrivals.every(
        ({ headers }) => headers['signature'] === undefined && headers['origin']?.startsWith('http://127.0.0.1:'),
      ),
    ).toBe(true)
    const { message, signature } = JSON.parse(arrivals[1]?.body ?? '')
    expect(signature).toBe(await payer.signMessage(message))
    expect(hashMessage(message)).toHaveLength(32)
  })

  test.each<[string, object, string?]>([
    ['domain', { domain: 'elsewhere.example' }],
    ['uri', { uri: 'https://elsewhere.example' }],
    ['wallet', { address: stranger.address }],
    ['chain', { chainId: 8453 }],
    ['nonce', {}, 'another00'],
    ['list of resources', { resources: ['urn:everything'] }],
    ['expiry', { expirationTime: new Date(Date.now() + 90_000_000).toISOString() }],
    ['expiry', { expirationTime: new Date(Date.now() - 1_000).toISOString() }],
    ['issue', { issuedAt: new Date(Date.now() + 300_000).toISOString() }],
  ])('a text with another %s is not signed: %o', async (term, lie, nonce) => {
    const { error, arrivals } = await signIn(lie, nonce)
    expect([(error as ChallengeMismatch).term, arrivals.length]).toEqual([term, 1])
  })
})
