import { eventually, expectStatus } from '../http/live-market.ts'
import { mailFields } from '../mail/mail-server.ts'
import { browser } from '../push/browser.ts'
import { startReceiver, type Receiver } from '../webhooks/receiver.ts'
import type { Scene } from './scene.ts'
import type { Steps } from './steps.ts'

const path = '/api/v1/webhooks'
const pushPath = '/api/v1/account/push'
const searchesPath = '/api/v1/account/searches'
const mailPath = '/api/v1/account/mail'

/** Endpoints of the publisher, from the first challenge to a replay. */
export const hookSteps = {
  async 'webhooks.create'(scene) {
    for (const one of [path, `${path}/`]) await forget(scene, await register(scene, 'http://127.0.0.1:9/', one))
  },
  async 'webhooks.list'({ publisher }) {
    for (const one of [path, `${path}/`]) await publisher.call('GET', one)
  },
  'webhooks.catalogue': ({ get }) => get(`${path}/events`),
  'webhooks.get': (scene) => withEndpoint(scene, (id) => scene.publisher.call('GET', `${path}/${id}`)),
  'webhooks.update': (scene) =>
    withEndpoint(scene, (id) => scene.publisher.call('PUT', `${path}/${id}`, { status: 'paused' })),
  'webhooks.remove': async (scene) => forget(scene, await register(scene, 'http://127.0.0.1:9/')),
  'webhooks.rotateSecret': (scene) =>
    withEndpoint(scene, (id) => scene.publisher.call('POST', `${path}/${id}/rotate-secret`, { overlap_hours: 1 })),
  'webhooks.verify': (scene) => withEndpoint(scene, () => Promise.resolve()),
  'webhooks.test': (scene) =>
    withEndpoint(scene, async (id, receiver) => {
      await scene.publisher.call('POST', `${path}/${id}/test`)
      await got(receiver, 1)
    }),
  'webhooks.deliveries': (scene) =>
    withEndpoint(scene, async (id, receiver) => {
      const taskId = await scene.published()
      await got(receiver, 1)
      const log = await eventually(
        () => scene.publisher.call('GET', `${path}/${id}/deliveries?status=delivered`),
        ({ body }) => JSON.stringify(body).includes(taskId),
      )
      if (!JSON.stringify(log.body).includes(taskId)) throw new Error('the log does not tell of the task')
    }),
  'webhooks.delivery': (scene) =>
    withEndpoint(scene, async (id, receiver) => {
      const { delivery_id: delivery } = expectStatus(await scene.publisher.call('POST', `${path}/${id}/test`), 200).body
      await got(receiver, 1)
      const one = await eventually(
        () => scene.publisher.call('GET', `${path}/${id}/deliveries/${String(delivery)}`),
        ({ body }) => body['status'] === 'delivered',
      )
      if (one.body['delivery_id'] !== delivery || one.body['status'] !== 'delivered')
        throw new Error('the delivery that was asked for is not the one that is shown')
    }),
  'webhooks.replayDelivery': (scene) =>
    withEndpoint(scene, async (id, receiver) => {
      const { delivery_id: delivery } = expectStatus(await scene.publisher.call('POST', `${path}/${id}/test`), 200).body
      await got(receiver, 1)
      await scene.publisher.call('POST', `${path}/${id}/deliveries/${String(delivery)}/replay`)
      await got(receiver, 2)
    }),
  'webhooks.replay': (scene) =>
    withEndpoint(scene, async (id, receiver) => {
      await scene.published()
      await got(receiver, 1)
      await scene.publisher.call('POST', `${path}/${id}/replay`, { from: new Date(Date.now() - 60_000).toISOString() })
      await got(receiver, 2)
    }),
  'push.subscribe': async ({ publisher }) => publisher.call('POST', pushPath, browser('tour')),
  'push.list': async ({ publisher }) => publisher.call('GET', pushPath),
  async 'push.remove'({ publisher }) {
    const { subscription_id: id } = expectStatus(await publisher.call('POST', pushPath, browser('tour-ends')), 201).body
    await publisher.call('DELETE', `${pushPath}/${String(id)}`)
  },
  'searches.save': async ({ publisher }) =>
    publisher.call('PUT', `${searchesPath}/1`, {
      name: 'The tour',
      q: 'tour',
      category: 'research',
      min_bounty: 0.5,
      box: '16,48,17,49',
    }),
  'searches.list': async ({ publisher }) => publisher.call('GET', searchesPath),
  'searches.remove': async ({ publisher }) => publisher.call('DELETE', `${searchesPath}/1`),
  'mail.subscribe': async ({ publisher }) => publisher.call('POST', mailPath, mailFields('tour')),
  'mail.read': async ({ publisher }) => publisher.call('GET', mailPath),
  'mail.remove': async ({ publisher }) => publisher.call('DELETE', mailPath),
} satisfies Partial<Steps>

async function register({ publisher }: Scene, url: string, at = path): Promise<string> {
  return String(
    expectStatus(
      await publisher.call('POST', at, { url, events: ['task.created'], description: 'The tour comes by.' }),
      201,
    ).body['webhook_id'],
  )
}

async function forget({ publisher }: Scene, id: string): Promise<void> {
  expectStatus(await publisher.call('DELETE', `${path}/${id}`), 200)
}

async function withEndpoint(scene: Scene, use: (id: string, receiver: Receiver) => Promise<unknown>): Promise<void> {
  await using receiver = await startReceiver()
  const id = await register(scene, receiver.url)
  expectStatus(await scene.publisher.call('POST', `${path}/${id}/verify`), 200)
  await use(id, receiver)
  await forget(scene, id)
}

async function got(receiver: Receiver, count: number): Promise<void> {
  const events = await eventually(
    () => Promise.resolve(receiver.events()),
    (all) => all.length >= count,
    25_000,
  )
  if (events.length < count) throw new Error(`the endpoint got ${String(events.length)} events`)
}
