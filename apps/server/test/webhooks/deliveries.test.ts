import { Webhook } from 'standardwebhooks'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { appliedJob, caughtUp, publisher, submittedJob, worker } from '../market/stage.ts'
import { drain, openHookedStage, type HookedStage, sentTo } from './hooked-stage.ts'
import { startReceiver, status, type Receiver } from './receiver.ts'
import { isSignedBy, isSignedByKey, signatureKinds } from './verify.ts'

let hooked: HookedStage
let receiver: Receiver
beforeEach(async () => {
  hooked = await openHookedStage()
  receiver = await startReceiver()
})
afterEach(async () => {
  await hooked[Symbol.asyncDispose]()
  await receiver[Symbol.asyncDispose]()
})

const second = 1_000
const minute = 60 * second
const hour = 60 * minute

describe('what is sent', () => {
  it('an endpoint gets the events of its owner that it asked for, once each and in order, signed by Standard Webhooks', async () => {
    const all = await hooked.active(receiver.url)
    await using other = await startReceiver()
    const some = await hooked.active(other.url, ['task.assigned', 'submission.received'])
    await using theirs = await startReceiver()
    await hooked.active(theirs.url, ['*'], '0x3333333333333333333333333333333333333333')
    await submittedJob(hooked.stage)
    await hooked.round()
    await hooked.round()
    const { events } = await hooked.stage.market.events(
      publisher,
      { scope: 'mine', types: null, taskId: null, category: null },
      null,
      100,
    )
    expect(
      receiver
        .events()
        .map(({ id }) => id)
        .sort(),
    ).toEqual(events.map(({ id }) => id).sort())
    expect(
      other
        .events()
        .map(({ type }) => type)
        .sort(),
    ).toEqual(['submission.received', 'task.assigned'])
    expect(theirs.events()).toEqual([])
    for (const [secret, got] of [
      [all.secret, receiver],
      [some.secret, other],
    ] as const) {
      for (const one of got.received) {
        const shown = new Webhook(secret).verify(one.body, one.headers)
        expect(shown).toMatchObject({
          id: one.headers['webhook-id'],
          metadata: { idempotency_key: one.headers['webhook-id'] },
        })
        expect(Buffer.byteLength(one.body)).toBeLessThan(20_000)
      }
    }
    expect(() =>
      new Webhook(some.secret).verify(receiver.events()[0]?.body ?? '', receiver.events()[0]?.headers ?? {}),
    ).toThrow()
  })

  it('an endpoint that asked for it gets an Ed25519 signature beside the HMAC, and both verify; one that did not gets the HMAC alone', async () => {
    const asked = await hooked.active(receiver.url, ['*'], publisher.wallet, true)
    await using plain = await startReceiver()
    const other = await hooked.active(plain.url)
    await appliedJob(hooked.stage)
    await hooked.round()
    // The challenge is signed as everything else is.
    expect([receiver.received.length, plain.received.length]).toEqual([3, 3])
    for (const [{ secret, webhook }, { received }, kinds] of [
      [asked, receiver, ['v1', 'v1a']],
      [other, plain, ['v1']],
    ] as const) {
      for (const one of received) {
        expect(new Webhook(secret).verify(one.body, one.headers)).toMatchObject({ id: one.id })
        expect([signatureKinds(one), isSignedByKey(hooked.publicKey(webhook.id), one)]).toEqual([
          kinds,
          kinds.length === 2,
        ])
      }
    }
    await hooked.webhooks.update(publisher.wallet, asked.webhook.id, { signsEd25519: false })
    await hooked.webhooks.update(publisher.wallet, other.webhook.id, { signsEd25519: true })
    await hooked.webhooks.rotateSecret(publisher.wallet, other.webhook.id, 1)
    await hooked.webhooks.test(publisher.wallet, asked.webhook.id)
    await hooked.webhooks.test(publisher.wallet, other.webhook.id)
    await hooked.round()
    expect(
      [receiver, plain]
        .map(({ received }) => received.at(-1))
        .map((one) => (one === undefined ? [] : signatureKinds(one))),
    ).toEqual([['v1'], ['v1', 'v1', 'v1a']])
  })

  it('nothing is sent to an endpoint that did not answer the challenge, and none of it later', async () => {
    const { webhook } = await hooked.webhooks.create(publisher.wallet, {
      url: receiver.url,
      events: ['*'],
      description: null,
      signsEd25519: false,
    })
    await appliedJob(hooked.stage)
    await hooked.round()
    expect(receiver.received).toEqual([])
    await expect(hooked.webhooks.test(publisher.wallet, webhook.id)).rejects.toMatchObject({
      code: 'WEBHOOK_NOT_VERIFIED',
    })
    await expect(hooked.webhooks.update(publisher.wallet, webhook.id, { status: 'active' })).rejects.toMatchObject({
      code: 'WEBHOOK_NOT_VERIFIED',
    })
    await hooked.webhooks.verify(publisher.wallet, webhook.id)
    await hooked.round()
    expect(receiver.events()).toEqual([])
  })

  it('two processes on one database deliver every event once', async () => {
    await hooked.active(receiver.url)
    await using second = hooked.process()
    await using third = hooked.process()
    for (let n = 0; n < 12; n += 1) await appliedJob(hooked.stage)
    await caughtUp(hooked.stage)
    await Promise.all([hooked, second, third].map(drain))
    await Promise.all([hooked, second, third].map(drain))
    const ids = receiver.events().map(({ id }) => id)
    expect(ids.length).toBe(24)
    expect(new Set(ids).size).toBe(24)
  })

  it('an endpoint that is dead holds up nobody else', async () => {
    const held: (() => void)[] = []
    await using dead = await startReceiver()
    await hooked.active(dead.url)
    await hooked.active(receiver.url)
    dead.answer((_received, response) => held.push(() => response.end()))
    for (let n = 0; n < 10; n += 1) await appliedJob(hooked.stage)
    await caughtUp(hooked.stage)
    while ((await hooked.delivery.fanOut()) > 0);
    const deadline = performance.now() + 10_000
    while (receiver.events().length < 20 && performance.now() < deadline) {
      await hooked.delivery.begin()
      await new Promise((resolve) => setImmediate(resolve))
    }
    expect(receiver.events().length).toBe(20)
    expect(dead.events().length).toBeLessThanOrEqual(8)
    dead.answer(status(200))
    for (const release of held) release()
    await hooked.round()
    expect(dead.events().length).toBe(20)
  })
})

