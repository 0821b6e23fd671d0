import { operations } from '@ergon/contract'
import { Compile } from 'typebox/compile'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Reply } from '../dispatch/send.ts'
import {
  aTask,
  applied,
  approveFields,
  assign,
  expectStatus,
  paymentAuth,
  startLiveMarket,
  submit,
  type LiveMarket,
  type Party,
} from './live-market.ts'
import { ownOrigin, sendJson, signedIn, type Person } from './live-people.ts'

const path = '/api/v1/h2a/tasks'
let market: LiveMarket
let party: Party
let person: Person
let worker: Party

beforeAll(async () => {
  market = await startLiveMarket()
  party = await market.party(50n)
  person = await signedIn(market, party)
  worker = await market.party(0n)
})
afterAll(async () => {
  await market[Symbol.asyncDispose]()
})

function expectShape(name: keyof typeof operations, reply: Reply, status = 200): Readonly<Record<string, unknown>> {
  const { body } = expectStatus(reply, status)
  expect([...Compile(operations[name].output).Errors(body)], name).toEqual([])
  return body
}

async function publish(change: Readonly<Record<string, unknown>> = {}, publishedBy = person): Promise<string> {
  return String(expectShape('h2a.publish', await publishedBy.call('POST', path, aTask(change)), 201)['id'])
}

/** A person's task up to its submission; the lock is signed by the same wallet on the signed rail. */
async function submitted(): Promise<{ readonly taskId: string; readonly submissionId: string }> {
  const taskId = await publish()
  const application = expectStatus(await worker.call('POST', `/api/v1/tasks/${taskId}/apply`, {}), 201)
  const job = { taskId, executorId: String(application.body['executor_id']) }
  expectStatus(await assign(party, job, await paymentAuth(party, job)), 200)
  return { taskId, submissionId: await submit(worker, taskId) }
}

