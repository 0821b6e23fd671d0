import { createPublicKey, verify } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { sealForBrowser } from '../../src/delivery/web-push.ts'
import {
  applied,
  assign,
  aTask,
  eventually,
  expectStatus,
  paymentAuth,
  startLiveMarket,
  type LiveMarket,
  type Party,
} from '../http/live-market.ts'
import { browser, opened } from './browser.ts'
import { startPushService, type Posted, type PushService } from './push-service.ts'

const path = '/api/v1/account/push'
let live: LiveMarket
let publisher: Party
let worker: Party
let service: PushService
beforeAll(async () => {
  live = await startLiveMarket({ SVC_WEBHOOKS_ALLOW_LOOPBACK: 'true' })
  publisher = await live.party(120n)
  worker = await live.party(121n)
  service = await startPushService()
})
afterAll(async () => {
  await service[Symbol.asyncDispose]()
  await live[Symbol.asyncDispose]()
})

const postedTo = (name: string): readonly Posted[] => service.posted.filter((one) => one.path === `/push/${name}`)
const told = (name: string) => postedTo(name).map(({ body }) => JSON.parse(opened(body)) as unknown)
const untilTold = (name: string, count: number) =>
  eventually(
    async () => postedTo(name).length,
    (length) => length >= count,
  )
const subscribe = async (by: Party, name: string, change = {}) =>
  expectStatus(await by.call('POST', path, { ...browser(name, service.url), ...change }), 201).body

test('the message of RFC 8291 §5 is sealed to the byte', () => {
  const bytes = (text: string): Buffer => Buffer.from(text, 'base64url')
  const sealed = sealForBrowser(
    'When I grow up, I want to be a watermelon',
    {
      p256dh: 'BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4',
      auth: 'BTBZMqHH6r4Tts7J_aSIgg',
    },
    { scalar: bytes('yfWPiYE-n46HLnH0KqZOF1fJJU3MYrct3AELtAQ-oRw'), salt: bytes('DGv6ra1nlYgDCS1FRnbzlw') },
  )
  expect(sealed.toString('base64url')).toBe(
    'DGv6ra1nlYgDCS1FRnbzlwAAEABBBP4z9KsN6nGRTbVYI_c7VJSPQTBtkgcy27mlmlMoZIIgDll6e3vCYLocInmYWAmS6TlzAC8wEqKK6PBru3jl7A_yl95bQpu6cVPTpK4Mqgkf1CXztLVBSt2Ks3oZwbuwXPXLWyouBWLVWGNWQexSgSxsj_Qulcy4a-fN',
  )
})

test('a browser is told in its language where to look, sealed for it alone, and by whom', async () => {
  await subscribe(publisher, 'publisher')
  const taskId = String(expectStatus(await publisher.call('POST', '/api/v1/tasks', aTask()), 201).body['id'])
  expectStatus(await worker.call('POST', `/api/v1/tasks/${taskId}/apply`, {}), 201)
  await untilTold('publisher', 1)
  expect(told('publisher')).toEqual([
    { title: 'Hay novedades de una candidatura', path: `/my/tasks/${taskId}`, tag: `application ${taskId}` },
  ])
  const [{ headers, body } = { headers: {}, body: Buffer.alloc(0) }] = postedTo('publisher')
  expect(headers).toMatchObject({ 'content-encoding': 'aes128gcm', ttl: '86400', urgency: 'normal' })
  expect(body.includes(taskId)).toBe(false)
  const { public_key: key } = expectStatus(await publisher.call('GET', path), 200).body
  expect(claimsOf(String(headers.authorization), String(key))).toMatchObject({ aud: service.url })
})