describe('what is tried again', () => {
  it('a failed attempt is repeated by the schedule with the same bytes and the same id, ten times in all', async () => {
    const { webhook, secret } = await hooked.active(receiver.url, ['task.created'])
    receiver.answer(status(500))
    await hooked.stage.market.publish(publisher, {
      title: 'Photograph the gate',
      instructions: 'Stand in front of the gate and take one photo.',
      category: 'simple_action',
      bountyUsd: '10',
      deadlineHours: 24,
      evidenceRequired: ['text_response'],
      evidenceOptional: [],
      locationHint: null,
      minReputation: 0,
      network: null,
      token: null,
      target: 'any',
      publisherType: 'agent',
      paymentAuth: null,
      idempotency: null,
    })
    await hooked.round()
    const delays = [5 * second, 5 * minute, 30 * minute, 2 * hour, 5 * hour, 10 * hour, 14 * hour, 20 * hour, 24 * hour]
    for (const [index, delay] of delays.entries()) {
      expect(receiver.events().length).toBe(index + 1)
      hooked.clock.advance(delay * 0.89)
      await hooked.round()
      expect(receiver.events().length).toBe(index + 1)
      hooked.clock.advance(delay * 0.22)
      await hooked.round()
    }
    expect(receiver.events().length).toBe(10)
    expect(new Set(receiver.events().map(({ body }) => body)).size).toBe(1)
    expect(new Set(receiver.events().map(({ headers }) => headers['webhook-id'])).size).toBe(1)
    expect(new Set(receiver.events().map(({ headers }) => headers['webhook-timestamp'])).size).toBe(10)
    expect(receiver.events().every((one) => isSignedBy(secret, one))).toBe(true)
    hooked.clock.advance(48 * hour)
    await hooked.round()
    expect(receiver.events().length).toBe(10)
    const [delivery] = await sentTo(hooked, webhook.id)
    expect(delivery).toMatchObject({ status: 'failed', eventType: 'task.created' })
    expect(delivery?.attempts.map(({ attempt, status: code, responseBody }) => [attempt, code, responseBody])).toEqual(
      Array.from({ length: 10 }, (_, index) => [index + 1, 500, 'answered 500']),
    )
  })

  it.each([301, 302, 307, 400, 404, 429, 500, 503])('an answer of %i is a failure', async (code) => {
    const { webhook } = await hooked.active(receiver.url, ['task.created'])
    receiver.answer(status(code, { location: 'http://127.0.0.1:1/' }))
    await appliedJob(hooked.stage)
    await hooked.round()
    expect(await sentTo(hooked, webhook.id)).toMatchObject([{ status: 'pending', attempts: [{ status: code }] }])
    receiver.answer(status(204))
    hooked.clock.advance(6 * second)
    await hooked.round()
    expect(await sentTo(hooked, webhook.id)).toMatchObject([
      { status: 'delivered', attempts: [{ status: code }, { status: 204 }] },
    ])
    expect(await hooked.webhooks.get(publisher.wallet, webhook.id)).toMatchObject({
      failingSince: null,
      failureCount: 0,
    })
  })

  it('Retry-After puts the next attempt off, and an overloaded endpoint is asked for nothing before', async () => {
    await hooked.active(receiver.url, ['task.created'])
    receiver.answer(status(429, { 'retry-after': '600' }))
    await appliedJob(hooked.stage)
    await hooked.round()
    receiver.answer(status(200))
    await appliedJob(hooked.stage)
    hooked.clock.advance(590 * second)
    await hooked.round()
    expect(receiver.events().length).toBe(1)
    hooked.clock.advance(11 * second)
    await hooked.round()
    expect(receiver.events().length).toBe(3)
  })

  it('an attempt that was under way when its process died is made again, and its own end is not written', async () => {
    const { webhook } = await hooked.active(receiver.url, ['task.created'])
    const held: (() => void)[] = []
    await using dying = hooked.process()
    receiver.answer((_received, response) => held.push(() => response.end('late')))
    await appliedJob(hooked.stage)
    await caughtUp(hooked.stage)
    await dying.delivery.fanOut()
    expect(await dying.delivery.begin()).toBe(1)
    expect(await hooked.delivery.begin()).toBe(0)
    // The attempt is under way when it has reached its receiver, not when it was begun.
    await expect.poll(() => held.length, { timeout: 10_000 }).toBe(1)
    hooked.clock.advance(31 * second)
    receiver.answer(status(200))
    await hooked.round()
    for (const release of held) release()
    await dying.delivery.settled()
    expect(await sentTo(hooked, webhook.id)).toMatchObject([
      { status: 'delivered', attempts: [{ responseBody: 'answered 200' }] },
    ])
    expect(receiver.events().map(({ body }) => body)).toEqual(
      Array.from({ length: 2 }, () => receiver.events()[0]?.body),
    )
  })
})

