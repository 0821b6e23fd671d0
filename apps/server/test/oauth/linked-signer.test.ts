import { randomUUID } from 'node:crypto'
import { returnSignature, type WalletAction } from '@ergon/contract'
import type { TypedData } from '@ergon/protocols'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { createPool } from '../../src/adapters/postgres/index.ts'
import { openLinkBook } from '../../src/wire-linked-signer.ts'
import { authority } from '../dispatch/tiny-service.ts'
import { applied, submit, type Party } from '../http/live-market.ts'
import { messageOf, toolCall, unwrapped } from '../mcp/tokens.ts'
import {
  basic,
  between,
  challengeOf,
  choose,
  createVisitor,
  newVerifier,
  open,
  redirectUri,
  register,
  startLiveOAuth,
  type LiveOAuth,
} from './live-oauth.ts'
import { startSignerDouble, type Manner, type SignerDouble } from './signer-double.ts'

/** An external signer that wallets link (spec §5, OAuth 12), as a double over HTTP; the money is on a real chain. */
const stack = new AsyncDisposableStack()
let double: SignerDouble
let live: LiveOAuth
let publisher: Party
let worker: Party
let book: ReturnType<typeof openLinkBook>
let pool: ReturnType<typeof createPool>
beforeAll(async () => {
  double = stack.use(await startSignerDouble())
  live = stack.use(
    await startLiveOAuth({
      SVC_AUTHORITIES: authority,
      SVC_LINKED_SIGNER_URL: `${double.url}/`,
      SVC_LINKED_SIGNER_KEY: double.key,
      SVC_LINKED_SIGNER_TIMEOUT_MS: '500',
    }),
  )
  pool = createPool(live.market.databaseUrl)
  stack.defer(() => pool.end())
  book = openLinkBook(pool, 'a secret of this test, long enough')
  publisher = await live.market.party(100n)
  worker = await live.market.party(0n)
  double.hold(publisher.wallet, publisher.signer)
})
afterAll(() => stack.disposeAsync())
beforeEach(async () => {
  Object.assign(double, { standing: 'asks_owner', manner: 'asks the owner' })
  await book.link(publisher.wallet.toLowerCase(), 'a-secret')
})

type Json = Readonly<Record<string, unknown>>
async function call(tool: string, args: Json, party = publisher): Promise<Json> {
  const { text, headers } = messageOf(toolCall(tool, args))
  return unwrapped(await party.call('POST', '/mcp', text, headers)).body
}
const blockIn = (body: Json): WalletAction => body['wallet_action'] as WalletAction // asserted on
const assigning = async (party = publisher): Promise<Json> => {
  const { taskId, executorId } = await applied(party, worker)
  return { task_id: taskId, executor_id: executorId }
}
/** What an agent hears that asks over A2A to assign. */
const saidToAgents = async (params: Json): Promise<unknown> => {
  const data = { action: 'tasks/assign', params }
  const message = { role: 'user', messageId: randomUUID(), parts: [{ kind: 'data', data }] }
  return (await publisher.call('POST', '/a2a', { jsonrpc: '2.0', id: 1, method: 'message/send', params: { message } }))
    .body
}
const ask = async (args: Json, party = publisher): Promise<WalletAction> =>
  blockIn(await call('svc_assign_task', args, party))
/** Ids of the requests about one task, as often as they came. */
const idsSince = (from: number): string[] => double.asked.slice(from).map(({ request_id }) => request_id)

test('auth info reports paybox_connect enabled', async () => {
  expect((await live.market.get('/api/v1/auth/info')).body).toMatchObject({ paybox_connect: true })
})

