import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openStage, type Stage } from './browser.ts'
import { openFirefox } from './firefox.ts'
import { heldMoney } from './held-money.ts'
import {
  applyForJob,
  approveJob,
  assignJob,
  beginWork,
  givePhoto,
  giveWords,
  publishJob,
  untilGiven,
  type Job,
} from './job-steps.ts'
import type { Actor } from './parts.ts'
import { accountIn, enterAsPerson } from './person.ts'
import { enterInWebkit } from './webkit-person.ts'
import { openWebkit } from './webkit.ts'

let stage: Stage
beforeAll(async () => {
  stage = await openStage()
}, 300_000)
afterAll(async () => {
  await stage?.[Symbol.asyncDispose]()
})

const desk = { width: 1280, height: 800 }
const phone = { width: 390, height: 844 }
type Engine = AsyncDisposable & {
  readonly enter: (window: typeof desk) => Promise<Actor>
  /** Where saved files go. */
  readonly folder: string
}

async function inFirefox(): Promise<Engine> {
  await using stack = new AsyncDisposableStack()
  const folder = await mkdtemp(join(tmpdir(), 'ergon-firefox-'))
  stack.defer(() => rm(folder, { recursive: true, force: true }))
  const browser = await openFirefox(folder)
  stack.defer(() => browser.close())
  const owned = stack.move()
  return {
    folder,
    enter: (viewport) => enterAsPerson(browser, stage.url, { viewport }),
    [Symbol.asyncDispose]: () => owned.disposeAsync(),
  }
}

async function inWebkit(): Promise<Engine> {
  const webkit = await openWebkit()
  return {
    folder: webkit.folder,
    enter: (window) => enterInWebkit(webkit, stage, window),
    [Symbol.asyncDispose]: () => webkit[Symbol.asyncDispose](),
  }
}

/** The last event that came over the socket, as the browser keeps it. */
const heardBy = ({ page }: Actor): Promise<string | null> =>
  page.evaluate(() => {
    const key = Object.keys(localStorage).find((one) => one.startsWith('ergon.events.heard.'))
    return localStorage.getItem(key ?? '')
  }, undefined)

const engines = [
  ['Firefox', inFirefox],
  ['WebKit, the engine of Safari,', inWebkit],
] as const

test.each(engines)(
  'in %s a text is copied, with and without a clipboard, and what is kept about a person is saved as a file',
  async (_name, open) => {
    await using engine = await open()
    await using ada = await engine.enter(desk)
    const { page } = ada
    for (const hasClipboard of [true, false]) {
      await ada.open('/developers')
      await page.evaluate((isThere) => {
        if (!isThere) Object.defineProperty(navigator, 'clipboard', { value: undefined })
      }, hasClipboard)
      await page.getByRole('button', { name: /^Copy ?: Read without signing$/ }).click()
      await page.getByText('Copied', { exact: true }).waitFor()
    }
    await ada.signIn('ada')
    await untilGiven(page)
    await ada.open('/account')
    await page.getByRole('button', { name: 'Save my data' }).click()
    const { signer } = await accountIn(page, stage.url, 'ada')
    await expect
      .poll(() => readFile(join(engine.folder, 'ergon-account.json'), 'utf8').catch(() => ''), { timeout: 20_000 })
      .toContain(signer.address.toLowerCase())
  },
)

test.each(engines)(
  'in %s a worker on a phone does a first task and is paid by a publisher at a desk',
  async (name, open) => {
    await using engine = await open()
    await using ada = await engine.enter(desk)
    await using bruno = await engine.enter(phone)
    for (const [actor, persona] of [
      [ada, 'ada'],
      [bruno, 'bruno'],
    ] as const) {
      await actor.signIn(persona)
      await untilGiven(actor.page)
    }
    const job: Job = { title: `Photograph the gate of ${name}`, bounty: '10', evidence: ['Photo', 'Answer in words'] }
    await publishJob(ada, job)
    await expect.poll(() => heardBy(ada), { timeout: 20_000 }).not.toBeNull()
    const before = await heardBy(ada)
    await applyForJob(bruno, job)
    await expect.poll(() => heardBy(ada), { timeout: 20_000 }).not.toBe(before)
    // Nothing is loaded again up to the payment.
    await assignJob(ada)
    await beginWork(bruno, job)
    await givePhoto(bruno.page)
    await giveWords(bruno.page)
    await bruno.page.getByRole('button', { name: 'Hand in', exact: true }).click()
    await bruno.page.waitForURL(/\/work$/)
    await bruno.page.getByRole('region', { name: 'Outbox' }).getByText('Handed in', { exact: true }).waitFor()
    await approveJob(ada)
    const { signer } = await accountIn(bruno.page, stage.url, 'bruno')
    expect(await heldMoney(stage, signer.address)).toBe(1_008_700_000n)
  },
)
