import { authority, signed } from '../dispatch/tiny-service.ts'
import { listen, type Listening } from '../http/event-lines.ts'
import { ledgerKey, metered, opened, streamed, type Metered, type Streamed } from '../http/live-channels.ts'
import { eventually, expectStatus } from '../http/live-market.ts'
import type { Scene } from './scene.ts'
import type { Steps } from './steps.ts'

const task = (taskId: string, rest: string): string => `/api/v1/tasks/${taskId}/${rest}`

/** A task that is paid by the unit, from its channel to what it has consumed. */
export const channelSteps = {
  'channels.offer': async (scene) => (await offered(scene)).offer,
  async 'channels.open'(scene) {
    const { job, payer, offer } = await offered(scene)
    const fields = { payer, transaction: String(offer.body['transaction']) }
    return scene.publisher.call('POST', task(job.taskId, 'channel/open'), fields)
  },
  'channels.close': async (scene) => scene.worker.call('POST', task(await ticked(scene), 'channel/close'), {}),
  'channels.bind': (scene) => boundTask(scene),
  'channels.get': async (scene) => scene.worker.call('GET', task(await ticked(scene), 'channel')),
  'channels.tick': (scene) => ticked(scene),
  'meters.get': async (scene) => scene.get(task(await ticked(scene), 'meter')),
  async 'meters.stream'(scene) {
    const target = task(await ticked(scene), 'meter/stream')
    await using stream = await listen(scene.market.url, target, { host: authority })
    await firstFrames(stream, 1)
    scene.journal.note('GET', target, { status: stream.status, headers: {}, body: {} })
  },
  async 'taximetro.stream'(scene) {
    const target = `${await tickedChannel(scene)}/stream?replay=true&replay_limit=2`
    await using stream = await listen(
      scene.market.url,
      target,
      await signed('GET', target, undefined, { key: scene.worker.key }),
    )
    await firstFrames(stream, 3)
    scene.journal.note('GET', target, { status: stream.status, headers: {}, body: {} })
  },
  'taximetro.history': async (scene) => scene.worker.call('GET', `${await tickedChannel(scene)}/history?limit=2`),
  'taximetro.health': ({ get }) => get('/api/v1/taximetro/health'),
  'meters.channel': async (scene) => scene.get(task((await boundTask(scene)).taskId, 'channel/public')),
  'streams.start': (scene) => streaming(scene),
  async 'streams.list'(scene) {
    await streaming(scene)
    return scene.worker.call('GET', '/api/v1/streams/session?role=worker&limit=5')
  },
  'streams.get': async (scene) => scene.get(await tickedStream(scene)),
  'streams.tick': (scene) => tickedStream(scene),
  'streams.stop': async (scene) => scene.worker.call('POST', `${await tickedStream(scene)}/stop`, {}),
  async 'streams.stream'(scene) {
    const target = `${await tickedStream(scene)}/events`
    await using stream = await listen(scene.market.url, target, { host: authority })
    await firstFrames(stream, 1)
    scene.journal.note('GET', target, { status: stream.status, headers: {}, body: {} })
  },
} satisfies Partial<Steps>

async function offered({ publisher, worker }: Scene) {
  const job = await metered(publisher, worker)
  const payer = ledgerKey().address
  const query = `payer=${payer}&deposit_usd=0.0009`
  const offer = expectStatus(await publisher.call('GET', `${task(job.taskId, 'channel/offer')}?${query}`), 200)
  return { job, payer, offer }
}

async function boundTask({ publisher, worker, channels }: Scene): Promise<Metered> {
  const job = await metered(publisher, worker)
  const fields = { ...opened(channels, publisher, job), payee: job.payout.address }
  expectStatus(await publisher.call('POST', task(job.taskId, 'channel'), fields), 200)
  return job
}

async function ticked(scene: Scene): Promise<string> {
  const { taskId, payout } = await boundTask(scene)
  for (const alias of ['tick', 'scan']) {
    const work = { evidence: { boats: 4_711 }, unit: 'scan', payee: payout.address, note: 'At the quay.' }
    const key = { 'x-idempotency-key': `${alias} of ${taskId}`.replaceAll(' ', '-') }
    expectStatus(await scene.worker.call('POST', task(taskId, alias), work, key), 200)
  }
  return taskId
}

const streaming = async ({ publisher, worker }: Scene): Promise<Streamed> =>
  streamed(publisher, worker, { hours: 2, note: 'Watching the harbour.' })

async function tickedStream(scene: Scene): Promise<string> {
  const { publisher, worker, channels } = scene
  const job = await streaming(scene)
  const fields = opened(channels, publisher, job)
  expectStatus(await publisher.call('POST', task(job.taskId, 'channel'), fields), 200)
  const target = `/api/v1/streams/session/${job.taskId}`
  const key = { 'x-idempotency-key': `tick-of-${job.taskId}` }
  const work = { evidence: { seen: 4_711 }, payee: job.payout.address, note: 'At the quay.' }
  expectStatus(await worker.call('POST', `${target}/tick`, work, key), 200)
  return target
}

async function tickedChannel(scene: Scene): Promise<string> {
  const { body } = expectStatus(await scene.worker.call('GET', task(await ticked(scene), 'channel')), 200)
  return `/api/v1/taximetro/${String(body['channel_id'])}`
}

async function firstFrames(stream: Listening, count: number): Promise<void> {
  const seen = await eventually(
    () => Promise.resolve(stream.frames()),
    (frames) => frames.length >= count,
  )
  if (seen.length < count) throw new Error(`the stream tells too little: ${stream.text()}`)
}
