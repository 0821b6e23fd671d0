import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { withRandomSalt } from '../../src/testing/random-salt.ts'
import type { Reply } from '../dispatch/send.ts'
import { signedIn } from './live-people.ts'
import {
  aTask,
  applied,
  assign,
  eventually,
  expectStatus,
  paymentAuth,
  startLiveMarket,
  type LiveMarket,
  type Party,
} from './live-market.ts'

let market: LiveMarket
beforeAll(async () => {
  market = await startLiveMarket()
})
afterAll(async () => {
  await market[Symbol.asyncDispose]()
})

const offer = (change: Record<string, unknown> = {}) => ({
  title: 'I translate menus',
  description: 'I will translate your menu into English for you.',
  category: 'content_generation',
  unit_price_usd: 1.07,
  skills: ['Translation'],
  ...change,
})

async function posted(seller: Party, change: Record<string, unknown> = {}): Promise<string> {
  return String(expectStatus(await seller.call('POST', '/api/v1/services', offer(change)), 201).body['id'])
}

const executorOf = async (party: Party): Promise<string> =>
  String(expectStatus(await party.call('POST', '/api/v1/workers/register', {}), 201).body['id'])

/** Whether a task is in the open marketplace, and in the feed of workers. */
const feeds = async (taskId: string): Promise<readonly boolean[]> =>
  Promise.all(
    ['/api/v1/tasks', '/api/v1/tasks/available'].map(async (path) =>
      ((await market.get(`${path}?limit=100`)).body['tasks'] as readonly { id: string }[]).some(
        ({ id }) => id === taskId,
      ),
    ),
  )