describe('when an endpoint is given up', () => {
  it('410 disables it at once and tells its owner', async () => {
    const { webhook } = await hooked.active(receiver.url, ['task.created'])
    await using watch = await startReceiver()
    await hooked.active(watch.url, ['endpoint.disabled'])
    receiver.answer(status(410))
    await appliedJob(hooked.stage)
    await hooked.round()
    expect(await hooked.webhooks.get(publisher.wallet, webhook.id)).toMatchObject({
      status: 'disabled',
      disabledReason: 'gone',
    })
    await appliedJob(hooked.stage)
    await hooked.round()
    expect(receiver.events().length).toBe(1)
    expect(watch.events().map(({ body }) => (JSON.parse(body) as { readonly data: unknown }).data)).toMatchObject([
      { webhook_id: webhook.id, reason: 'gone', url: receiver.url },
    ])
    const { events } = await hooked.stage.market.events(
      publisher,
      { scope: 'mine', types: ['endpoint.disabled'], taskId: null, category: null },
      null,
      100,
    )
    expect(events.map(({ id }) => id)).toEqual(watch.events().map(({ id }) => id))
    expect(
      (
        await hooked.stage.market.events(
          worker,
          { scope: 'mine', types: ['endpoint.disabled'], taskId: null, category: null },
          null,
          100,
        )
      ).events,
    ).toEqual([])
  })

  it('five days without a success disable it, and a success among them does not let it come so far', async () => {
    const { webhook } = await hooked.active(receiver.url, ['task.created'])
    receiver.answer(status(500))
    const day = async (): Promise<void> => {
      await appliedJob(hooked.stage)
      await hooked.round()
      hooked.clock.advance(24 * hour)
      await hooked.round()
    }
    for (let n = 0; n < 4; n += 1) await day()
    receiver.answer(status(200))
    await hooked.round()
    await day()
    receiver.answer(status(500))
    for (let n = 0; n < 4; n += 1) await day()
    expect(await hooked.webhooks.get(publisher.wallet, webhook.id)).toMatchObject({ status: 'active' })
    for (let n = 0; n < 2; n += 1) await day()
    expect(await hooked.webhooks.get(publisher.wallet, webhook.id)).toMatchObject({
      status: 'disabled',
      disabledReason: 'failing',
    })
    receiver.answer(status(200))
    expect(await hooked.webhooks.update(publisher.wallet, webhook.id, { status: 'active' })).toMatchObject({
      status: 'active',
      disabledReason: null,
      failingSince: null,
    })
    const before = receiver.events().length
    await hooked.round()
    hooked.clock.advance(24 * hour)
    await hooked.round()
    expect(receiver.events().length).toBeGreaterThan(before)
  })
})

