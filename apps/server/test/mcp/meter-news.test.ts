import { afterAll, beforeAll, expect, test } from 'vitest'
import { authority } from '../dispatch/tiny-service.ts'
import { listen, type Listening } from '../http/event-lines.ts'
import { liveChannels, metered, opened } from '../http/live-channels.ts'
import { aTask, expectStatus, startLiveMarket, type LiveMarket, type Party } from '../http/live-market.ts'
import { createTokens, messageOf } from './tokens.ts'

/** An agent follows what its metered task costs as it follows the task. */
const tokens = createTokens()
const { fake, wired } = liveChannels()
let live: LiveMarket
let publisher: Party
let worker: Party
beforeAll(async () => {
  live = await startLiveMarket({}, undefined, { grants: tokens.grants, channels: wired, withoutDuties: true })
  publisher = await live.party(0n)
  worker = await live.party(0n)
})
afterAll(() => live[Symbol.asyncDispose]())

const cheap = { rail: 'solana_channel', unit: 'scan', price_per_unit: '0.000001', cap_usd: '0.001' }

async function subscribe(wallet: string, ...uris: readonly string[]): Promise<Listening> {
  const params = { notifications: { resourceSubscriptions: uris } }
  const { headers, text } = messageOf({ method: 'subscriptions/listen', params })
  return listen(
    live.url,
    '/mcp',
    { host: authority, ...headers, authorization: `Bearer ${tokens.issue(wallet)}` },
    text,
  )
}
const updates = (stream: Listening): readonly unknown[] =>
  stream.frames().flatMap(({ data }) => {
    const { uri } = data['params'] as { readonly uri?: string }
    return uri === undefined ? [] : [uri]
  })

test('a subscription to a meter tells when a channel is bound and when work is accepted', async () => {
  const job = await metered(publisher, worker, cheap)
  const uri = `svc://tasks/${job.taskId}/meter`
  await using stream = await subscribe(publisher.wallet, uri, uri)
  await expect.poll(() => stream.frames().length).toBe(1)
  expect(updates(stream)).toEqual([])
  const path = `/api/v1/tasks/${job.taskId}`
  expectStatus(await publisher.call('POST', `${path}/channel`, opened(fake, publisher, job)), 200)
  await expect.poll(() => updates(stream)).toEqual([uri])
  expectStatus(await worker.call('POST', `${path}/tick`, { evidence: { boats: 3 } }), 200)
  await expect.poll(() => updates(stream)).toEqual([uri, uri])
})

test('one that begins later is told at once: what was missed is read', async () => {
  const job = await metered(publisher, worker, cheap)
  const path = `/api/v1/tasks/${job.taskId}`
  expectStatus(await publisher.call('POST', `${path}/channel`, opened(fake, publisher, job)), 200)
  await using stream = await subscribe((await live.party(0n)).wallet, `svc://tasks/${job.taskId}/meter`)
  await expect.poll(() => updates(stream)).toEqual([`svc://tasks/${job.taskId}/meter`])
})

test('a task that is not metered has no meter to follow', async () => {
  const id = String(expectStatus(await publisher.call('POST', '/api/v1/tasks', aTask()), 201).body['id'])
  await using stream = await subscribe(publisher.wallet, `svc://tasks/${id}/meter`)
  await stream.ended
  expect([stream.status, stream.text()]).toEqual([404, expect.stringContaining('TASK_NOT_FOUND')])
})

test('one wallet follows ten meters at a time, and those of a subscription that ended no more', async () => {
  const jobs: string[] = []
  for (let count = 0; count < 6; count += 1) {
    const task = aTask({ payment_network: 'solana', payment_streaming: cheap, bounty_usd: 1 })
    const { body } = expectStatus(await publisher.call('POST', '/api/v1/tasks', task), 201)
    jobs.push(`svc://tasks/${String(body['id'])}/meter`)
  }
  const { wallet } = await live.party(0n)
  const first = await subscribe(wallet, ...jobs)
  await expect.poll(() => first.frames().length).toBe(1)
  {
    await using tooMany = await subscribe(wallet, ...jobs)
    await tooMany.ended
    expect([tooMany.status, tooMany.text()]).toEqual([429, expect.stringContaining('RATE_LIMITED')])
  }
  await first[Symbol.asyncDispose]()
  await expect
    .poll(async () => {
      await using again = await subscribe(wallet, ...jobs)
      return again.status
    })
    .toBe(200)
})
