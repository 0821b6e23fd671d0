import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { transportNames, type Fields } from '../parity/transport.ts'
import { openTransports } from '../parity/transports.ts'
import { signedIn } from './live-people.ts'
import { applied, expectStatus, startLiveMarket, type LiveMarket, type Party } from './live-market.ts'

let market: LiveMarket
beforeAll(async () => {
  market = await startLiveMarket()
})
afterAll(async () => {
  await market[Symbol.asyncDispose]()
})

const path = '/api/v1/workers/register'
const busy = { status: 409, body: { code: 'ACCOUNT_BUSY' } }

describe.each(transportNames)('over %s', (name) => {
  test('a wallet that signs and names no party is an agent, and a robot that renames itself stays one', async () => {
    const transport = openTransports(market.url)[name]
    const [plain, robot] = [await market.party(0n), await market.party(0n)]
    const register = async (as: Party, input: Fields): Promise<Fields> =>
      (await transport.call('workers.register', { as, input })).body
    expect(await register(plain, { name: 'Ada' })).toMatchObject({ display_name: 'Ada', executor_type: 'agent' })
    expect(await register(robot, { executor_type: 'robot' })).toMatchObject({ executor_type: 'robot' })
    expect(await register(robot, { name: 'R 1' })).toMatchObject({ display_name: 'R 1', executor_type: 'robot' })
  })
})

test('human takes a session, however it is asked for', async () => {
  const party = await market.party(0n)
  const asHuman = { as: party, input: { executor_type: 'human' } }
  const transports = openTransports(market.url)
  for (const name of ['REST', 'A2A'] as const) {
    expect(await transports[name].call('workers.register', asHuman)).toMatchObject({ code: 'SESSION_REQUIRED' })
  }
  const { body: agent } = expectStatus(await party.call('POST', path, {}), 201)
  const profile = `/api/v1/workers/${String(agent['id'])}`
  expect(await party.call('PUT', profile, asHuman.input)).toMatchObject({
    status: 401,
    body: { code: 'SESSION_REQUIRED' },
  })
  const person = await signedIn(market, await market.party(0n))
  expect((await person.call('POST', path, { name: 'Ada' })).body).toMatchObject({ executor_type: 'human' })
})

test('a party changes while nothing of the wallet is open, and not otherwise', async () => {
  const [publisher, worker] = [await market.party(2n), await market.party(0n)]
  const { taskId, executorId } = await applied(publisher, worker)
  const robot = { executor_type: 'robot' }
  const change = (by: Party, id: string): ReturnType<Party['call']> => by.call('PUT', `/api/v1/workers/${id}`, robot)
  expect(await worker.call('POST', path, robot)).toMatchObject({ ...busy, body: { details: { task_ids: [taskId] } } })
  expect(await change(worker, executorId)).toMatchObject(busy)
  const own = String(expectStatus(await publisher.call('POST', path, {}), 201).body['id'])
  expect(await change(publisher, own)).toMatchObject(busy)
  expectStatus(await publisher.call('POST', `/api/v1/tasks/${taskId}/cancel`, {}), 200)
  expect((await change(worker, executorId)).body).toMatchObject(robot)
  expect((await change(publisher, own)).body).toMatchObject(robot)
})