describe('the rail of people who publish (spec §1.4)', () => {
  test('a task says its fee, who published it and whom it is for, and needs no ERC-8004 identity', async () => {
    const body = expectShape(
      'h2a.publish',
      await person.call('POST', '/api/v1/publish', aTask({ target_executor_type: 'agent' })),
      201,
    )
    expect(body).toMatchObject({
      status: 'published',
      publisher_type: 'human',
      target_executor_type: 'agent',
      bounty_usd: 1.07,
      fee_usd: 0.1391,
      total_required_usd: 1.07,
      erc8004_agent_id: null,
    })
  })

  test('nothing but a session opens it: neither a signature nor nobody', async () => {
    for (const reply of [
      await party.call('POST', path, aTask()),
      await sendJson(market.url, 'POST', path, aTask(), { origin: ownOrigin }),
      await market.get(path),
    ]) {
      expect([reply.status, reply.body.code]).toEqual([401, 'SESSION_REQUIRED'])
      expect(reply.headers['www-authenticate']).toContain('SESSION_REQUIRED')
    }
  })

  test('a field that no rail knows is refused, and so is an offer to sell that nobody insists on', async () => {
    expect((await person.call('POST', path, aTask({ publisher_wallet: person.wallet }))).body).toMatchObject({
      code: 'UNKNOWN_FIELD',
    })
    const offer = aTask({
      title: 'I will build your website',
      instructions: 'I offer to build your website for this price, hire me today.',
    })
    expect((await person.call('POST', path, offer)).body).toMatchObject({ code: 'sell_intent_rejected' })
    const insists = { 'x-svc-insist': 'sell_intent' }
    expectStatus(await person.call('POST', path, offer, insists), 201)
    expect((await party.call('POST', '/api/v1/tasks', offer)).body).toMatchObject({ code: 'sell_intent_rejected' })
    const published = expectStatus(await party.call('POST', '/api/v1/tasks', offer, insists), 201)
    const its = `/api/v1/tasks/${String(published.body['id'])}`
    expect((await party.call('PUT', its, { title: 'I sell websites' })).body).toMatchObject({
      code: 'sell_intent_rejected',
    })
    expectStatus(await party.call('PUT', its, { title: 'I sell websites' }, insists), 200)
  })

  test('what a person orders in a session is its own to assign, to review and to pay', async () => {
    const seller = await market.party(0n)
    const offer = {
      title: 'I walk dogs',
      description: 'Around the block, and a line on how it was.',
      category: 'simple_action',
      unit_price_usd: 2,
    }
    const { id } = expectStatus(await seller.call('POST', '/api/v1/services', offer), 201).body
    const order = `/services/${String(id)}/order`
    const made = expectShape('h2a.order', await person.call('POST', `/api/v1/h2a${order}`, {}), 201)
    const job = { taskId: String(made['task_id']), executorId: String(made['seller_executor_id']) }
    const its = `${path}/${job.taskId}`
    expect(expectShape('h2a.get', await person.call('GET', its))).toMatchObject({ publisher_type: 'human' })
    const lock = { 'x-payment-auth': await paymentAuth(party, job) }
    expectStatus(await person.call('POST', `${its}/assign`, { executor_id: job.executorId }, lock), 200)
    const submissionId = await submit(seller, job.taskId)
    const paid = await person.call('POST', `${its}/approve`, {
      verdict: 'accepted',
      ...(await approveFields(party, submissionId)),
    })
    expect(expectShape('h2a.approve', paid)).toMatchObject({ status: 'approved', task_status: 'completed' })
    // What is ordered by signing requests is software's still, and a session is no way around a signature.
    const signed = expectStatus(await party.call('POST', `/api/v1${order}`, {}), 201).body
    expect((await person.call('GET', `${path}/${String(signed['task_id'])}`)).body).toMatchObject({
      code: 'TASK_NOT_FOUND',
    })
    expect((await person.call('POST', `/api/v1${order}`, {})).status).toBe(401)
    expect((await party.call('POST', `/api/v1/h2a${order}`, {})).status).toBe(401)
  })

  test('the list holds what people published, and my tasks what I did in any status', async () => {
    const other = await signedIn(market, await market.party(0n))
    const [mine, theirs] = [await publish({ title: 'Mine alone' }), await publish({ title: 'Not mine' }, other)]
    const { taskId: agents } = await applied(party, worker)
    expectShape('h2a.cancel', await person.call('POST', `${path}/${mine}/cancel`, { reason: 'Changed my mind.' }))
    const idsOf = (body: Readonly<Record<string, unknown>>): readonly string[] =>
      (body['tasks'] as readonly { readonly id: string }[]).map((one) => one.id) // checked by expectShape
    const all = idsOf(expectShape('h2a.list', await person.call('GET', `${path}?limit=100`)))
    expect([all.includes(theirs), all.includes(mine), all.includes(agents)]).toEqual([true, false, false])
    const own = idsOf(expectShape('h2a.list', await person.call('GET', `${path}?my_tasks=true&limit=100`)))
    expect([own.includes(theirs), own.includes(mine), own.includes(agents)]).toEqual([false, true, false])
    expect(idsOf(expectShape('h2a.list', await person.call('GET', `${path}?my_tasks=true&status=cancelled`)))).toEqual([
      mine,
    ])
  })

  test('my tasks say how many wait to be chosen, to their publisher alone, and who they are by name', async () => {
    const id = await publish({ title: 'Counted applications' })
    const [ada, bruno] = [await market.party(0n), await market.party(0n)]
    expectStatus(await ada.call('POST', '/api/v1/workers/register', { name: 'Ada L.' }), 201)
    for (const one of [ada, bruno]) expectStatus(await one.call('POST', `/api/v1/tasks/${id}/apply`, {}), 201)
    const countIn = (reply: Reply): unknown =>
      (expectShape('h2a.list', reply)['tasks'] as readonly Readonly<Record<string, unknown>>[]).find(
        (task) => task['id'] === id,
      )?.['applications_count'] // checked by expectShape
    expect(countIn(await person.call('GET', `${path}?my_tasks=true`))).toBe(2)
    expect(countIn(await person.call('GET', path))).toBeUndefined()
    expect(countIn(await (await signedIn(market, await market.party(0n))).call('GET', path))).toBeUndefined()
    const applications = expectShape('h2a.applications', await person.call('GET', `${path}/${id}/applications`))[
      'applications'
    ] as readonly Readonly<Record<string, unknown>>[] // checked by expectShape
    expect(applications.map((one) => one['display_name'])).toEqual(['Ada L.', null])
    expect(applications.map((one) => one['executor_type'])).toEqual(['agent', 'agent'])
    const bare = await party.call('GET', `/api/v1/tasks?publisher=${party.wallet}&limit=100`)
    expect(countIn(bare)).toBe(2)
  })

  test('the tasks of software are not on it, even for the same wallet', async () => {
    const { taskId } = await applied(party, worker)
    for (const [method, rest, body] of [
      ['GET', '', undefined],
      ['GET', '/applications', undefined],
      ['GET', '/submissions', undefined],
      ['POST', '/cancel', {}],
    ] as const) {
      expect((await person.call(method, `${path}/${taskId}${rest}`, body)).body, rest).toMatchObject({
        code: 'TASK_NOT_FOUND',
      })
    }
  })

  test('what belongs to the publisher is refused to another person', async () => {
    const { taskId } = await submitted()
    const other = await signedIn(market, await market.party(0n))
    for (const [method, rest, body] of [
      ['GET', '/applications', undefined],
      ['GET', '/submissions', undefined],
      ['GET', '/approve/challenge', undefined],
      ['POST', '/approve', { verdict: 'rejected', notes: 'No.  ' }],
      ['POST', '/cancel', {}],
    ] as const) {
      expect((await other.call(method, `${path}/${taskId}${rest}`, body)).body, rest).toMatchObject({
        code: 'FORBIDDEN',
      })
    }
    expectShape('h2a.get', await other.call('GET', `${path}/${taskId}`))
  })
})

