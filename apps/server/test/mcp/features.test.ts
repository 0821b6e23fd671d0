import { limits, tools } from '@ergon/contract'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import {
  aTask,
  applied,
  assign,
  eventually,
  expectStatus,
  paymentAuth,
  submit,
  type LiveMarket,
  type Party,
} from '../http/live-market.ts'
import { body, legacyClient, modernClient, signingFetch, startLiveTools } from './live-tools.ts'

let live: LiveMarket
let publisher: Party
let stranger: Party
let client: Awaited<ReturnType<typeof modernClient>>
beforeAll(async () => {
  live = await startLiveTools()
  publisher = await live.party(10n)
  stranger = await live.party(0n)
  client = await modernClient(live.url, signingFetch(publisher.signer))
})
afterAll(async () => {
  await client[Symbol.asyncDispose]()
  await live[Symbol.asyncDispose]()
})

const publish = async (party: Party): Promise<string> =>
  String(expectStatus(await party.call('POST', '/api/v1/tasks', aTask()), 201).body['id'])

test('the server names itself by the version of the specification, with short instructions', async () => {
  expect(client.client.getServerVersion()).toMatchObject({ name: 'ergon', version: '1.20.0' })
  expect(client.client.getInstructions()?.length).toBeLessThanOrEqual(1_500)
})

test('every tool of the specification has a title, all four hints and schemas of objects', async () => {
  const { tools: listed } = await client.client.listTools()
  expect(listed).toHaveLength(Object.keys(tools).length)
  for (const tool of listed) {
    expect(tool).toMatchObject({
      title: expect.any(String),
      inputSchema: { type: 'object' },
      outputSchema: { type: 'object' },
    })
    expect(Object.keys(tool.annotations ?? {}).sort()).toEqual([
      'destructiveHint',
      'idempotentHint',
      'openWorldHint',
      'readOnlyHint',
    ])
  }
})

describe('resources', () => {
  test.each(['svc://categories', 'svc://networks', 'svc://fees', 'svc://skills'])('%s can be read', async (uri) => {
    expect((await client.client.listResources()).resources.map((one) => one.uri)).toContain(uri)
    const { contents } = await client.client.readResource({ uri })
    expect(contents).toMatchObject([{ uri, text: expect.stringMatching(/\S/) }])
  })

  test('a fee is the one REST tells, and a task is shown to whom it would be shown', async () => {
    const fees = (await client.client.readResource({ uri: 'svc://fees' })).contents[0]
    expect(JSON.parse(String(fees !== undefined && 'text' in fees ? fees.text : ''))).toMatchObject({
      fee_bps: limits.feeBps,
    })
    const taskId = await publish(publisher)
    expectStatus(await publisher.call('POST', `/api/v1/tasks/${taskId}/cancel`, {}), 200)
    const own = (await client.client.readResource({ uri: `svc://tasks/${taskId}` })).contents[0]
    expect(String(own !== undefined && 'text' in own ? own.text : '')).toContain('"cancelled"')
    await using other = await modernClient(live.url, signingFetch(stranger.signer))
    await expect(other.client.readResource({ uri: `svc://tasks/${taskId}` })).rejects.toMatchObject({
      code: -32602,
      data: { code: 'TASK_GONE' },
    })
    const { resourceTemplates } = await client.client.listResourceTemplates()
    expect(resourceTemplates.find(({ name }) => name === 'meter')?.description).toContain('FEATURE_DISABLED')
    // Told to clients of every revision, and older ones have nothing to subscribe with.
    expect(resourceTemplates.find(({ name }) => name === 'task')?.description).toMatch(/revisions that have it/)
    await expect(client.client.readResource({ uri: `svc://tasks/${taskId}/meter` })).rejects.toMatchObject({
      code: -32602,
      data: { code: 'FEATURE_DISABLED' },
    })
  })

  test('a subscriber hears when a task changes, and no stranger hears of what it may not read', async () => {
    const taskId = await publish(publisher)
    const heard: string[] = []
    client.client.setNotificationHandler('notifications/resources/updated', ({ params }) => {
      heard.push(params.uri)
    })
    const uri = `svc://tasks/${taskId}`
    const subscription = await client.client.listen({ resourceSubscriptions: [uri] })
    expectStatus(await stranger.call('POST', `/api/v1/tasks/${taskId}/apply`, {}), 201)
    expect(
      await eventually(
        () => Promise.resolve(heard),
        (all) => all.length > 0,
      ),
    ).toContain(uri)
    await subscription.close()
    expectStatus(await publisher.call('POST', `/api/v1/tasks/${taskId}/cancel`, {}), 200)
    await using other = await modernClient(live.url, signingFetch((await live.party(0n)).signer))
    await expect(other.client.listen({ resourceSubscriptions: [uri] })).rejects.toThrow()
  })
})

test('prompts take their arguments, and refuse what is missing', async () => {
  expect((await client.client.listPrompts()).prompts.map(({ name }) => name)).toEqual([
    'publish-task',
    'review-submission',
    'find-work',
  ])
  const { messages } = await client.client.getPrompt({
    name: 'publish-task',
    arguments: { goal: 'Paint the fence', budget_usd: '5' },
  })
  expect(JSON.stringify(messages)).toContain('It may cost 5 USD at most.')
  await expect(client.client.getPrompt({ name: 'review-submission' })).rejects.toMatchObject({ code: -32602 })
  await expect(client.client.getPrompt({ name: 'toString' })).rejects.toMatchObject({ code: -32602 })
})

