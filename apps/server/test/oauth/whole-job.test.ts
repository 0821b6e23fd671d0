import { privateKeySigner, type TypedData } from '@ergon/protocols'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createPool } from '../../src/adapters/postgres/index.ts'
import type { Reply } from '../dispatch/send.ts'
import { authority } from '../dispatch/tiny-service.ts'
import { aTask, eventually, expectStatus, submit, type Party } from '../http/live-market.ts'
import { connectHost, type BearerHost } from './bearer-client.ts'
import {
  basic,
  challengeOf,
  choose,
  createVisitor,
  deliverOrder,
  newVerifier,
  open,
  orderIn,
  redirectUri,
  register,
  startLiveOAuth,
  type LiveOAuth,
} from './live-oauth.ts'

/** A tool host with nothing but tokens of ours does a whole job, on a real chain (spec §5, OAuth). */
let live: LiveOAuth
let publisher: Party
let worker: Party
beforeAll(async () => {
  live = await startLiveOAuth({ SVC_AUTHORITIES: authority })
  publisher = await live.market.party(100n)
  worker = await live.market.party(0n)
})
afterAll(() => live?.[Symbol.asyncDispose]())

const connect = (): Promise<BearerHost> => connectHost(`${live.issuer}/mcp`)
/** Atomic: 1.07 USD, of which the worker is paid what 13 % of fee leave. */
const [bounty, payout] = [1_070_000n, 930_900n]
const told = ({ status, body }: Reply) => [status, body.code]
const good = ({ status, body }: Reply): Reply['body'] => {
  expect([status, body.code], JSON.stringify(body)).toEqual([200, undefined])
  return body
}

type Action = {
  readonly typed_data: TypedData
  readonly how_to_return: {
    readonly tool: string
    readonly parameter: string
    readonly value: { readonly payload: object }
    readonly arguments: Readonly<Record<string, unknown>>
  }
}

/** Signs what an action carries, and calls the tool that it names. */
async function signed(host: BearerHost, { body }: Reply): Promise<Reply> {
  const { typed_data, how_to_return: back } = body['wallet_action'] as Action // spec §5, OAuth 10
  const signature = await publisher.signer.signTypedData(typed_data)
  const isText = back.parameter === 'payment_auth'
  const value = isText
    ? JSON.stringify({ ...back.value, payload: { ...back.value.payload, signature } })
    : { ...back.value, signature }
  return host.call(back.tool, { ...back.arguments, [back.parameter]: value })
}

/** Publishes and assigns by the host, and hands in work for it. */
async function submitted(host: BearerHost): Promise<{ readonly taskId: string; readonly submissionId: string }> {
  const taskId = String(good(await host.call('svc_publish_task', aTask()))['id'])
  const application = await worker.call('POST', `/api/v1/tasks/${taskId}/apply`, { message: 'I am near.' })
  const executorId = String(expectStatus(application, 201).body['executor_id'])
  const asked = await host.call('svc_assign_task', { task_id: taskId, executor_id: executorId })
  expect(asked.body.code).toBe('escrow_signature_required')
  good(await signed(host, asked))
  return { taskId, submissionId: await submit(worker, taskId) }
}

test('a token reads, publishes and assigns, the money of it signed by the wallet, until it is taken back', async () => {
  const [host, before] = [await connect(), await live.market.balance(publisher.wallet)]
  expect(await host.signIn(publisher, { scopes: basic })).toMatchObject({ scope: basic.join(' ') })
  good(await host.call('svc_get_fees'))
  const { taskId, submissionId } = await submitted(host)
  // It is the person's who consented, so that person's session reaches it too (decision 0190).
  const seen = { id: taskId, bounty_usd: 1.07, publisher_type: 'human' }
  expect(good(await host.call('svc_get_task', { task_id: taskId }))).toMatchObject(seen)
  expect(await live.market.balance(publisher.wallet)).toBe(before - bounty)

  const approved = await host.call('svc_approve_submission', { submission_id: submissionId })
  expect(told(approved)).toEqual([403, 'insufficient_scope'])
  expect(approved.headers['www-authenticate']).toMatch(/error="insufficient_scope".* scope="[^"]*agent:approve[^"]*"$/)
  for (const tool of ['svc_submit_work', 'svc_rate_worker', 'svc_open_dispute'])
    expect(told(await host.call(tool)), tool).toEqual([403, 'bearer_not_allowed'])

  await host.revoke()
  const after = await eventually(
    () => host.call('svc_get_fees'),
    ({ status }) => status === 401,
  )
  expect(told(after)).toEqual([401, 'invalid_token'])
  expect(after.headers['www-authenticate']).toContain(`resource_metadata="${live.issuer}/.well-known/`)
})