test('a browser hears of the kinds that its person named, and of nothing that its person did', async () => {
  await subscribe(worker, 'mail-only', { kinds: ['message'], language: 'en' })
  const job = await applied(publisher, worker)
  expectStatus(await assign(publisher, job, await paymentAuth(publisher, job)), 200)
  const target = `/api/v1/tasks/${job.taskId}/messages`
  expectStatus(await worker.call('POST', target, { text: 'Which gate?' }), 201)
  expectStatus(await publisher.call('POST', target, { text: 'The green one.' }), 201)
  await untilTold('mail-only', 1)
  expect(told('mail-only')).toEqual([
    { title: 'You have a new message', path: `/tasks/${job.taskId}`, tag: `message ${job.taskId}` },
  ])
})

test('a browser that subscribes again changes what it is told of, and one that is removed hears nothing', async () => {
  const person = await live.party(122n)
  const first = await subscribe(person, 'once')
  const again = await subscribe(person, 'once', { kinds: ['money'] })
  expect(again).toMatchObject({ subscription_id: first['subscription_id'], kinds: ['money'] })
  expect(expectStatus(await person.call('GET', path), 200).body).toMatchObject({ total: 1 })
  const one = `${path}/${String(first['subscription_id'])}`
  expect((await worker.call('DELETE', one)).body).toMatchObject({ deleted: false })
  expect((await person.call('DELETE', one)).body).toMatchObject({ deleted: true })
  expect(expectStatus(await person.call('GET', path), 200).body).toMatchObject({ total: 0 })
})

test('an eleventh browser takes the place of the oldest', async () => {
  const person = await live.party(123n)
  for (let n = 0; n < 11; n += 1) await subscribe(person, `many-${String(n)}`)
  const { subscriptions, total } = expectStatus(await person.call('GET', path), 200).body
  expect(total).toBe(10)
  expect(subscriptions).toHaveLength(10)
})

test.each([404, 410])('a browser that its push service answers %d for is forgotten', async (status) => {
  const [asker, name] = [await live.party(BigInt(124 + (status % 2))), `gone-${String(status)}`]
  await subscribe(asker, name)
  service.status = status
  try {
    const taskId = String(expectStatus(await asker.call('POST', '/api/v1/tasks', aTask()), 201).body['id'])
    expectStatus(await worker.call('POST', `/api/v1/tasks/${taskId}/apply`, {}), 201)
    await untilTold(name, 1)
    await eventually(
      async () => (await asker.call('GET', path)).body['total'],
      (total) => total === 0,
    )
  } finally {
    service.status = 201
  }
})

test.each(['https://user:secret@push.example/x', 'https://push.example/x#y', 'ftp://push.example/x'])(
  '%s is no address of a push service',
  async (endpoint) => {
    const refused = await publisher.call('POST', path, { ...browser('x'), endpoint })
    expect(refused.body).toMatchObject({ code: 'WEBHOOK_URL_REFUSED' })
  },
)

test('keys that nothing can be sealed for are refused', async () => {
  const off = Buffer.alloc(65, 4).toString('base64url')
  for (const change of [{ p256dh: off }, { auth: 'A'.repeat(21) }])
    expect((await publisher.call('POST', path, { ...browser('x'), ...change })).body).toMatchObject({
      code: 'VALIDATION_FAILED',
    })
})

/** What a push service reads of who sends (RFC 8292), once the signature was found good. */
function claimsOf(authorization: string, publicKey: string): unknown {
  const [, token = '', key] = /^vapid t=([^,]+), k=(.+)$/.exec(authorization) ?? []
  expect(key).toBe(publicKey)
  const point = Buffer.from(publicKey, 'base64url')
  const jwk = {
    kty: 'EC',
    crv: 'P-256',
    x: point.subarray(1, 33).toString('base64url'),
    y: point.subarray(33).toString('base64url'),
  }
  const [head = '', claims = '', signature = ''] = token.split('.')
  const signer = { key: createPublicKey({ format: 'jwk', key: jwk }), dsaEncoding: 'ieee-p1363' } as const
  expect(verify('sha256', Buffer.from(`${head}.${claims}`), signer, Buffer.from(signature, 'base64url'))).toBe(true)
  return JSON.parse(Buffer.from(claims, 'base64url').toString('utf8'))
}