describe('secrets', () => {
  it('a rotation leaves no moment without a secret that both sides know', async () => {
    const { webhook, secret: old } = await hooked.active(receiver.url, ['task.created'])
    const sent = async () => {
      await appliedJob(hooked.stage)
      await hooked.round()
      const last = receiver.events().at(-1)
      if (last === undefined) throw new Error('nothing came')
      return last
    }
    expect(isSignedBy(old, await sent())).toBe(true)
    const { secret: fresh } = await hooked.webhooks.rotateSecret(publisher.wallet, webhook.id, 24)
    const during = await sent()
    expect([isSignedBy(old, during), isSignedBy(fresh, during)]).toEqual([true, true])
    new Webhook(old).verify(during.body, during.headers)
    new Webhook(fresh).verify(during.body, during.headers)
    hooked.clock.advance(24 * hour - second)
    expect(isSignedBy(old, await sent())).toBe(true)
    hooked.clock.advance(2 * second)
    const after = await sent()
    expect([isSignedBy(old, after), isSignedBy(fresh, after)]).toEqual([false, true])
    const { secret: newest } = await hooked.webhooks.rotateSecret(publisher.wallet, webhook.id, 0)
    const last = await sent()
    expect([isSignedBy(fresh, last), isSignedBy(newest, last)]).toEqual([false, true])
  })

  it('nothing that is stored holds a secret as it is', async () => {
    const { secret } = await hooked.active(receiver.url)
    await appliedJob(hooked.stage)
    await hooked.round()
    const raw = Buffer.from(secret.slice(6), 'base64')
    for (const table of ['webhooks', 'webhook_secrets', 'webhook_deliveries', 'webhook_attempts', 'operations']) {
      const { rows } = await hooked.stage.pool.query<{ text: string }>(`select t::text as text from ${table} t`)
      for (const { text } of rows)
        expect([text.includes(secret.slice(6)), text.includes(raw.toString('hex'))]).toEqual([false, false])
    }
    const { rows } = await hooked.stage.pool.query<{ bytes: number }>(
      'select octet_length(sealed) as bytes from webhook_secrets',
    )
    expect(rows).toEqual([{ bytes: 1 + 12 + 16 + 32 }])
  })
})