const approving = [...basic, 'agent:approve']
const approve = (host: BearerHost, submissionId: string): Promise<Reply> =>
  host.call('svc_approve_submission', { submission_id: submissionId })
const paid = (): Promise<bigint> => live.market.balance(worker.wallet)

async function rowsOf(text: string, values: readonly unknown[] = []): Promise<readonly object[]> {
  const pool = createPool(live.market.databaseUrl, { size: 1 })
  try {
    return (await pool.query<object>(text, [...values])).rows
  } finally {
    await pool.end()
  }
}

test('an approval within the cap moves the money without another signature, and past the cap it does not', async () => {
  const host = await connect()
  const tokens = await host.signIn(publisher, { scopes: approving, limits: { usd: '1.07', count: '3' } })
  expect(tokens).toMatchObject({ expires_in: 900, scope: approving.join(' ') })
  const [job, before] = [await submitted(host), await paid()]
  expect(good(await approve(host, job.submissionId))).toMatchObject({ status: 'approved' })
  expect(await paid()).toBe(before + payout)

  const { submissionId } = await submitted(host)
  await host.signIn(publisher, { scopes: approving, limits: { usd: '1.06', count: '3' } })
  const refused = await approve(host, submissionId)
  expect(told(refused)).toEqual([403, 'approval_amount_over_limit'])
  expect(await paid()).toBe(before + payout)

  // What a revoked grant could release is forgotten when the facilitator knows that it is over.
  const kept = async () => (await rowsOf('select 1 from standing_warrants')).length
  const orders = await kept()
  await host.revoke()
  await expect.poll(kept, { timeout: 15_000 }).toBe(orders - 1)
})

test('a consent without a standing order asks the wallet to sign the release', async () => {
  const host = await connect()
  await host.signIn(publisher, { scopes: approving, limits: { usd: '5', count: '3' }, signsOrder: false })
  const [{ submissionId }, before] = [await submitted(host), await paid()]
  const asked = await approve(host, submissionId)
  expect(asked.body).toMatchObject({
    code: 'LIFECYCLE_ORDER_REQUIRED',
    wallet_action: { how_to_return: { parameter: 'lifecycle_order' } },
  })
  expect(await paid()).toBe(before)
  expect(good(await signed(host, asked))).toMatchObject({ status: 'approved' })
  expect(await paid()).toBe(before + payout)
})

test('a standing order that another wallet signed is not kept, and one is asked for only with approvals', async () => {
  const clientId = await register(live.issuer)
  const begin = async (limits: readonly [string, string][]) => {
    const visitor = createVisitor()
    const query = new URLSearchParams({
      response_type: 'code',
      client_id: clientId,
      redirect_uri: redirectUri,
      code_challenge: challengeOf(newVerifier()),
      code_challenge_method: 'S256',
    })
    const begun = await open(visitor, `${live.issuer}/oauth/authorize?${query.toString()}`)
    const { text, token } = await choose(visitor, begun, worker.wallet, basic, limits)
    expect((await deliverOrder(visitor, begun, '0x00')).status).toBe(303) // too early: there is nothing to sign yet
    await visitor.submit(begun.url, [
      ['csrf', begun.csrf],
      ['action', 'sign'],
      ['delivery_token', token],
      ['signature', await worker.signer.signMessage(text)],
    ])
    return { visitor, begun, document: await orderIn(visitor, begun) }
  }
  expect((await begin([])).document).toBeUndefined()
  const limits = Object.entries({ approve: 'yes', usd: '7.5', count: '4' })
  const { visitor, begun, document } = await begin(limits)
  if (document === undefined) throw new Error('no order was asked for')
  expect(document.message).toMatchObject({
    payer: worker.wallet.toLowerCase(),
    maxPerRelease: '7500000',
    maxTotal: '30000000',
    maxCount: '4',
  })
  for (const signature of [
    await privateKeySigner(`0x${'77'.repeat(32)}`).signTypedData(document),
    await worker.signer.signTypedData({ ...document, message: { ...document.message, maxCount: '50' } }),
    'no hex',
  ])
    expect((await deliverOrder(visitor, begun, signature)).status).toBe(422)
  expect(await orderIn(visitor, begun)).toEqual(document)
  expect((await deliverOrder(visitor, begun, await worker.signer.signTypedData(document))).status).toBe(303)
  expect(await orderIn(visitor, begun)).toBeUndefined()
})

test('an account is known by its proof from its first consent on', async () => {
  const newcomer = await live.market.party(0n)
  await (await connect()).signIn(newcomer, { scopes: basic })
  const known = await rowsOf('select proof, has_acted from account_proofs where wallet = $1', [
    newcomer.wallet.toLowerCase(),
  ])
  expect(known).toEqual([{ proof: 'key', has_acted: true }])
})
