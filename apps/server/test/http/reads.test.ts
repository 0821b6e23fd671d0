import { operations } from '@ergon/contract'
import { Compile } from 'typebox/compile'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Reply } from '../dispatch/send.ts'
import {
  applied,
  aTask,
  approveFields,
  assign,
  eventually,
  expectStatus,
  paymentAuth,
  startLiveMarket,
  submit,
  type Applied,
  type LiveMarket,
  type Party,
} from './live-market.ts'

type Read = keyof typeof operations
/** The answer holds what the contract says about the operation. */
function expectShape(name: Read, reply: Reply): Reply {
  const schema = Compile(operations[name].output)
  expect([...schema.Errors(expectStatus(reply, 200).body)], name).toEqual([])
  return reply
}

describe('the reads over HTTP, on a real chain', () => {
  let market: LiveMarket
  let publisher: Party
  let worker: Party
  let job: Applied
  let submissionId: string

  beforeAll(async () => {
    market = await startLiveMarket({ SVC_PLATFORM_AGENT_ID: '0' })
    publisher = await market.party(20n)
    worker = await market.party(0n)
    job = await applied(publisher, worker)
    expectStatus(await assign(publisher, job, await paymentAuth(publisher, job)), 200)
    submissionId = await submit(worker, job.taskId)
  })
  afterAll(async () => {
    await market[Symbol.asyncDispose]()
  })

  test.each([
    ['workers.list', '/api/v1/workers?min_reputation=0&has_completed=false&limit=5'],
    ['reputation.leaderboard', '/api/v1/reputation/leaderboard?limit=1'],
    ['reputation.platform', '/api/v1/reputation/em'],
    ['agents.directory', '/api/v1/agents/directory?page=1&limit=3'],
    ['service.healthIdentity', '/api/v1/health/identity'],
    ['service.healthNetworks', '/api/v1/health/networks'],
    ['service.agentInfo', '/api/v1/agent-info'],
    ['service.skills', '/api/v1/skills'],
    ['service.agentCard', '/.well-known/agent.json'],
    ['submissions.list', '/api/v1/submissions'],
  ] as const)('%s answers a stranger in the shape of the contract', async (name, target) => {
    expectShape(name, await market.get(target))
  })

  test.each(['limit=0', 'limit=101', 'limit=x', 'min_reputation=-1', 'has_completed=yes', 'cursor=abc', 'offset=-1'])(
    'the ranking refuses %s',
    async (query) => {
      expect((await market.get(`/api/v1/workers?${query}`)).status).toBe(422)
    },
  )

  test('every skill names a route that is served, and the card only what answers', async () => {
    const { skills } = expectStatus(await market.get('/api/v1/skills'), 200).body as {
      skills: { rest_endpoint: string }[]
    } // the contract's output
    const served = Object.values(operations).flatMap(({ rest }) => rest.map(({ method, path }) => `${method} ${path}`))
    for (const skill of skills) expect(served).toContain(skill.rest_endpoint)
    const card = expectStatus(await market.get('/.well-known/agent.json'), 200).body
    expect(card).toMatchObject({ protocolVersion: '0.3.0', version: '0.1.0' })
    expect(card['skills']).toHaveLength(skills.length)
    expect((await market.get('/.well-known/agent-card.json')).body).toEqual(card)
  })

  test('health, agent-info and its score name the platform’s own id', async () => {
    for (const path of [
      '/api/v1/health',
      '/api/v1/agent-info',
      '/api/v1/skills',
      '/api/v1/health/identity',
      '/api/v1/reputation/em',
    ]) {
      expect((await market.get(path)).body['agent_id'], path).toBe(0)
    }
  })

  test('a worker changes its profile; others get 403, unsigned callers 401, unknown fields 422', async () => {
    const target = `/api/v1/workers/${job.executorId}`
    const change = {
      name: 'Ada',
      bio: 'Reads maps.',
      capabilities: ['maps'],
      pricing: { page: 0.1, note: 'by the page' },
      avatar_url: 'https://a.test/ada.png',
    }
    const changed = expectShape('workers.update', await worker.call('PUT', target, change))
    expect(changed.body).toMatchObject({
      id: job.executorId,
      display_name: 'Ada',
      executor_type: 'agent',
      bio: 'Reads maps.',
      agent_card_url: null,
    })
    expect((await publisher.call('PUT', target, change)).status).toBe(403)
    expect((await worker.call('PUT', target, { ...change, wallet_address: worker.wallet })).status).toBe(422)
    expect((await worker.call('PUT', target, { avatar_url: 'javascript:alert(1)' })).status).toBe(422)
    const listed = expectShape('agents.directory', await market.get('/api/v1/agents/directory?capability=maps'))
    expect(listed.body).toMatchObject({
      total: 1,
      page: 1,
      limit: 20,
      agents: [
        {
          executor_id: job.executorId,
          display_name: 'Ada',
          wallet_address: worker.wallet,
          executor_type: 'agent',
          active_tasks: 1,
          verified: true,
          role: 'executor',
          rating: 0,
          tasks_published: 0,
        },
      ],
    })
  })

  test('submissions are read by both sides and by nobody else', async () => {
    expect((await market.get('/api/v1/submissions')).body).toMatchObject({ submissions: [], total: 0 })
    expect(
      expectShape('submissions.list', await worker.call('GET', `/api/v1/submissions?task_id=${job.taskId}`)).body,
    ).toMatchObject({ total: 1, submissions: [{ id: submissionId, evidence_accessed_at: null }] })
    const evidence = `/api/v1/submissions/${submissionId}/evidence`
    expect((await market.get(evidence)).status).toBe(403)
    expect((await (await market.party(0n)).call('GET', evidence)).status).toBe(403)
    const read = expectShape('submissions.evidence', await publisher.call('GET', evidence))
    expect(read.body).toMatchObject({
      count: 1,
      evidence: [{ type: 'text_response', kind: 'value', url: null, value: 'It is open.' }],
    })
    expect(read.body['evidence_accessed_at']).not.toBeNull()
  })

  test('identities are found from both ends, on every network with registries', async () => {
    const { body } = expectStatus(await market.get(`/api/v1/reputation/identity/wallet/${worker.wallet}`), 200)
    const agent = String(body['agent_id'])
    expect(
      expectShape('reputation.agentIdentity', await market.get(`/api/v1/reputation/agents/${agent}/identity`)).body,
    ).toMatchObject({ wallet: worker.wallet.toLowerCase(), executor_id: job.executorId })
    expect((await market.get('/api/v1/reputation/agents/99999/identity')).body).toMatchObject({
      code: 'IDENTITY_NOT_FOUND',
    })
    expect(
      expectShape('reputation.crossChain', await market.get(`/api/v1/reputation/wallet/${worker.wallet}/cross-chain`))
        .body,
    ).toMatchObject({
      networks: [{ network: 'localnet', agent_id: Number(agent), score: null, rating_count: 0, status: 'unrated' }],
    })
    const none = await market.party(0n)
    expect((await market.get(`/api/v1/reputation/wallet/${none.wallet}/cross-chain`)).body).toMatchObject({
      networks: [{ agent_id: null, status: 'unregistered' }],
    })
  })

  test('after an approval the worker has earned 87 % and is ranked', async () => {
    const target = `/api/v1/workers/${job.executorId}`
    expect((await market.get(`${target}/earnings`)).body).toMatchObject({ paid: [], pending: [], payments: [] })
    expect((await publisher.call('GET', `${target}/earnings`)).status).toBe(403)
    expect(expectShape('workers.earnings', await worker.call('GET', `${target}/earnings`)).body).toMatchObject({
      paid: [],
      pending: [{ gross_usd: 1.07, count: 1 }],
    })
    expectStatus(
      await publisher.call('POST', `/api/v1/submissions/${submissionId}/approve`, {
        rating: 90,
        feedback: 'Good.',
        ...(await approveFields(publisher, submissionId)),
      }),
      200,
    )
    const earned = expectShape('workers.earnings', await worker.call('GET', `${target}/earnings`))
    expect(earned.body).toMatchObject({
      pending: [],
      total: 1,
      paid: [{ network: 'localnet', token: 'USDC', payout_usd: 0.9309, count: 1 }],
      payments: [{ task_id: job.taskId, gross_usd: 1.07, payout_usd: 0.9309 }],
    })
    expect(expectShape('workers.tasks', await market.get(`${target}/tasks?status=completed`)).body).toMatchObject({
      total: 1,
      tasks: [{ id: job.taskId }],
    })
    expect(
      expectShape('reputation.leaderboard', await market.get('/api/v1/reputation/leaderboard')).body,
    ).toMatchObject({ leaderboard: [{ rank: 1, id: job.executorId, tasks_completed: 1 }] })
    const rated = await eventually(
      () => market.get(`${target}/reputation`),
      (reply) => reply.body['rating_count'] === 1 && reply.body['onchain_reputation_score'] !== null,
    )
    expect(expectShape('workers.reputation', rated).body).toMatchObject({
      avg_score: 90,
      onchain_reputation_score: 90,
      ratings: [{ task_id: job.taskId, score: 90, comment: 'Good.' }],
    })
    expect(
      expectShape('reputation.publisher', await market.get(`/api/v1/reputation/publishers/${publisher.wallet}`)).body,
    ).toMatchObject({ publisher_key: publisher.wallet.toLowerCase(), avg_score: null, rating_count: 0, ratings: [] })
  })
})

