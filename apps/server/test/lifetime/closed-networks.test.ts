import { queryDatabase } from '@ergon/dev-env'
import { expect, test } from 'vitest'
import { asAdmin, expectShape } from '../http/live-admin.ts'
import {
  aTask,
  applied,
  approveFields,
  assign,
  eventually,
  expectStatus,
  paymentAuth,
  submit,
  type Reached,
} from '../http/live-market.ts'
import { beginLifetime } from './starts.ts'

/** A network that the operator closed takes nothing new, and what is open there ends (decision 0299). */

const patienceMs = 120_000
const close = (market: Pick<Reached, 'url'>, value: string | null) =>
  asAdmin(market, 'PUT', '/api/v1/admin/config', { key: 'networks.closed', value, reason: 'An exploit is told of.' })
const refusal = { code: 'NETWORK_CLOSED', details: { network: 'localnet', open: ['base-sepolia'] } }

test('a closed network takes no jobs and no locks, and what is open ends', { timeout: patienceMs }, async () => {
  const lifetime = await beginLifetime()
  const market = await lifetime.start()
  const [publisher, worker] = [await market.party(20n), await market.party(0n)]
  const [waiting, paid, cancelled, late] = [
    await applied(publisher, worker),
    await applied(publisher, worker),
    await applied(publisher, worker),
    await applied(publisher, worker),
  ]
  for (const job of [paid, cancelled, late])
    expectStatus(await assign(publisher, job, await paymentAuth(publisher, job)), 200)
  const auth = await paymentAuth(publisher, waiting)

  expectStatus(await close(market, 'localnet'), 200)
  expect(await publisher.call('POST', '/api/v1/tasks', aTask())).toMatchObject({ status: 409, body: refusal })
  const challenge = `/api/v1/tasks/${waiting.taskId}/assign/challenge?executor_id=${waiting.executorId}`
  expect(await publisher.call('GET', challenge)).toMatchObject({ status: 409, body: refusal })
  expect(await assign(publisher, waiting, auth), 'signed before').toMatchObject({ status: 409, body: refusal })

  const submissionId = await submit(worker, paid.taskId)
  const approve = `/api/v1/submissions/${submissionId}/approve`
  expectStatus(await publisher.call('POST', approve, await approveFields(publisher, submissionId)), 200)
  expect(await market.balance(worker.wallet)).toBe(930_900n)
  expectStatus(await publisher.call('POST', `/api/v1/tasks/${cancelled.taskId}/cancel`, {}), 200)
  const overdue = "update tasks set deadline = now() - interval '1 minute' where id = $1"
  await queryDatabase(lifetime.databaseUrl, overdue, [late.taskId])
  const left = 20_000_000n - 1_070_000n
  expect(
    await eventually(
      () => market.balance(publisher.wallet),
      (has) => has === left,
    ),
  ).toBe(left)
})

test('it is told plainly, survives a start, and is opened again', { timeout: patienceMs }, async () => {
  const lifetime = await beginLifetime()
  const first = await lifetime.start()
  const publisher = await first.party(0n)
  expect(await close(first, 'moon'), 'a name that is misspelt would close nothing').toMatchObject({ status: 422 })
  expectStatus(await close(first, '*'), 200)

  const again = await lifetime.start()
  const told = async (market: Reached) => ({
    config: expectShape('service.config', await market.get('/api/v1/config'))['closed_networks'],
    health: expectShape('service.health', await market.get('/api/v1/health'))['closed_networks'],
    networks: expectShape('payments.networks', await market.get('/api/v1/payments/networks'))['networks'],
    parts: expectShape('service.healthNetworks', await market.get('/api/v1/health/networks'))['networks'],
  })
  const every = ['localnet', 'base-sepolia']
  const closed = every.map((name) => expect.objectContaining({ name, takes_new_jobs: false }) as unknown)
  expect(await told(again)).toEqual({ config: every, health: every, networks: closed, parts: closed })
  const all = { code: 'NETWORK_CLOSED', details: { network: 'localnet', open: [] } }
  expect(await again.known(publisher).call('POST', '/api/v1/tasks', aTask())).toMatchObject({ status: 409, body: all })

  expectStatus(await close(again, null), 200)
  expect(await told(again)).toMatchObject({ config: [], health: [] })
  expectStatus(await again.known(publisher).call('POST', '/api/v1/tasks', aTask()), 201)

  // What the settings closed, the admin key does not open.
  const byEnv = await lifetime.start({ SVC_CLOSED_NETWORKS: 'localnet' })
  expect(await close(byEnv, 'base-sepolia')).toMatchObject({ status: 200, body: { value: 'localnet,base-sepolia' } })
  expectStatus(await close(byEnv, ''), 200)
  expect(await byEnv.known(publisher).call('POST', '/api/v1/tasks', aTask())).toMatchObject({
    status: 409,
    body: refusal,
  })
})
