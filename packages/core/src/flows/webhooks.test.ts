import { beforeEach, describe, expect, test } from 'vitest'
import type { LoggedAttempt, LoggedDelivery, NewDelivery, StoredSecret, WebhookStore } from '../ports/store-webhooks.ts'
import type { PostedWebhook, WebhookLine } from '../ports/webhook-line.ts'
import { newWebhook, verifyWebhook, type Webhook } from '../webhooks/webhook.ts'
import { createWebhooks, type Webhooks } from './webhooks.ts'

const now = new Date('2026-11-21T12:00:00Z')
const owner = 'wallet'
const wish = { url: 'http://hook.test', events: ['*'], description: null, signsEd25519: true }
const unproved = newWebhook({ id: 'hook', owner, at: now }, wish)
const proved = verifyWebhook(unproved, now)
const attempt: LoggedAttempt = {
  attempt: 1,
  at: now,
  durationMs: 1,
  requestHeaders: {},
  status: 200,
  responseHeaders: {},
  responseBody: 'a token',
  error: null,
}
const posted = (body: string, status = 200): PostedWebhook => ({
  log: { ...attempt, status },
  answer: { status, retryAfterMs: null },
  body,
})
const logged = (id: string, kind: LoggedDelivery['kind'] = 'event'): LoggedDelivery => ({
  id,
  webhookId: 'hook',
  eventId: `event of ${id}`,
  eventType: 'task.created',
  kind,
  status: 'delivered',
  createdAt: now,
  dueAt: now,
  body: `body of ${id}`,
  attempts: [],
})

let hook: Webhook
let secrets: StoredSecret[]
let rows: LoggedDelivery[]
let answer: PostedWebhook
/** What was asked of the store and the line, in its order. */
let asked: unknown[]
let webhooks: Webhooks

beforeEach(() => {
  hook = proved
  secrets = []
  rows = []
  answer = posted('a token')
  asked = []
  let ids = 0
  const note =
    <Answer>(name: string, result: Answer) =>
    (...given: readonly unknown[]): Answer => {
      asked.push([name, ...given])
      return result
    }
  const store: WebhookStore = {
    insertWebhook: note('insertWebhook', Promise.resolve()),
    webhooksOf: note('webhooksOf', Promise.resolve([proved])),
    webhookOf: async (_owner, id) => (asked.push(['webhookOf', id]), Promise.resolve(hook)),
    changeWebhook: async (_owner, _id, change) => Promise.resolve((hook = change(hook))),
    removeWebhook: note('removeWebhook', Promise.resolve(true)),
    addSecret: note('addSecret', Promise.resolve()),
    secretsOf: () => Promise.resolve(secrets),
    deliveries: (_id, _filter, { limit }) => Promise.resolve(rows.slice(0, limit + 1)),
    delivery: (_webhook, id) => Promise.resolve(rows.find((one) => one.id === id) ?? null),
    insertDelivery: note('insertDelivery', Promise.resolve()),
    logDelivery: note('logDelivery', Promise.resolve()),
    replayEvents: note('replayEvents', Promise.resolve({ queued: 3, place: 'there', hasMore: true })),
  }
  const line: WebhookLine = {
    urlOf: (text) => `${text}/`,
    freshSecret: (id) => ({ sealed: new Uint8Array([7]), text: `secret of ${id}` }),
    secretText: (sealed, id) => `${String(sealed[0])} of ${id}`,
    freshToken: () => 'a token',
    ownBody: (type, id, _at, data) => JSON.stringify({ type, id, data }),
    replays: () => () => queued('none'),
    post: async (message) => (asked.push(['post', message.url, message.sealed.length]), Promise.resolve(answer)),
    spend: note('spend', undefined),
    onQueued: note('onQueued', undefined),
  }
  webhooks = createWebhooks({
    store,
    line,
    clock: { now: () => now },
    ids: { next: () => `id ${String((ids += 1))}` },
    limits: { endpoints: 20, replay: 1_000 },
  })
})

const queued = (id: string): NewDelivery => ({
  id,
  webhookId: 'hook',
  eventId: 'event of one',
  eventType: 'task.created',
  kind: 'replay',
  body: 'body of one',
  dueAt: now,
})
const names = (): unknown[] => asked.map((one) => (one as readonly unknown[])[0])