describe('a verdict', () => {
  test('that accepts carries its feedback once: as notes or as feedback', async () => {
    const { taskId } = await submitted()
    const both = { verdict: 'accepted', notes: 'Thank you.', feedback: 'Thank you.' }
    expect((await person.call('POST', `${path}/${taskId}/approve`, both)).body).toMatchObject({
      code: 'VALIDATION_FAILED',
      details: { field: 'notes' },
    })
  })

  test('may ask for changes, then reject, which opens a dispute; both need a reason', async () => {
    const { taskId, submissionId } = await submitted()
    const decide = (body: Readonly<Record<string, unknown>>) => person.call('POST', `${path}/${taskId}/approve`, body)
    expect((await decide({ verdict: 'rejected' })).body).toMatchObject({
      code: 'VALIDATION_FAILED',
      details: { field: 'notes' },
    })
    expect(
      expectShape(
        'h2a.approve',
        await decide({ verdict: 'needs_revision', notes: 'Closer, please.', submission_id: submissionId }),
      ),
    ).toMatchObject({ status: 'needs_revision', task_status: 'in_progress', dispute_id: null })
    const again = await submit(worker, taskId)
    const rejected = expectShape('h2a.approve', await decide({ verdict: 'rejected', notes: 'Not this gate.' }))
    expect(rejected).toMatchObject({
      submission_id: again,
      status: 'rejected',
      task_status: 'disputed',
      notes: 'Not this gate.',
    })
    expect((await person.call('GET', `/api/v1/disputes/${String(rejected['dispute_id'])}`)).body).toMatchObject({
      opened_by: 'publisher',
      status: 'open',
    })
  })

  test('names a submission of that very task', async () => {
    const [one, two] = [await submitted(), await submitted()]
    expect(
      (
        await person.call('POST', `${path}/${one.taskId}/approve`, {
          verdict: 'rejected',
          notes: 'Not this one.',
          submission_id: two.submissionId,
        })
      ).body,
    ).toMatchObject({ code: 'SUBMISSION_NOT_FOUND' })
  })

  test('to pay needs the order of the wallet, which a session does not replace', async () => {
    const { taskId } = await submitted()
    expect((await person.call('POST', `${path}/${taskId}/approve`, { verdict: 'accepted' })).body).toMatchObject({
      code: 'LIFECYCLE_ORDER_REQUIRED',
    })
    const challenge = expectShape(
      'h2a.lifecycleChallenge',
      await person.call('GET', `${path}/${taskId}/lifecycle-challenge?action=release`),
    )
    expect(challenge).toMatchObject({ task_id: taskId, order: { action: 'release' } })
  })

  test('twice under one key is one verdict', async () => {
    const { taskId } = await submitted()
    const decide = () =>
      person.call(
        'POST',
        `${path}/${taskId}/approve`,
        { verdict: 'rejected', notes: 'Not this gate.' },
        { 'x-idempotency-key': `verdict-${taskId}` },
      )
    const first = expectShape('h2a.approve', await decide())
    expect(expectStatus(await decide(), 200).body).toEqual(first)
  })
})

test('what a signer must know is public: fee, bounds and the contracts of each network', async () => {
  const body = expectShape('h2a.paymentConfig', await market.get('/api/v1/h2a/payment-config'))
  expect(body).toMatchObject({
    fee_pct: 13,
    escrow: { max_fee_bps: 1_300, deposit_limit_usd: 100, networks: { localnet: { chain_id: 31337 } } },
  })
})
