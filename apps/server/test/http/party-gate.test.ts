import { targets, type Target } from '@ergon/contract'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openTransports } from '../parity/transports.ts'
import { signedIn } from './live-people.ts'
import { aTask, expectStatus, startLiveMarket, type LiveMarket, type Party } from './live-market.ts'

let market: LiveMarket
let publisher: Party
const [agentsToo, robotsToo, peopleToo] = [
  ['agent', 'any'],
  ['any', 'robot'],
  ['any', 'human'],
]
beforeAll(async () => {
  market = await startLiveMarket()
  publisher = await market.party(0n)
  const person = await signedIn(market, await market.party(0n))
  for (const target_executor_type of targets) {
    const task = aTask({ target_executor_type })
    expectStatus(await publisher.call('POST', '/api/v1/tasks', task), 201)
    expectStatus(await person.call('POST', '/api/v1/h2a/tasks', task), 201)
  }
})
afterAll(async () => {
  await market[Symbol.asyncDispose]()
})

function targetsOf(body: Readonly<Record<string, unknown>>): readonly Target[] {
  const found = body['tasks'] as readonly { readonly target_executor_type: Target }[] // the contract's shape
  return [...new Set(found.map((one) => one.target_executor_type))].toSorted()
}

describe('an executor sees only tasks whose target equals its own party or any (spec §1.3)', () => {
  test.each(['/api/v1/tasks', '/api/v1/tasks/available'])('in GET %s, unless it asks for all parties', async (path) => {
    const [agent, robot] = [await market.party(0n), await market.party(0n)]
    const person = await signedIn(market, await market.party(0n))
    expectStatus(await robot.call('POST', '/api/v1/workers/register', { executor_type: 'robot' }), 201)
    const seen = async (by: Pick<Party, 'call'>, query = ''): Promise<readonly Target[]> =>
      targetsOf(expectStatus(await by.call('GET', `${path}${query}`), 200).body)
    expect(await seen(agent)).toEqual(agentsToo)
    expect(await seen(robot)).toEqual(robotsToo)
    expect(await seen(person)).toEqual(peopleToo)
    expect(await seen(robot, '?all_parties=true')).toEqual(targets.toSorted())
    expect(targetsOf((await market.get(path)).body)).toEqual(targets.toSorted())
  })

  test('in svc_browse_agent_tasks and svc_get_tasks too', async () => {
    const { tools } = openTransports(market.url)
    const agent = await market.party(0n)
    for (const operation of ['tasks.available', 'tasks.list'] as const) {
      const { body } = await tools.call(operation, { as: agent, input: {} })
      expect(targetsOf(body)).toEqual(agentsToo)
      const all = await tools.call(operation, { as: agent, input: { all_parties: true } })
      expect(targetsOf(all.body)).toEqual(targets.toSorted())
    }
  })

  test('among what people published, and what it published itself it sees whole', async () => {
    const person = await signedIn(market, await market.party(0n))
    expect(targetsOf((await person.call('GET', '/api/v1/h2a/tasks')).body)).toEqual(peopleToo)
    const all = await person.call('GET', '/api/v1/h2a/tasks?all_parties=true')
    expect(targetsOf(all.body)).toEqual(targets.toSorted())
    const own = await publisher.call('GET', `/api/v1/tasks?publisher=${publisher.wallet}`)
    expect(targetsOf(own.body)).toEqual(targets.toSorted())
  })
})
