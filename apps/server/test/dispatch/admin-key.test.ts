import { expect, test } from 'vitest'
import { send } from './send.ts'
import { authority, startTinyService } from './tiny-service.ts'

const ask = (url: string, key?: string) =>
  send(url, 'GET', '/admin', { host: authority, ...(key === undefined ? {} : { 'x-admin-key': key }) })

test('the right admin key is never counted; the eleventh wrong one of a minute is told to wait (spec §8)', async () => {
  await using service = await startTinyService({ limits: { anonymousPerMinute: 2 } })
  for (let call = 0; call < 30; call += 1) {
    const reply = await ask(service.url, 'open sesame')
    expect([reply.status, reply.headers['ratelimit-limit']]).toEqual([200, undefined])
  }
  for (let guess = 0; guess < 10; guess += 1)
    expect((await ask(service.url, `sesame ${String(guess)}`)).body).toMatchObject({ code: 'INVALID_API_KEY' })
  const stopped = await ask(service.url, 'sesame')
  expect([stopped.status, stopped.body['code'], stopped.body.details]).toEqual([
    429,
    'RATE_LIMITED',
    expect.objectContaining({ limit: 10, remaining: 0 }),
  ])
  expect(Number(stopped.headers['retry-after'])).toBeGreaterThan(0)
  expect((await ask(service.url, 'open sesame')).status).toBe(200)
})

test('a request without the key is a stranger to the admin operations, and counted as one', async () => {
  await using service = await startTinyService({ limits: { anonymousPerMinute: 2 } })
  expect([(await ask(service.url)).status, (await ask(service.url)).status, (await ask(service.url)).status]).toEqual([
    401, 401, 429,
  ])
})