describe('open tasks in a part of the map', () => {
  let market: LiveMarket
  beforeAll(async () => {
    market = await startLiveMarket()
    const publisher = await market.party(0n)
    for (const [title, lat, lng] of [
      ['In Madrid', 40.42, -3.69],
      ['On Fiji', -17.5, 178.5],
      ['On Samoa', -13.8, -171.8],
    ] as const) {
      const { id } = expectStatus(await publisher.call('POST', '/api/v1/tasks', aTask({ title })), 201).body
      const place = { lat, lng, radius_m: 500 }
      expectStatus(await publisher.call('PUT', `/api/v1/tasks/${String(id)}/location`, place), 200)
    }
    expectStatus(await publisher.call('POST', '/api/v1/tasks', aTask({ title: 'Anywhere at all' })), 201)
  })
  afterAll(async () => {
    await market[Symbol.asyncDispose]()
  })

  test.each([
    ['-180,-90,180,90', ['On Samoa', 'On Fiji', 'In Madrid']],
    ['-10,35,5,45', ['In Madrid']],
    ['170,-30,-160,0', ['On Samoa', 'On Fiji']],
    ['-160,-30,170,50', ['In Madrid']],
    ['0.5,0.5,1,1', []],
  ])('within %s are %j, and what has no place is nowhere', async (box, titles) => {
    const reply = expectShape('tasks.available', await market.get(`/api/v1/tasks/available?box=${box}`))
    expect((reply.body['tasks'] as { readonly title: string }[]).map(({ title }) => title)).toEqual(titles)
    expect(reply.body['total']).toBe(titles.length)
  })

  test.each(['0,10,10,0', '0,-91,10,0', '-181,0,10,10', '5,0,5,10', '1,2,3', 'a,b,c,d', '1,2,3,4,5'])(
    'what is no part of the earth (%s) is refused by name',
    async (box) => {
      const reply = await market.get(`/api/v1/tasks/available?box=${box}`)
      expect([reply.status, JSON.stringify(reply.body)]).toEqual([422, expect.stringContaining('box')])
    },
  )
})
