import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { startCluster } from '@ergon/dev-env/testing'
import { expect, onTestFinished, test } from 'vitest'
import { eventually, startRig } from '../adapters/rig.ts'
import { send } from '../dispatch/send.ts'
import { signed } from '../dispatch/tiny-service.ts'
import { aTask, envOf, expectStatus, startLiveMarket, type LiveMarket, type Party } from '../http/live-market.ts'

/** A standby that lacks the last transactions is promoted while the server runs (decision 0280). */

const main = fileURLToPath(new URL('../../src/main.ts', import.meta.url))
const patienceMs = 240_000

/** The tasks that the events from here on tell of, and the place behind them. */
async function readOn(
  party: Party,
  from: string | null,
): Promise<{ readonly tasks: string[]; readonly place: string }> {
  const tasks: string[] = []
  for (let place = from; ;) {
    const after = place === null ? '' : `&cursor=${place}`
    const { body } = expectStatus(await party.call('GET', `/api/v1/events?scope=mine&limit=100${after}`), 200)
    const { events, next_cursor: next } = body as {
      readonly events: readonly { readonly type: string; readonly data: { readonly task_id: string } }[]
      readonly next_cursor: string
    }
    tasks.push(...events.filter(({ type }) => type === 'task.created').map(({ data }) => data.task_id))
    place = next
    if (body['has_more'] !== true) return { tasks, place }
  }
}

async function publish(party: Party): Promise<string> {
  return String(expectStatus(await party.call('POST', '/api/v1/tasks', aTask()), 201).body['id'])
}

/** Publishes until it was told so many tasks; whatever is answered with an error is asked anew. */
async function publishThrough(party: Party, count: number): Promise<readonly string[]> {
  const told: string[] = []
  while (told.length < count) {
    const { status, body } = await party.call('POST', '/api/v1/tasks', aTask())
    if (status === 201) told.push(String(body['id']))
    else if (status !== 503) throw new Error(JSON.stringify(body))
  }
  return told
}

const reasonsOf = async ({ url }: LiveMarket): Promise<unknown> => (await send(url, 'GET', '/readyz')).body['reasons']

test(
  'a failover to a standby without the last transactions: no event is missed, no signature is good twice, and it is told',
  { timeout: patienceMs },
  async () => {
    const rig = await startRig()
    onTestFinished(() => rig[Symbol.asyncDispose]())
    const cluster = await startCluster()
    onTestFinished(() => cluster[Symbol.asyncDispose]())
    cluster.create('ergon')
    await using live = await startLiveMarket({ DATABASE_URL: cluster.url('ergon'), SVC_PUBLISH_PER_HOUR: '0' }, rig)
    const publisher = await live.party(0n)
    const kept = await publish(publisher)
    const failOver = await cluster.standby()
    const text = JSON.stringify(aTask())
    const once = await signed('POST', '/api/v1/tasks', text, { key: publisher.key })
    expect((await send(live.url, 'POST', '/api/v1/tasks', once, text)).status).toBe(201)
    const before = await readOn(publisher, null)
    expect(before.tasks).toHaveLength(2)

    const [, ...lanes] = await Promise.all([
      failOver(),
      ...Array.from({ length: 8 }, () => publishThrough(publisher, 12)),
    ])
    // What was told before the failover is lost with it; what was told after it is there, and told of once.
    const after = await eventually(
      () => readOn(publisher, before.place),
      ({ tasks }) => tasks.length >= 40,
      20_000,
    )
    const listed = await readOn(publisher, null)
    expect(listed.tasks[0]).toBe(kept)
    expect(after.tasks).toEqual(listed.tasks.slice(1))
    expect(new Set(after.tasks).size).toBe(after.tasks.length)
    expect(lanes.flat().filter((task) => !after.tasks.includes(task)).length).toBeLessThan(lanes.flat().length / 2)

    const replay = await send(live.url, 'POST', '/api/v1/tasks', once, text)
    expect([replay.status, replay.body.code]).toEqual([503, 'nonce_store_unavailable'])
    expect(await reasonsOf(live)).toContain('database_went_back')

    const env = { ...process.env, ...envOf(rig, cluster.url('ergon'), {}) }
    const { stdout } = await promisify(execFile)(process.execPath, [main, 'restore-check'], { env })
    expect(stdout).toContain('restore-check: 0 booked, 0 findings, 0 networks unread')
    await eventually(
      () => reasonsOf(live),
      (reasons) => !JSON.stringify(reasons).includes('database_went_back'),
      30_000,
    )
    expect(await reasonsOf(live)).not.toContain('database_went_back')
    await publish(publisher)
  },
)