describe('services over HTTP', () => {
  test('a listing is posted, found, ordered, assigned to its seller and locked on chain', async () => {
    const [seller, buyer] = [await market.party(0n), await market.party(5n)]
    const id = await posted(seller)
    const found = await market.get(
      `/api/v1/services?skills=translation,maps&seller=${seller.wallet}` +
        '&max_price_usd=1.07&min_reputation=50&sort=price',
    )
    expect(found.body).toMatchObject({
      total: 1,
      count: 1,
      has_more: false,
      next_cursor: null,
      listings: [
        {
          id,
          seller_wallet: seller.wallet.toLowerCase(),
          unit_price_usd: 1.07,
          skills: ['translation'],
          evidence_schema: ['text_response'],
          accepted_networks: ['localnet'],
          availability: 'active',
          orders_count: 0,
          has_reputation_history: false,
        },
      ],
    })
    const ordered = expectStatus(
      await buyer.call(
        'POST',
        `/api/v1/services/${id}/order`,
        { bounty_usd_override: 1.07, custom_instructions: 'It has four pages.' },
        { 'x-idempotency-key': 'menu' },
      ),
      201,
    )
    const { task_id, seller_executor_id } = ordered.body as Record<string, string>
    expect(ordered.body).toMatchObject({
      listing_id: id,
      bounty_usd: 1.07,
      escrow_status: 'pending_assignment',
      task_status: 'published',
      payment_network: 'localnet',
    })
    const again = expectStatus(
      await buyer.call(
        'POST',
        `/api/v1/services/${id}/order`,
        { bounty_usd_override: 1.07, custom_instructions: 'It has four pages.' },
        { 'x-idempotency-key': 'menu' },
      ),
      201,
    )
    expect([again.body['task_id'], again.headers['idempotent-replayed']]).toEqual([task_id, 'true'])
    const job = { taskId: String(task_id), executorId: String(seller_executor_id) }
    expectStatus(await assign(buyer, job, await paymentAuth(buyer, job)), 200)
    expect(await market.balance(buyer.wallet)).toBe(3_930_000n)
    expect((await market.get(`/api/v1/tasks/${job.taskId}`)).body).toMatchObject({
      title: 'Order: I translate menus',
      status: 'accepted',
      agent_id: buyer.wallet.toLowerCase(),
    })
    expect((await market.get(`/api/v1/services/${id}`)).body).toMatchObject({ orders_count: 1 })
  })

  test('an order that comes with a valid authorization locks in one call (spec §1.7)', async () => {
    const [seller, buyer] = [await market.party(0n), await market.party(5n)]
    const id = await posted(seller)
    const order = `/api/v1/services/${id}/order`
    const first = expectStatus(await buyer.call('POST', order, { deadline_hours: 30 }), 201).body
    const job = { taskId: String(first['task_id']), executorId: String(first['seller_executor_id']) }
    const ordered = await buyer.call('POST', order, {}, { 'x-payment-auth': await paymentAuth(buyer, job) })
    expect([ordered.status, ordered.body['task_status'], ordered.body['escrow_status'], ordered.body.code]).toEqual([
      409,
      undefined,
      undefined,
      'PAYMENT_AUTH_USED',
    ])
    const salted = await withRandomSalt(await paymentAuth(buyer, job), buyer.signer)
    expect(expectStatus(await buyer.call('POST', order, {}, { 'x-payment-auth': salted }), 201).body).toMatchObject({
      task_status: 'accepted',
      escrow_status: 'authorized',
    })
    expect(await market.balance(buyer.wallet)).toBe(3_930_000n)
    // What was refused is ordered by nobody.
    const own = await buyer.call('GET', `/api/v1/tasks?publisher=${buyer.wallet}&status=cancelled`)
    expect(own.body).toMatchObject({ total: 1 })
  })

  test('an order whose seller stepped down is for that seller, until its buyer opens it', async () => {
    const [seller, buyer, third] = [await market.party(0n), await market.party(5n), await market.party(0n)]
    const ordered = expectStatus(await buyer.call('POST', `/api/v1/services/${await posted(seller)}/order`, {}), 201)
    const job = { taskId: String(ordered.body['task_id']), executorId: String(ordered.body['seller_executor_id']) }
    const task = `/api/v1/tasks/${job.taskId}`
    expectStatus(await assign(buyer, job, await paymentAuth(buyer, job)), 200)
    expect([200, 202]).toContain((await seller.call('POST', `${task}/withdraw`, {})).status)
    await eventually(
      async () => (await buyer.call('GET', task)).body,
      (body) => body['status'] === 'published',
    )
    expect((await third.call('POST', `${task}/apply`, {})).body.code).toBe('TASK_NOT_OPEN')
    expect(await feeds(job.taskId)).toEqual([false, false])
    expectStatus(await seller.call('POST', `${task}/apply`, {}), 201)
    expect((await buyer.call('PUT', task, { open_to_all: true, min_reputation: 3 })).body.code).toBe(
      'TASK_NOT_EDITABLE',
    )
    expectStatus(await third.call('PUT', task, { open_to_all: true }), 403)
    expectStatus(await buyer.call('PUT', task, { open_to_all: true }), 200)
    expect(await feeds(job.taskId)).toEqual([true, true])
    expectStatus(await third.call('POST', `${task}/apply`, {}), 201)
  })

  test('the public stream tells nobody of an order, and its seller hears of it', async () => {
    const [seller, buyer] = [await market.party(0n), await market.party(5n)]
    const id = await posted(seller)
    const ordered = expectStatus(await buyer.call('POST', `/api/v1/services/${id}/order`, {}), 201)
    const taskId = String(ordered.body['task_id'])
    const typesOf = async (reply: Promise<Reply>): Promise<readonly unknown[]> =>
      ((await reply).body['events'] as readonly { type: string; data: { task_id: string } }[])
        .filter(({ data }) => data.task_id === taskId)
        .map(({ type }) => type)
    expect(
      await eventually(
        () => typesOf(buyer.call('GET', '/api/v1/events?limit=500')),
        (types) => types.length > 1,
      ),
    ).toEqual(['task.created', 'worker.applied'])
    expect(await typesOf(seller.call('GET', '/api/v1/events?limit=500'))).toEqual(['worker.applied'])
    expect(await typesOf(market.get('/api/v1/events?scope=public&limit=500'))).toEqual([])
    expect(await typesOf(market.get('/api/v1/events?scope=public&types=task.created&limit=500'))).toEqual([])
    const plain = expectStatus(await buyer.call('POST', '/api/v1/tasks', aTask()), 201).body['id']
    const open = await eventually(
      async () => (await market.get(`/api/v1/events?scope=public&task_id=${String(plain)}`)).body['events'] as object[],
      (events) => events.length > 0,
    )
    expect(open).toMatchObject([{ type: 'task.created' }])
  })

  test('a task that names a listing is its order: the price is the seller’s, and the seller becomes the applicant', async () => {
    const [seller, buyer] = [await market.party(0n), await market.party(5n)]
    const id = await posted(seller)
    const order = { ...aTask({ title: 'I translate menus' }), listing_id: id }
    expect((await buyer.call('POST', '/api/v1/tasks', { ...order, bounty_usd: 2 })).body.code).toBe('price_mismatch')
    expect((await seller.call('POST', '/api/v1/tasks', order)).body.code).toBe('OWN_LISTING')
    const key = { 'x-idempotency-key': 'one-order' }
    const taskId = String(expectStatus(await buyer.call('POST', '/api/v1/tasks', order, key), 201).body['id'])
    expectStatus(await buyer.call('POST', '/api/v1/tasks', order, key), 201)
    const found = (await buyer.call('GET', `/api/v1/tasks/${taskId}/applications`)).body
    expect(found).toMatchObject({ total: 1, applications: [{ executor_id: await executorOf(seller) }] })
    expect(await feeds(taskId)).toEqual([false, false])
  })

  test('whoever was not chosen is told, alone, and hears it when the task ends without anybody', async () => {
    const buyer = await market.party(5n)
    const [chosen, left] = [await market.party(0n), await market.party(0n)]
    const job = await applied(buyer, chosen)
    expectStatus(await left.call('POST', `/api/v1/tasks/${job.taskId}/apply`, {}), 201)
    expectStatus(await assign(buyer, job, await paymentAuth(buyer, job)), 200)
    const heard = async (party: Party) =>
      (await party.call('GET', '/api/v1/events?types=worker.not_chosen')).body['events'] as readonly { data: object }[]
    // What another call has not committed yet holds back what came after it.
    const heardOnce = (party: Party, count: number) =>
      eventually(
        () => heard(party),
        (events) => events.length >= count,
      )
    expect(await heardOnce(left, 1)).toMatchObject([
      { data: { task_id: job.taskId, executor_id: await executorOf(left), reason: 'another_worker' } },
    ])
    expect([await heard(chosen), await heard(buyer)]).toEqual([[], []])
    const other = await applied(buyer, left)
    expectStatus(await buyer.call('POST', `/api/v1/tasks/${other.taskId}/cancel`, {}), 200)
    expect(await heardOnce(left, 2)).toMatchObject([{}, { data: { task_id: other.taskId, reason: 'task_ended' } }])
  })

  test('until the seller is assigned, nobody else applies and it is in no public feed', async () => {
    const [seller, buyer, third] = [await market.party(0n), await market.party(5n), await market.party(0n)]
    const ordered = expectStatus(await buyer.call('POST', `/api/v1/services/${await posted(seller)}/order`, {}), 201)
    const taskId = String(ordered.body['task_id'])
    expect((await third.call('POST', `/api/v1/tasks/${taskId}/apply`, {})).body.code).toBe('TASK_NOT_OPEN')
    for (const path of ['/api/v1/tasks', '/api/v1/tasks/available']) {
      const { tasks } = (await market.get(`${path}?limit=100`)).body as {
        readonly tasks: readonly { readonly id: string }[]
      }
      expect(tasks.map((one) => one.id)).not.toContain(taskId)
    }
    const own = await buyer.call('GET', `/api/v1/tasks?publisher=${buyer.wallet}`)
    expect(own.body).toMatchObject({ total: 1, tasks: [{ id: taskId, status: 'published' }] })
  })

  test('what is refused, and how', async () => {
    const [seller, buyer] = [await market.party(0n), await market.party(0n)]
    const [id, paused] = [await posted(seller), await posted(seller)]
    expectStatus(await seller.call('PATCH', `/api/v1/services/${paused}`, { availability: 'paused' }), 200)
    const missing = '01890a5d-ac96-774b-bcce-b302099a8057'
    const cases = [
      [seller, 'POST', `/${id}/order`, {}, 400, 'OWN_LISTING'],
      [buyer, 'POST', `/${id}/order`, { bounty_usd_override: 1.06 }, 422, 'price_mismatch'],
      [buyer, 'POST', `/${id}/order`, { payment_network: 'base' }, 422, 'NETWORK_NOT_ACCEPTED'],
      [buyer, 'POST', `/${paused}/order`, {}, 409, 'LISTING_PAUSED'],
      [buyer, 'POST', `/${missing}/order`, {}, 404, 'LISTING_NOT_FOUND'],
      [buyer, 'PATCH', `/${id}`, { unit_price_usd: 2 }, 403, 'FORBIDDEN'],
      [buyer, 'POST', '', offer({ unit_price_usd: 0.001 }), 422, 'INVALID_BOUNTY'],
      [buyer, 'POST', '', offer({ seller: buyer.wallet }), 422, 'UNKNOWN_FIELD'],
      [buyer, 'GET', `/match/for-task/${missing}`, undefined, 404, 'TASK_NOT_FOUND'],
    ] as const
    for (const [party, method, path, body, status, code] of cases) {
      const reply = await party.call(method, `/api/v1/services${path}`, body)
      expect([path, reply.status, reply.body.code]).toEqual([path, status, code])
    }
    expect((await market.get(`/api/v1/services/${missing}`)).status).toBe(404)
    expect((await market.get('/api/v1/services?cursor=nonsense')).body.code).toBe('VALIDATION_FAILED')
  })

  test('the 21st active listing answers 429 with its code, and the own listings are shown to the signer alone', async () => {
    const seller = await market.party(0n)
    for (let count = 0; count < 20; count += 1) await posted(seller)
    const reply = await seller.call('POST', '/api/v1/services', offer())
    expect([reply.status, reply.body.code]).toEqual([429, 'LISTING_CAP_REACHED'])
    expect((await seller.call('GET', '/api/v1/services/mine?limit=5')).body).toMatchObject({
      total: 20,
      count: 5,
      has_more: true,
    })
    expect((await market.get('/api/v1/services/mine')).body).toMatchObject({ total: 0, listings: [] })
  })

  test('tasks, orders and listings share the hourly limit of publishing, and an order whose money never moved is not counted', async () => {
    await using narrow = await startLiveMarket({ SVC_PUBLISH_PER_HOUR: '3' }, market.rig)
    const [seller, buyer, person] = [await narrow.party(0n), await narrow.party(0n), await narrow.party(0n)]
    const id = await posted(seller)
    const codes = async (acts: readonly (() => Promise<Reply>)[]): Promise<(number | string | undefined)[]> => {
      const seen = []
      for (const act of acts) {
        const reply = await act()
        seen.push(reply.body.code ?? reply.status)
      }
      return seen
    }
    const order = (): Promise<Reply> => buyer.call('POST', `/api/v1/services/${id}/order`, {})
    const task = (): Promise<Reply> => buyer.call('POST', '/api/v1/tasks', aTask())
    expect(
      await codes([order, task, order, order, task, () => buyer.call('POST', '/api/v1/services', offer())]),
    ).toEqual([201, 201, 201, 'RATE_LIMITED', 'RATE_LIMITED', 'RATE_LIMITED'])
    expect((await narrow.get(`/api/v1/services/${id}`)).body).toMatchObject({ orders_count: 0 })
    const hers = await signedIn(narrow, person)
    const h2a = (): Promise<Reply> => hers.call('POST', '/api/v1/h2a/tasks', aTask())
    expect(
      await codes([
        h2a,
        () => person.call('POST', `/api/v1/services/${id}/order`, {}),
        h2a,
        () => person.call('POST', `/api/v1/services/${id}/order`, {}),
        h2a,
      ]),
    ).toEqual([201, 201, 201, 'RATE_LIMITED', 'RATE_LIMITED'])
  })

  test('a task finds the listing that could do it', async () => {
    const [seller, buyer] = [await market.party(0n), await market.party(0n)]
    const id = await posted(seller, { category: 'bureaucratic' })
    const task = expectStatus(
      await buyer.call('POST', '/api/v1/tasks', {
        title: 'Fill in the form',
        instructions: 'Fill in the form of the town hall for me.',
        category: 'bureaucratic',
        bounty_usd: 2,
        evidence_required: ['text_response'],
      }),
      201,
    )
    expect((await market.get(`/api/v1/services/match/for-task/${String(task.body['id'])}`)).body).toMatchObject({
      task_id: task.body['id'],
      count: 1,
      listings: [{ id }],
    })
  })
})
