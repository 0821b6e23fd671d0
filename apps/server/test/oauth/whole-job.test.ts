import type { TypedData } from '@ergon/protocols'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Reply } from '../dispatch/send.ts'
import { authority } from '../dispatch/tiny-service.ts'
import { aTask, eventually, expectStatus, submit, type Party } from '../http/live-market.ts'
import { connectHost, type BearerHost } from './bearer-client.ts'
import { basic, startLiveOAuth, type LiveOAuth } from './live-oauth.ts'

/** A tool host with nothing but tokens of ours does a whole job, on a real chain (spec §5, OAuth). */
let live: LiveOAuth
let publisher: Party
let worker: Party
beforeAll(async () => {
  live = await startLiveOAuth({ SVC_AUTHORITIES: authority })
  publisher = await live.market.party(100n)
  worker = await live.market.party(0n)
}, 120_000)
afterAll(() => live?.[Symbol.asyncDispose]())

const connect = (): Promise<BearerHost> => connectHost(`${live.issuer}/mcp`)
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
  const host = await connect()
  expect(await host.signIn(publisher, { scopes: basic })).toMatchObject({ scope: basic.join(' ') })
  good(await host.call('svc_get_fees'))
  const { taskId, submissionId } = await submitted(host)
  expect(good(await host.call('svc_get_task', { task_id: taskId }))).toMatchObject({ id: taskId, bounty_usd: 1.07 })
  expect(await live.market.balance(publisher.wallet)).toBe(98_930_000n)

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
