import { Agent, request } from 'node:http'
import { setTimeout as pause } from 'node:timers/promises'
import { createTally, type AttackClass } from '../attack-class.ts'
import { freshAddress, newCaller } from '../caller.ts'
import { settingsOf } from '../settings-of.ts'

const forMs = 8_000
const connections = 32
/** How long a known person may wait for an answer meanwhile, on a machine that the program itself keeps busy. */
const mostMs = 2_000

/** One address that asks as fast as it can, beside a known person. */
export const flood: AttackClass = {
  name: 'a flood from one address',
  on: 'any',
  goesOn: true,
  held: 'SVC_RATE_ANON_PER_MIN, counted before anything is read; SVC_SHED_ABOVE_MS: strangers are put off first',
  async attack(target) {
    const tally = createTally()
    const { 'rates.anonymous_per_minute': limit } = await settingsOf(target)
    const known = newCaller(target)
    const until = performance.now() + forMs
    const agent = new Agent({ keepAlive: true, maxSockets: connections })
    const statuses = new Map<number, number>()
    const from = freshAddress()
    const ask = async (): Promise<void> => {
      while (performance.now() < until) {
        const status = await statusOf(target.url, agent, from)
        statuses.set(status, (statuses.get(status) ?? 0) + 1)
      }
    }
    const waits: number[] = []
    const wait = async (): Promise<void> => {
      while (performance.now() < until) {
        const begun = performance.now()
        const { status } = await known.signed('GET', '/api/v1/services/mine')
        waits.push(status === 200 ? performance.now() - begun : Infinity)
        await pause(100)
      }
    }
    await Promise.all([...Array.from({ length: connections }, ask), wait()])
    agent.destroy()
    const asked = [...statuses.values()].reduce((sum, count) => sum + count, 0)
    tally.many('a request beyond the limit of an address', asked - limit, (statuses.get(200) ?? 0) - limit)
    tally.many(
      `a known person waits ${Math.max(...waits).toFixed(0)} ms`,
      waits.length,
      waits.filter((ms) => ms > mostMs).length,
    )
    return tally.score()
  },
}

function statusOf(url: string, agent: Agent, localAddress: string): Promise<number> {
  const { promise, resolve, reject } = Promise.withResolvers<number>()
  const { hostname, port } = new URL(url)
  const outgoing = request(
    { host: hostname, port, path: '/api/v1/tasks/available', agent, localAddress },
    (incoming) => {
      incoming.resume().once('end', () => {
        resolve(incoming.statusCode ?? 0)
      })
    },
  )
  outgoing.once('error', reject).end()
  return promise
}