describe('an endpoint', () => {
  test('is made with its URL as it will be asked, a secret that is told once, and a bound', async () => {
    const made = await webhooks.create(owner, wish)
    expect(made).toMatchObject({
      secret: 'secret of id 1',
      secretId: 'id 2',
      webhook: { id: 'id 1', url: 'http://hook.test/', status: 'unverified' },
    })
    expect(asked).toEqual([
      ['insertWebhook', made.webhook, { id: 'id 2', sealed: new Uint8Array([7]), createdAt: now }, 20],
    ])
  })

  test('is read, listed and removed as its owner’s', async () => {
    expect(await webhooks.get(owner, 'hook')).toBe(proved)
    expect(await webhooks.list(owner)).toEqual([proved])
    expect(await webhooks.remove(owner, 'hook')).toBe(true)
    expect(asked).toContainEqual(['removeWebhook', owner, 'hook'])
  })

  test('at another URL has to be proved again, and what waited for it is looked at', async () => {
    expect(await webhooks.update(owner, 'hook', { url: 'http://other.test' })).toMatchObject({
      url: 'http://other.test/',
      status: 'unverified',
    })
    expect(names()).toEqual(['onQueued'])
  })

  test('that is changed otherwise stays where it is', async () => {
    expect(await webhooks.update(owner, 'hook', { description: 'mine' })).toMatchObject({
      url: wish.url,
      description: 'mine',
      status: 'active',
    })
  })
})

describe('a secret', () => {
  test('that is rotated lets the four newest before it sign for as long as was asked', async () => {
    const end = new Date(now.getTime() + 2 * 3_600_000)
    expect(await webhooks.rotateSecret(owner, 'hook', 2)).toEqual({
      secret: 'secret of hook',
      secretId: 'id 1',
      oldExpiresAt: end,
    })
    expect(asked).toEqual([
      ['addSecret', owner, 'hook', { id: 'id 1', sealed: new Uint8Array([7]), createdAt: now }, end, 4],
    ])
  })

  test('is told again while it signs, to its owner, and never after', async () => {
    secrets = [
      { id: 'other', sealed: new Uint8Array([1]), createdAt: now },
      { id: 'it', sealed: new Uint8Array([2]), createdAt: now },
    ]
    expect(await webhooks.reveal(owner, 'hook', 'it')).toEqual({ secret: '2 of hook', createdAt: now })
    expect(await webhooks.reveal(owner, 'hook', 'gone')).toBeNull()
    expect(names()).toEqual(['webhookOf', 'webhookOf'])
  })
})

describe('a challenge', () => {
  beforeEach(() => {
    hook = unproved
    secrets = [{ id: 'it', sealed: new Uint8Array([2]), createdAt: now }]
  })

  test('that is answered proves the URL, is logged, and lets what waited go', async () => {
    expect(await webhooks.verify(owner, 'hook')).toMatchObject({ status: 'active', verifiedAt: now })
    expect(names()).toEqual(['webhookOf', 'spend', 'post', 'logDelivery', 'onQueued'])
    expect(asked[1]).toEqual(['spend', 'call', owner])
    expect(asked[2]).toEqual(['post', wish.url, 1])
    expect(asked[3]).toEqual([
      'logDelivery',
      {
        id: 'id 2',
        webhookId: 'hook',
        eventId: 'id 1',
        eventType: 'webhook.challenge',
        kind: 'challenge',
        body: JSON.stringify({
          type: 'webhook.challenge',
          id: 'id 1',
          data: { webhook_id: 'hook', token: 'a token' },
        }),
        dueAt: now,
      },
      'delivered',
      answer.log,
    ])
  })

  test.each([
    ['another text', 200, 'the answer is not the token'],
    ['a token', 500, 'the answer is not 2xx'],
  ])('answered with %s and %i proves nothing, and is logged as failed', async (body, status, error) => {
    answer = posted(body, status)
    await expect(webhooks.verify(owner, 'hook')).rejects.toMatchObject({
      code: 'WEBHOOK_CHALLENGE_FAILED',
      details: { status, error },
    })
    expect(asked).toContainEqual(['logDelivery', expect.anything(), 'failed', answer.log])
    expect(hook.verifiedAt).toBeNull()
  })

  test('proves nothing of a URL that was changed meanwhile', async () => {
    let reads = 0
    Object.defineProperty(answer, 'body', {
      get: () => {
        reads += 1
        hook = { ...hook, url: 'http://moved.test' }
        return 'a token'
      },
    })
    await expect(webhooks.verify(owner, 'hook')).rejects.toMatchObject({
      code: 'WEBHOOK_CHALLENGE_FAILED',
      details: { error: 'the URL was changed in the meantime' },
    })
    expect([reads > 0, hook.verifiedAt]).toEqual([true, null])
  })
})

