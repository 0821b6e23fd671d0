import { codeOf } from '../ask.ts'
import { createTally, type AttackClass } from '../attack-class.ts'
import { applied, newParty } from '../market.ts'

const register = '/api/v1/workers/register'

/** Software that would pass for a person, or change what it is in the middle of something. */
export const parties: AttackClass = {
  name: 'parties',
  on: 'any',
  held: 'who signs is an agent; human takes a session; a party changes with nothing open',
  async attack(target) {
    const tally = createTally()
    const [plain, robot, publisher] = [await newParty(target), await newParty(target), await newParty(target, 5n)]
    const typeOf = async (id: unknown): Promise<unknown> =>
      (await plain.ask('GET', `/api/v1/workers/${String(id)}`)).body['executor_type']
    tally.attempt(
      'a wallet that signs and names no party',
      (await plain.signed('POST', register, { name: 'Ada' })).body['executor_type'] === 'agent',
    )
    for (const body of [{ executor_type: 'human' }, { executor_type: 'human', name: 'Ada' }])
      tally.attempt(
        'a signature that says human',
        codeOf(await plain.signed('POST', register, body)) === 'SESSION_REQUIRED',
      )
    const { body: made } = await robot.signed('POST', register, { executor_type: 'robot' })
    await robot.signed('POST', register, { name: 'R 1' })
    tally.attempt('a robot that renames itself', (await typeOf(made['id'])) === 'robot')
    tally.attempt(
      'a robot that says human',
      codeOf(await robot.signed('PUT', `/api/v1/workers/${String(made['id'])}`, { executor_type: 'human' })) ===
        'SESSION_REQUIRED' && (await typeOf(made['id'])) === 'robot',
    )
    const rpc = {
      jsonrpc: '2.0',
      id: 1,
      method: 'message/send',
      params: {
        message: {
          kind: 'message',
          role: 'user',
          messageId: 'm-1',
          parts: [{ kind: 'data', data: { action: 'workers/register', params: { executor_type: 'human' } } }],
        },
      },
    }
    const { body: told } = await robot.signed('POST', '/a2a', rpc)
    tally.attempt(
      'a robot that says human to another protocol',
      JSON.stringify(told).includes('SESSION_REQUIRED') && (await typeOf(made['id'])) === 'robot',
    )
    const { executorId } = await applied(publisher, plain)
    const change = await plain.signed('PUT', `/api/v1/workers/${executorId}`, { executor_type: 'robot' })
    tally.attempt(
      'another party while an application is open',
      codeOf(change) === 'ACCOUNT_BUSY' && (await typeOf(executorId)) === 'agent',
    )
    return tally.score()
  },
}
