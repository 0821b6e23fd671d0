import { ask, codeOf, type Reply } from '../ask.ts'
import { createTally, type AttackClass } from '../attack-class.ts'
import { newCaller, type Caller, type Prepared } from '../caller.ts'
import { aTask, idOf } from '../market.ts'
import type { Target } from '../target.ts'

const path = '/api/v1/services/mine'
const copies = 10

/** Signatures that were made for something else, by another party, for another time, or were used before. */
export const signatures: AttackClass = {
  name: 'replayed and foreign signatures',
  on: 'any',
  held: 'a signature over method, host, path, query and body; chain id; 300 s; one nonce, spent in the database',
  async attack(target) {
    const tally = createTally()
    const victim = newCaller(target)
    const taskId = idOf(await victim.signed('POST', '/api/v1/tasks', aTask()))
    const published = (): Promise<string> => titlesOf(target, victim)
    const before = await published()
    for (const [what, make] of spoilt(victim, target, taskId)) {
      const reply = await ask(target.url, await make())
      tally.attempt(what, reply.status === 401)
    }
    const cancel = await newCaller(target).signed('DELETE', `/api/v1/tasks/${taskId}`)
    tally.attempt('a stranger cancels the task of another', cancel.status >= 400)
    const replayed = await replay(target, victim)
    tally.many(
      'a signed request served again',
      copies - 1,
      replayed.filter((reply) => reply.status !== 401 || codeOf(reply) !== 'SIGNATURE_REPLAYED').length - 1,
    )
    tally.attempt('what its publisher did not sign became of the task', before === (await published()))
    return tally.score()
  },
}

/** What the wallet has published, as anybody reads it. */
async function titlesOf(target: Target, { wallet }: Caller): Promise<string> {
  return JSON.stringify(
    await target.rows('select id, status, title from tasks where lower(publisher_wallet) = $1 order by id', [wallet]),
  )
}

/** The same bytes so many times at once: one is served. */
async function replay(target: Target, victim: Caller): Promise<readonly Reply[]> {
  const request = await victim.prepare('GET', path)
  return Promise.all(Array.from({ length: copies }, () => ask(target.url, request)))
}

function spoilt(
  victim: Caller,
  target: Target,
  taskId: string,
): readonly (readonly [string, () => Promise<Prepared>])[] {
  const task = JSON.stringify(aTask())
  const publish = (terms = {}): Promise<Prepared> => victim.prepare('POST', '/api/v1/tasks', task, terms)
  const without = (name: string) => async (): Promise<Prepared> => {
    const { headers, ...rest } = await publish()
    return { ...rest, headers: Object.fromEntries(Object.entries(headers).filter(([one]) => one !== name)) }
  }
  return [
    ['a body that was changed', async () => ({ ...(await publish()), body: task.replace('0.5', '9.5') })],
    [
      'a body that was changed, with its digest',
      async () => {
        const [request, other] = [
          await publish(),
          await newCaller(target).prepare('POST', '/api/v1/tasks', task.replace('0.5', '9.5')),
        ]
        return {
          ...request,
          headers: { ...request.headers, 'content-digest': other.headers['content-digest'] ?? '' },
          ...(other.body === undefined ? {} : { body: other.body }),
        }
      },
    ],
    ['another path', async () => ({ ...(await publish()), target: '/api/v1/publish' })],
    ['another query', async () => ({ ...(await victim.prepare('GET', `${path}?limit=5`)), target: `${path}?limit=6` })],
    ['another method', async () => ({ ...(await victim.prepare('GET', `/api/v1/tasks/${taskId}`)), method: 'DELETE' })],
    [
      'a signature for another host',
      async () =>
        publish({ host: 'evil.test' }).then((request) => ({
          ...request,
          headers: { ...request.headers, host: new URL(target.url).host },
        })),
    ],
    ['a signature for another chain', () => publish({ chainId: 8_453 })],
    ['a signature of last hour', () => publish({ moved: -3_600 })],
    ['a signature of next hour', () => publish({ moved: 3_600 })],
    ['half a signature', without('signature')],
    ['the other half', without('signature-input')],
    ['no digest of the body', without('content-digest')],
    [
      'zeros for a signature',
      async () =>
        publish().then((request) => ({
          ...request,
          headers: { ...request.headers, signature: `eth=:${Buffer.alloc(65).toString('base64')}:` },
        })),
    ],
    [
      'the name of another wallet',
      async () => {
        const forged = await newCaller(target).prepare('POST', '/api/v1/tasks', task)
        return {
          ...forged,
          headers: {
            ...forged.headers,
            'signature-input': (forged.headers['signature-input'] ?? '').replace(
              /0x[0-9a-fA-F]{40}/,
              victim.signer.address,
            ),
          },
        }
      },
    ],
  ]
}
