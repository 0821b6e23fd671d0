import { afterAll, beforeAll, expect, test } from 'vitest'
import { standInApp } from '../web/stand-in-app.ts'
import { aTask, expectStatus, startLiveMarket, type LiveMarket, type Party } from './live-market.ts'

const built = standInApp()
let live: LiveMarket
let publisher: Party
beforeAll(async () => {
  live = await startLiveMarket({ SVC_WEB_DIR: built.dir, SVC_RATE_ANON_PER_MIN: '1000' })
  publisher = await live.party(1_000n)
})
afterAll(async () => {
  await live[Symbol.asyncDispose]()
  built[Symbol.dispose]()
})

const draws = { 'user-agent': 'Twitterbot/1.0' }
const person = { accept: 'text/html', 'user-agent': 'Mozilla/5.0 (X11; Linux x86_64)' }
const tag = (html: string, name: string): string | undefined =>
  new RegExp(`property="${name}" content="([^"]*)"`).exec(html)?.[1]

async function publish(change: Readonly<Record<string, unknown>>): Promise<string> {
  const reply = await publisher.call('POST', '/api/v1/tasks', aTask(change))
  return (expectStatus(reply, 201).body as { readonly id: string }).id
}

test('a shared link to a task shows its title, its bounty and what the worker gets', async () => {
  const id = await publish({ title: 'Is the "north" gate <open>?', bounty_usd: 10 })
  const answer = await fetch(`${live.url}/tasks/${id}`, { headers: draws })
  const html = await answer.text()
  expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8'])
  expect(tag(html, 'og:title')).toBe('$10.00 · Is the &quot;north&quot; gate &lt;open&gt;?')
  expect(tag(html, 'og:description')).toMatch(/^\$8\.70 of it goes to the worker, on chain\. /)
  expect(tag(html, 'og:url')).toMatch(new RegExp(`^https?://[^/]+/tasks/${id}$`))
  expect(tag(html, 'og:image')).toMatch(/^https?:\/\/[^/]+\/icons\/card\.png$/)
  expect(html).not.toContain('<open>')
})

test('a title turns nothing of its card, and piles nothing over it', async () => {
  const id = await publish({ title: `Pay \u202egnihton${'\u0301'.repeat(30)} here`, bounty_usd: 10 })
  const html = await (await fetch(`${live.url}/tasks/${id}`, { headers: draws })).text()
  expect(tag(html, 'og:title')).toBe(`$10.00 · Pay gnihton${'\u0301'.repeat(4)} here`)
  expect(html).not.toContain('\u202e')
})

test('a person gets the app under the same address, and a preview of an unknown task is that of the app', async () => {
  const id = await publish({})
  const page = await (await fetch(`${live.url}/tasks/${id}`, { headers: person })).text()
  expect(page).toContain('ergon-settings')
  expect(tag(page, 'og:title')).toBe('Ergon')
  const unknown = await fetch(`${live.url}/tasks/00000000-0000-4000-8000-000000000000`, { headers: draws })
  expect(tag(await unknown.text(), 'og:title')).toBe('Ergon')
})

test('who draws more than sixty cards a minute gets the app instead', async () => {
  const id = await publish({})
  const titles: (string | undefined)[] = []
  for (let asked = 0; asked < 125; asked += 1)
    titles.push(tag(await (await fetch(`${live.url}/tasks/${id}`, { headers: draws })).text(), 'og:title'))
  expect(titles.at(-1)).toBe('Ergon')
  expect(titles.filter((one) => one !== 'Ergon').length).toBeLessThanOrEqual(120)
})
