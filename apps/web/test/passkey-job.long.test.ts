import { afterAll, beforeAll, expect, test } from 'vitest'
import { openTheatre, type Theatre } from './browser.ts'
import { playFirstTask } from './first-task-by-passkey.ts'
import { heldMoney } from './held-money.ts'
import type { Person } from './person.ts'

let theatre: Theatre
beforeAll(async () => {
  theatre = await openTheatre()
}, 300_000)
afterAll(async () => {
  await theatre?.[Symbol.asyncDispose]()
})

const addressIn = ({ page }: Person): Promise<string> =>
  page.evaluate(() => {
    const [first] = JSON.parse(localStorage.getItem('ergon.passkey.wallets') ?? '[]') as { readonly address: string }[]
    return first?.address ?? ''
  })

test('two new people without any wallet do and pay a first task: at most 20 clicks and two minutes', async () => {
  await using publisher = await theatre.person()
  await using worker = await theatre.person()
  const {
    presses: [pressesOfPublisher, pressesOfWorker],
    seconds,
  } = await playFirstTask(publisher, worker)
  console.log(`first paid task: ${pressesOfPublisher} + ${pressesOfWorker} clicks, ${seconds.toFixed(1)} s`)
  expect(await heldMoney(theatre, await addressIn(worker))).toBe(1_013_050_000n)
  expect(await heldMoney(theatre, await addressIn(publisher))).toBe(985_000_000n)
  expect(pressesOfPublisher + pressesOfWorker).toBeLessThanOrEqual(20)
  expect(seconds).toBeLessThan(120)
}, 240_000)