describe('what is sent once more', () => {
  test('is a test of its own, from the budget of its owner', async () => {
    expect(await webhooks.test(owner, 'hook')).toBe('id 2')
    const data = { webhook_id: 'hook', message: 'A test requested by the owner of this endpoint.' }
    expect(asked).toEqual([
      ['webhookOf', 'hook'],
      ['spend', 'call', owner],
      [
        'insertDelivery',
        {
          id: 'id 2',
          webhookId: 'hook',
          eventId: 'id 1',
          eventType: 'webhook.test',
          kind: 'test',
          body: JSON.stringify({ type: 'webhook.test', id: 'id 1', data }),
          dueAt: now,
        },
      ],
      ['onQueued'],
    ])
  })

  test('is a delivery with the same bytes', async () => {
    rows = [logged('one')]
    expect(await webhooks.replayDelivery(owner, 'hook', 'one')).toBe('id 1')
    expect(asked).toEqual([
      ['webhookOf', 'hook'],
      ['spend', 'call', owner],
      ['insertDelivery', queued('id 1')],
      ['onQueued'],
    ])
  })

  test('is a part of the feed, bounded, from a budget of its own', async () => {
    expect(await webhooks.replay(owner, 'hook', { after: 'here', from: null, to: null })).toEqual({
      queued: 3,
      place: 'there',
      hasMore: true,
    })
    expect(names()).toEqual(['webhookOf', 'spend', 'replayEvents', 'onQueued'])
    expect(asked[1]).toEqual(['spend', 'replay', owner])
    const range = { after: 'here', from: null, to: null, limit: 1_000 }
    expect(asked[2]).toEqual(['replayEvents', proved, range, expect.any(Function)])
  })

  test('never goes to an address that proved nothing', async () => {
    hook = unproved
    rows = [logged('one')]
    const refused = { code: 'WEBHOOK_NOT_VERIFIED' }
    await expect(webhooks.test(owner, 'hook')).rejects.toMatchObject(refused)
    await expect(webhooks.replayDelivery(owner, 'hook', 'one')).rejects.toMatchObject(refused)
    await expect(webhooks.replay(owner, 'hook', { after: null, from: null, to: null })).rejects.toMatchObject(refused)
    expect(new Set(names())).toEqual(new Set(['webhookOf']))
  })

  test('is no challenge and nothing that is not there, and spends nothing for them', async () => {
    rows = [logged('asked', 'challenge')]
    for (const id of ['asked', 'gone'])
      await expect(webhooks.replayDelivery(owner, 'hook', id)).rejects.toMatchObject({ code: 'DELIVERY_NOT_FOUND' })
    expect(names()).toEqual(['webhookOf', 'webhookOf'])
  })
})

describe('the log of deliveries', () => {
  const page = { limit: 2, offset: 0, cursor: null }

  test('shows a page, and where the next one begins', async () => {
    rows = [logged('one'), logged('two'), logged('three')]
    expect(await webhooks.deliveries(owner, 'hook', null, page)).toEqual({
      rows: rows.slice(0, 2),
      hasMore: true,
      nextCursor: 'two',
    })
  })

  test.each([2, 1, 0])('ends with a page of %i', async (count) => {
    rows = ['one', 'two'].slice(0, count).map((id) => logged(id))
    expect(await webhooks.deliveries(owner, 'hook', null, page)).toEqual({ rows, hasMore: false, nextCursor: null })
    expect(names()).toEqual(['webhookOf'])
  })

  test('has each delivery by its id, for the owner of the endpoint', async () => {
    rows = [logged('one')]
    expect(await webhooks.delivery(owner, 'hook', 'one')).toBe(rows[0])
    await expect(webhooks.delivery(owner, 'hook', 'two')).rejects.toMatchObject({ code: 'DELIVERY_NOT_FOUND' })
    expect(names()).toEqual(['webhookOf', 'webhookOf'])
  })
})