test('the owner approves at the signer, and the call goes through with what comes back', async () => {
  const [args, from, before] = [await assigning(), double.asked.length, await live.market.balance(publisher.wallet)]
  const first = await ask(args)
  expect(first).toMatchObject({
    kind: 'paybox_pending',
    reason: 'escrow_signature_required',
    paybox_link: { reason: 'awaits_owner', approval_url: expect.stringContaining('/approve/') },
    how_to_return: { tool: 'svc_assign_task', arguments: args },
  })
  expect(first).not.toHaveProperty('typed_data')
  expect((await ask(args)).paybox_link).toEqual(first.paybox_link)
  expect(await live.market.balance(publisher.wallet)).toBe(before)

  double.approve()
  const signed = await ask(args)
  expect(signed).toMatchObject({ kind: 'paybox_signed', how_to_return: { tool: 'svc_assign_task' } })
  // Whoever loses this answer reads the same one again, and the signer is not asked.
  expect(await ask(args)).toEqual(signed)
  const ids = idsSince(from)
  expect([ids.length, new Set(ids).size]).toEqual([3, 1])
  expect(double.signed.filter((id) => id === ids[0])).toHaveLength(1)
  expect(await call(signed.how_to_return.tool, signed.how_to_return.arguments)).toMatchObject({ status: 'accepted' })
  expect(await live.market.balance(publisher.wallet)).toBe(before - 1_070_000n)

  const submission = { submission_id: await submit(worker, String(args['task_id'])) }
  double.manner = 'signs at once'
  const release = blockIn(await call('svc_approve_submission', submission))
  expect(release).toMatchObject({ kind: 'paybox_signed', how_to_return: { parameter: 'lifecycle_order' } })
  const paid = await live.market.balance(worker.wallet)
  expect(await call(release.how_to_return.tool, release.how_to_return.arguments)).toMatchObject({ status: 'approved' })
  expect(await live.market.balance(worker.wallet)).toBe(paid + 930_900n)
  expect(double.secrets.at(-1)).toBe('a-secret')
})

test('agents that speak to one another are answered the same', async () => {
  expect(JSON.stringify(await saidToAgents(await assigning()))).toContain('"kind":"paybox_pending"')
})

test('whether the owner was asked cannot be read: no transport says that only a signature lacks', async () => {
  const args = await assigning()
  const from = double.asked.length
  await pool.query('alter table linked_signers rename to linked_signers_away')
  try {
    const said = [await call('svc_assign_task', args), await saidToAgents(args)].map((answer) => JSON.stringify(answer))
    for (const answer of said) expect(answer).not.toMatch(/escrow_signature_required|auth-required|wallet_action/)
    expect(said[1]).toContain('INTERNAL')
  } finally {
    await pool.query('alter table linked_signers_away rename to linked_signers')
  }
  expect(double.asked).toHaveLength(from)
})

test.each<[Manner, string]>([
  ['signs and is not heard', 'the line breaks'],
  ['is slow', 'the answer comes too late'],
  ['breaks', 'it fails'],
  ['answers no JSON', 'it cannot be read'],
  ['answers without end', 'it is too long'],
  ['redirects', 'it leads elsewhere'],
])('a signer that %s: unknown, so the same request is asked again and signed once', async (manner) => {
  const [args, from] = [await assigning(), double.asked.length]
  double.manner = manner
  const lost = await ask(args)
  expect(lost).toMatchObject({ kind: 'paybox_pending', paybox_link: { reason: 'answer_unknown' } })
  double.manner = 'signs at once'
  const signed = await ask(args)
  expect(signed.kind).toBe('paybox_signed')
  const ids = idsSince(from)
  expect(new Set(ids)).toEqual(new Set([lost.paybox_link?.request_id]))
  expect(double.signed.filter((id) => id === ids[0])).toHaveLength(1)
  expect(await call(signed.how_to_return.tool, signed.how_to_return.arguments)).toMatchObject({ status: 'accepted' })
})

test('ten calls at once about the same are one request', async () => {
  const [args, from] = [await assigning(), double.asked.length]
  const blocks = await Promise.all(Array.from({ length: 10 }, () => ask(args)))
  expect(new Set(blocks.map(({ kind }) => kind))).toEqual(new Set(['paybox_pending']))
  expect(new Set(idsSince(from)).size).toBe(1)
})

