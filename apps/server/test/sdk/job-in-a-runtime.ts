import {
  createClient,
  ErgonError,
  generatePrivateKey,
  privateKeySigner,
  verifyWebhook,
  WebhookRefused,
  type Client,
} from '@ergon/sdk'

/**
 * What an agent does with the published client, in whichever runtime this file is run: a whole job, events, an answer
 * that is lost, silence by each of its names, a session, a webhook. It prints what it saw, as one line of JSON.
 */

type Trial = {
  readonly url: string
  /** In front of the service: the answer to the first change does not come back. */
  readonly cut: string
  /** Takes what is sent and says nothing. */
  readonly silent: string
  readonly closed: string
  readonly moved: string
  readonly key: `0x${string}`
  readonly webhook: {
    readonly secret: string
    readonly id: string
    readonly timestamp: string
    readonly body: string
    readonly signature: string
  }
}
const { url, cut, silent, closed, moved, key, webhook } = JSON.parse(process.argv[2] ?? '') as Trial // of the test
const said: Record<string, unknown> = {}
const newClient = (baseUrl: string): Client => createClient({ baseUrl, signer: privateKeySigner(generatePrivateKey()) })
const words = () =>
  ({
    title: 'Show the menu of today',
    instructions: 'Go to the canteen and take one photo of the board with the dishes.',
    category: 'location_based',
    bounty_usd: 1,
    evidence_required: ['photo'] as 'photo'[],
    client_ref: crypto.randomUUID(),
  }) as const

/** One side hears of it over a socket, the other over a stream. */
async function wholeJob(): Promise<void> {
  const publisher = createClient({ baseUrl: url, signer: privateKeySigner(key) })
  const asked: string[] = []
  const worker = createClient({
    baseUrl: url,
    signer: privateKeySigner(generatePrivateKey()),
    fetch(target, init) {
      asked.push(new URL(target instanceof Request ? target.url : target).pathname)
      return fetch(target, init)
    },
  })
  const { id: executor_id } = await worker.workers.register({ name: 'Worker' })
  const { next_cursor: cursor } = await worker.events.list({ cursor: 'now' })
  const live = await publisher.connectEvents()
  const { id: task_id } = await publisher.tasks.publish(words())
  said['socket'] = (await live.next()).value?.event
  live.close()
  await worker.tasks.apply({ task_id })
  await publisher.assignWorker({ task_id, executor_id, bounty_usd: 1 })
  const photo = { task_id, evidence_type: 'photo', filename: 'menu.jpg', content_type: 'image/jpeg' } as const
  const { public_url } = await worker.uploadEvidence({ ...photo, bytes: onePixel })
  const { submission_id } = await worker.tasks.submit({ task_id, evidence: { photo: public_url } })
  const { worker_net_usdc } = await publisher.approveSubmission({ submission_id, bounty_usd: 1 })
  await publisher.rate({ task_id, direction: 'publisher_rates_executor', score: 95 })
  await worker.rate({ task_id, direction: 'executor_rates_publisher', score: 90 })
  said['job'] = [worker_net_usdc, (await publisher.tasks.get({ task_id })).status]
  const told = worker.events({ types: ['task.assigned', 'payment.released'], cursor })
  said['stream'] = [(await told.next()).value?.type, (await told.next()).value?.type, asked.at(-1)]
  await told.return()
}

async function lostAndSilent(): Promise<void> {
  const codeOf = (call: Promise<unknown>): Promise<unknown> =>
    call.then(
      () => 'answered',
      (error: unknown) => (error instanceof ErgonError ? error.code : String(error)),
    )
  const patient = newClient(cut)
  const { id } = await patient.tasks.publish(words())
  const { status } = await patient.tasks.get({ task_id: id })
  said['lost'] = [status, (await patient.events.list({ types: 'task.created' })).events.length]
  const hasty = (baseUrl: string): Client =>
    createClient({ baseUrl, timeoutMs: 500, retry: { attempts: 1, firstDelayMs: 1, maxDelayMs: 1 } })
  const task_id = id
  said['silent'] = await codeOf(hasty(silent).tasks.get({ task_id }))
  said['closed'] = await codeOf(hasty(closed).tasks.get({ task_id }))
  said['moved'] = await codeOf(hasty(moved).tasks.get({ task_id }))
  said['refused'] = await codeOf(patient.tasks.get({ task_id: crypto.randomUUID() }))
  const stop = new AbortController()
  const given = hasty(silent).tasks.get({ task_id }, { signal: stop.signal })
  stop.abort('enough')
  said['given up'] = await codeOf(given)
}

/** The cookie is kept, and the socket is opened with it. */
async function session(): Promise<void> {
  const person = createClient({ baseUrl: url, signer: privateKeySigner(generatePrivateKey()), session: true })
  await person.signIn()
  await using line = await person.connectEvents()
  await line.subscribe('global')
  said['session'] = line.rooms
}

async function webhooks(): Promise<void> {
  const { id, timestamp, signature, secret, body } = webhook
  const headers = { 'webhook-id': id, 'webhook-timestamp': timestamp, 'webhook-signature': signature }
  const now = (): number => Number(timestamp) * 1_000
  said['webhook'] = (await verifyWebhook(body, new Headers(headers), secret, { now })).type
  said['forged'] = await verifyWebhook(`${body} `, headers, secret, { now }).catch((error: unknown) =>
    error instanceof WebhookRefused ? error.fault : error,
  )
}

const onePixel = Uint8Array.from(
  atob(
    '/9j/4AAQSkZJRgABAQEASABIAAD/2wBDAP//////////////////////////////////////////////////////////////////////////' +
      '////////////wAALCAABAAEBAREA/8QAFAABAAAAAAAAAAAAAAAAAAAAA//EABQQAQAAAAAAAAAAAAAAAAAAAAD/2gAIAQEAAD8AN//Z',
  ),
  (character) => character.charCodeAt(0),
)

await wholeJob()
await lostAndSilent()
await session()
await webhooks()
console.log(JSON.stringify(said))
