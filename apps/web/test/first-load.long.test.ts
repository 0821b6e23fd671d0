import { afterAll, beforeAll, expect, test } from 'vitest'
import { firstReads } from '../src/first-reads.ts'
import { openTheatre, phone, type Theatre } from './browser.ts'
import { publishMany } from './many-tasks.ts'

let theatre: Theatre
beforeAll(async () => {
  theatre = await openTheatre()
  await publishMany(theatre, 30)
}, 300_000)
afterAll(async () => {
  await theatre?.[Symbol.asyncDispose]()
})

test('the first load of the task list asks the service for each thing once', async () => {
  await using visitor = await theatre.person({ ...phone, serviceWorkers: 'block' })
  const asked: string[] = []
  visitor.page.on('request', (request) => {
    asked.push(request.url().slice(theatre.url.length))
  })
  await visitor.open('/find')
  await visitor.page.locator('main li').first().waitFor()
  for (const path of firstReads['/find'] ?? [])
    expect(
      asked.filter((one) => one === path),
      path,
    ).toHaveLength(1)
  expect(asked.filter((one) => one.startsWith('/assets/') && asked.indexOf(one) !== asked.lastIndexOf(one))).toEqual([])
})