test.each<[Manner, string]>([
  ['lies', 'signature_refused'],
  ['names another wallet', 'signature_refused'],
  ['names another request', 'signature_refused'],
  ['denies', 'denied'],
  ['is autonomous after all', 'autonomous_wallet'],
])('of a signer that %s nothing is taken, and the recipe is kept', async (manner, reason) => {
  const args = await assigning()
  double.manner = manner
  const block = await ask(args)
  expect(block).toMatchObject({ kind: 'eip712', paybox_link: { reason } })
  const document = block.typed_data as unknown as TypedData // the contract's own
  const signature = await publisher.signer.signTypedData(document)
  expect(await call('svc_assign_task', returnSignature(block, signature))).toMatchObject({ status: 'accepted' })
})

test.each([
  ['autonomous_wallet', 'autonomous_wallet'],
  ['approval_not_required', 'approval_not_required'],
  ['is away', 'answer_unknown'],
  ['something new', 'answer_unknown'],
])('a wallet that is %s there is asked for no signature', async (standing, reason) => {
  const [args, from] = [await assigning(), double.asked.length]
  double.standing = standing
  double.manner = 'signs at once'
  expect(await ask(args)).toMatchObject({ kind: 'eip712', paybox_link: { reason } })
  expect(idsSince(from)).toEqual([])
})

test('signatures are fetched only for the wallet that the transport verified', async () => {
  const other = await live.market.party(5n)
  double.hold(other.wallet, other.signer)
  const [asked, standings] = [double.asked.length, double.standingAsked.length]
  const block = await ask(await assigning(other), other)
  expect(block.kind).toBe('eip712')
  expect(block).not.toHaveProperty('paybox_link')
  // Nor does a stranger make the signer of a publisher be asked.
  const stranger = await call('svc_assign_task', await assigning(), other)
  expect(stranger).not.toHaveProperty('wallet_action')
  expect([double.asked.length, double.standingAsked.length]).toEqual([asked, standings])
})

test('at most twenty documents of a wallet wait for its owner', async () => {
  const busy = await live.market.party(5n)
  double.hold(busy.wallet, busy.signer)
  const wallet = busy.wallet.toLowerCase()
  await book.link(wallet, 'a-secret')
  const goodUntil = new Date(Date.now() + 60_000)
  for (let at = 0; at < 20; at += 1)
    await book.begin({ id: randomUUID(), wallet, subject: String(at), asked: '{}', goodUntil })
  const from = double.asked.length
  expect(await ask(await assigning(busy), busy)).toMatchObject({
    kind: 'eip712',
    paybox_link: { reason: 'too_many_open' },
  })
  expect(idsSince(from)).toEqual([])
})

test('a link that the signer ended is told as such, and its secret is gone', async () => {
  double.standing = 'unlinked'
  expect(await ask(await assigning())).toMatchObject({ kind: 'eip712', paybox_link: { reason: 'unlinked_by_paybox' } })
  const link = () => publisher.call('GET', '/api/v1/account/paybox-link')
  expect((await link()).body).toEqual({ status: 'unlinked_by_paybox', enabled: true })
  const rows = await pool.query('select secret from linked_signers where wallet = $1', [publisher.wallet.toLowerCase()])
  expect(rows.rows).toEqual([{ secret: null }])
  double.standing = 'asks_owner'
  expect((await ask(await assigning())).paybox_link).toEqual({ reason: 'unlinked_by_paybox' })
  expect((await publisher.call('DELETE', '/api/v1/account/paybox-link')).body).toEqual({
    deleted: false,
    status: 'unlinked',
  })
  expect((await link()).body).toEqual({ status: 'unlinked', enabled: true })
})

test('what the owner deletes is gone, with everything that waited', async () => {
  await ask(await assigning())
  const kept = async () =>
    (await pool.query('select 1 from linked_signer_requests where wallet = $1', [publisher.wallet.toLowerCase()])).rows
      .length
  expect(await kept()).toBeGreaterThan(0)
  expect((await publisher.call('DELETE', '/api/v1/account/paybox-link')).body).toEqual({
    deleted: true,
    status: 'unlinked',
  })
  expect(await kept()).toBe(0)
  expect(await ask(await assigning())).not.toHaveProperty('paybox_link')
})

