import { errorCatalogue, operations, type Operation } from '@ergon/contract'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { authority } from '../dispatch/tiny-service.ts'
import { startLiveMarket, type LiveMarket } from './live-market.ts'

let live: LiveMarket
beforeAll(async () => {
  live = await startLiveMarket()
})
afterAll(async () => {
  await live[Symbol.asyncDispose]()
})

async function fetched(
  path: string,
  headers: Record<string, string> = {},
): Promise<{ readonly status: number; readonly headers: Headers; readonly text: string }> {
  const answer = await fetch(new URL(path, live.url), { headers })
  return { status: answer.status, headers: answer.headers, text: await answer.text() }
}

test('a program that knows the host alone finds the contract, the signing policy and the whole job', async () => {
  const { status, headers, text } = await fetched('/llms.txt')
  expect([status, headers.get('content-type')]).toEqual([200, 'text/plain; charset=utf-8'])
  for (const path of [
    '/openapi.json',
    '/api/v1/auth/erc8128/info',
    '/llms-full.txt',
    '/SKILL.md',
    '/signing-vectors.json',
    '/.well-known/agent-card.json',
  ]) {
    expect(text).toContain(`http://${authority}${path}`)
    expect((await fetched(path)).status).toBe(200)
  }
})

test('the full text names every route and every error', async () => {
  const { text } = await fetched('/llms-full.txt')
  const routes = Object.values(operations).flatMap((definition: Operation) =>
    definition.rest.map(({ method, path }) => `${method} ${path}`),
  )
  expect(routes.filter((route) => !text.includes(route))).toEqual([])
  expect(Object.keys(errorCatalogue).filter((code) => !text.includes(`\`${code}\``))).toEqual([])
})

test('the skill file has the head that agents look for, under both names', async () => {
  const [one, other] = [await fetched('/SKILL.md'), await fetched('/skill.md')]
  expect(one.text).toMatch(/^---\nname: [a-z0-9-]{1,64}\ndescription: .{20,1024}\n---\n/)
  expect(Buffer.byteLength(one.text)).toBeLessThan(64_000)
  expect(other.text).toBe(one.text)
})

test('a document that has not changed is not sent again', async () => {
  const etag = (await fetched('/llms.txt')).headers.get('etag') ?? ''
  expect(etag).toMatch(/^"[\w-]{22}"$/)
  expect(await fetched('/llms.txt', { 'if-none-match': etag })).toMatchObject({ status: 304, text: '' })
})