test('arguments are completed: categories, and ids of own tasks', async () => {
  const taskId = await publish(publisher)
  const complete = async (name: string, value: string) =>
    (
      await client.client.complete({
        ref: { type: 'ref/prompt', name: 'review-submission' },
        argument: { name, value },
      })
    ).completion.values
  expect(await complete('category', 'social')).toEqual(['social_proof', 'social'])
  expect(await complete('task_id', taskId.slice(0, 30))).toContain(taskId)
  await using other = await legacyClient(live.url, signingFetch(stranger.signer))
  expect(
    (
      await other.client.complete({
        ref: { type: 'ref/resource', uri: 'svc://tasks/{id}' },
        argument: { name: 'id', value: '' },
      })
    ).completion.values,
  ).not.toContain(taskId)
})

describe('wallet actions change nothing', () => {
  test('an order answers the two calls that do it', async () => {
    const listing = {
      title: 'Gates photographed',
      description: 'One picture of one gate in your town.',
      category: 'simple_action',
      unit_price_usd: 2,
      evidence_schema: ['text_response'],
    }
    await using seller = await modernClient(live.url, signingFetch(stranger.signer))
    const listingId = String(body(await seller.call('svc_publish_service', listing))['id'])
    const before = body(await client.call('svc_get_tasks', { agent_id: publisher.wallet }))['total']
    const answer = await client.call('svc_order_service', {
      listing_id: listingId,
      custom_instructions: 'The northern one.',
    })
    expect(answer).toMatchObject({
      isError: true,
      structuredContent: {
        wallet_action: {
          kind: 'eip712_incomplete',
          instead: { steps: [{ tool: 'svc_publish_task', arguments: { bounty_usd: 2 } }, { tool: 'svc_assign_task' }] },
        },
      },
    })
    expect((await publisher.call('GET', `/api/v1/tasks?publisher=${publisher.wallet}`)).body['total']).toBe(before)
    const action = answer.structuredContent?.['wallet_action'] as {
      readonly instead: { readonly steps: readonly { readonly arguments: Record<string, unknown> }[] }
    } // asserted above
    expect(body(await client.call('svc_publish_task', action.instead.steps[0]?.arguments))).toMatchObject({
      status: 'published',
      bounty_usd: 2,
    })
  })

  test('a refused challenge is told instead of the signature it would have asked for', async () => {
    const job = await applied(publisher, stranger)
    const other = await live.party(0n)
    const registered = expectStatus(await other.call('POST', '/api/v1/workers/register', {}), 201)
    const answer = await client.call('svc_assign_task', {
      task_id: job.taskId,
      executor_id: String(registered.body['id']),
    })
    expect(answer).toMatchObject({ isError: true, structuredContent: { code: 'WORKER_NOT_APPLIED' } })
    expect(answer.structuredContent).not.toHaveProperty('wallet_action')
  })

  test('X-Payment-Worker replaces the argument, must be covered, and may not contradict', async () => {
    const job = await applied(publisher, stranger)
    const args = { task_id: job.taskId, executor_id: job.executorId, payment_auth: await paymentAuth(publisher, job) }
    const withHeader = async (wallet: string) =>
      modernClient(live.url, async (url, init) =>
        signingFetch(publisher.signer)(url, {
          ...init,
          headers: { ...Object.fromEntries(new Headers(init?.headers)), 'x-payment-worker': wallet },
        }),
      )
    await using wrong = await withHeader(publisher.wallet)
    expect((await wrong.call('svc_assign_task', args)).structuredContent).toMatchObject({ code: 'FORBIDDEN_RECEIVER' })
    await using right = await withHeader(stranger.wallet)
    expect(
      (await right.call('svc_assign_task', { ...args, payment_worker: publisher.wallet })).structuredContent,
    ).toMatchObject({ code: 'VALIDATION_FAILED', details: { field: 'payment_worker' } })
    expect(body(await right.call('svc_assign_task', args))).toMatchObject({ status: 'accepted' })
  })
})

test('a key works across REST and tools: the same intention runs once', async () => {
  const job = await applied(publisher, stranger)
  expectStatus(await assign(publisher, job, await paymentAuth(publisher, job)), 200)
  const submissionId = await submit(stranger, job.taskId)
  const reason = { reason: 'The gate is not to be seen.' }
  const rejected = expectStatus(
    await publisher.call('POST', `/api/v1/submissions/${submissionId}/reject`, reason, {
      'x-idempotency-key': 'reject-once',
    }),
    200,
  )
  expect(
    body(
      await client.call('svc_reject_submission', {
        submission_id: submissionId,
        ...reason,
        idempotency_key: 'reject-once',
      }),
    ),
  ).toEqual(rejected.body)
  expect(
    (
      await client.call('svc_reject_submission', {
        submission_id: submissionId,
        reason: 'Something else entirely.',
        idempotency_key: 'reject-once',
      })
    ).structuredContent,
  ).toMatchObject({ code: 'IDEMPOTENCY_KEY_REUSED' })
  expect(
    (
      await client.call('svc_reject_submission', {
        submission_id: submissionId,
        ...reason,
        idempotency_key: 'with a blank',
      })
    ).structuredContent,
  ).toMatchObject({ code: 'VALIDATION_FAILED' })
})

test('agent-info and the server card name the tool server; the agent card names A2A alone', async () => {
  const url = `${live.url}/mcp/`
  expect((await live.get('/api/v1/agent-info')).body['protocols']).toMatchObject({ mcp: { url, version: '1.20.0' } })
  expect((await live.get('/.well-known/agent-card.json')).body['additionalInterfaces']).toEqual([
    { url: expect.stringMatching(/\/a2a/) as string, transport: 'JSONRPC' },
  ])
  expect((await live.get('/.well-known/mcp/server-card.json')).body['remotes']).toEqual([
    { type: 'streamable-http', url },
  ])
})