test('a deployment with another secret takes a link for none, and can make it anew', async () => {
  const [wallet, other] = [publisher.wallet.toLowerCase(), openLinkBook(pool, 'another secret, which is long enough')]
  expect(await other.find(wallet)).toBeNull()
  await other.link(wallet, 'b-secret')
  expect(await ask(await assigning())).not.toHaveProperty('paybox_link')
  expect(await other.find(wallet)).toEqual({ secret: 'b-secret' })
})

test('what is over is forgotten', async () => {
  const wallet = '0x00000000000000000000000000000000000000aa'
  await book.link(wallet, 'x')
  await pool.query("update linked_signers set good_until = now() - interval '1 s' where wallet = $1", [wallet])
  await book.begin({ id: randomUUID(), wallet, subject: 's', asked: '{}', goodUntil: new Date(0) })
  expect(await book.find(wallet)).toBeNull()
  expect(await book.purge(10)).toBeGreaterThan(0)
  for (const table of ['linked_signers', 'linked_signer_requests'])
    expect((await pool.query(`select 1 from ${table} where wallet = $1`, [wallet])).rows).toEqual([])
})

describe('on the consent screen', () => {
  const begin = async (wallet: string, language = 'en') => {
    const visitor = createVisitor()
    const query = new URLSearchParams({
      response_type: 'code',
      client_id: await register(live.issuer),
      redirect_uri: redirectUri,
      code_challenge: challengeOf(newVerifier()),
      code_challenge_method: 'S256',
      ui_locales: language,
    })
    const begun = await open(visitor, `${live.issuer}/oauth/authorize?${query.toString()}`)
    const { token, page } = await choose(visitor, begun, wallet, basic)
    const press = () =>
      visitor.submit(begun.url, [
        ['csrf', begun.csrf],
        ['action', 'linked'],
        ['delivery_token', token],
      ])
    return { visitor, begun, page, press }
  }

  test('a button asks the signer, and what its owner approved signs in and links the wallet', async () => {
    const party = await live.market.party(0n)
    double.hold(party.wallet, party.signer)
    const { visitor, begun, page, press } = await begin(party.wallet)
    expect(page).toContain('Ask the linked signer')
    const from = double.asked.length
    const waiting = await press()
    const shown = await waiting.text()
    expect([waiting.status, shown.includes('I have approved it')]).toEqual([200, true])
    expect(between(shown, '<p><a href="http://127.0.0.1/approve/', '"')).toBe(double.asked.at(-1)?.request_id)
    expect(await book.find(party.wallet.toLowerCase())).toBeNull()
    double.approve()
    expect((await press()).status).toBe(303)
    expect(new Set(idsSince(from)).size).toBe(1)
    const done = await visitor.get(`${begun.url}/finish`)
    expect(new URL(done.headers.get('location') ?? '').searchParams.get('code')).not.toBeNull()
    expect((await party.call('GET', '/api/v1/account/paybox-link')).body).toEqual({ status: 'linked', enabled: true })
    const { secret } = (await book.find(party.wallet.toLowerCase())) ?? {}
    expect(secret).toBe(`secret-of-${party.wallet.slice(0, 8)}`.toLowerCase())
    const { rows } = await pool.query<{ secret: Buffer }>('select secret from linked_signers where wallet = $1', [
      party.wallet.toLowerCase(),
    ])
    expect(rows[0]?.secret.toString('latin1')).not.toContain('secret-of')
  })

  test.each<Manner>(['lies', 'names another wallet', 'denies'])('a signer that %s signs nobody in', async (manner) => {
    const party = await live.market.party(0n)
    double.hold(party.wallet, party.signer)
    const { press, visitor, begun } = await begin(party.wallet)
    double.manner = manner
    expect(await (await press()).text()).toContain('gave no signature for this wallet')
    expect(await book.find(party.wallet.toLowerCase())).toBeNull()
    expect((await visitor.get(`${begun.url}/finish`)).headers.get('location')).toContain('/oauth/consent/')
  })
})
