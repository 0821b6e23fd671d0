import { afterAll, beforeAll, expect, test } from 'vitest'
import { openTheatre, phone, type Theatre } from './browser.ts'
import { addressOf, publishAsPerson, setScene, type Scene } from './scene.ts'

const mark = 'window.wasRun=1'
/** No line of a phone holds it. */
const longWord = 'Wm'.repeat(40)
const title = `<script>${mark}</script><img src=x onerror="${mark}">${longWord.slice(0, 30)}`
const text =
  `</title></p><svg onload="${mark}"><a href="javascript:${mark}">here</a> ` +
  `{{constructor}} \${1+1} ${title} ${longWord}${longWord}`

let theatre: Theatre
let scene: Scene
beforeAll(async () => {
  theatre = await openTheatre()
  scene = await setScene(theatre, {}, { title, text })
}, 300_000)
afterAll(async () => {
  await scene?.[Symbol.asyncDispose]()
  await theatre?.[Symbol.asyncDispose]()
})

test('the page is served under a policy that lets nothing run but the files of the app', async () => {
  const answer = await fetch(theatre.url, { headers: { accept: 'text/html' } })
  const policy = new Map(
    (answer.headers.get('content-security-policy') ?? '')
      .split(';')
      .map((one) => one.trim().split(' '))
      .map(([name = '', ...sources]) => [name, sources.join(' ')]),
  )
  expect(policy.get('default-src')).toBe("'none'")
  expect([
    policy.get('script-src'),
    policy.get('object-src'),
    policy.get('base-uri'),
    policy.get('frame-ancestors'),
  ]).toEqual(["'self'", "'none'", "'none'", "'none'"])
  // The one style that is in the page is admitted by what it says, and no other.
  expect(policy.get('style-src')).toMatch(/^'self' 'sha256-[\w+/]{43}='$/)
  expect(answer.headers.get('content-security-policy')).not.toMatch(/unsafe|\*/)
  expect(answer.headers.get('x-content-type-options')).toBe('nosniff')
})

test('what gets into the page as markup all the same does not run, and the harness hears of it', async () => {
  const person = await theatre.person()
  const { page } = person
  await person.open('/sign-in')
  await page.evaluate((code) => {
    const script = document.createElement('script')
    script.textContent = code
    document.body.append(script)
    document.body.insertAdjacentHTML('beforeend', `<img src="data:," onerror="${code}">`)
  }, mark)
  await expect
    .poll(() => person.faults.list().filter((fault) => fault.includes('the policy refused script-src')).length)
    .toBeGreaterThanOrEqual(2)
  expect(await page.evaluate(() => Reflect.get(window, 'wasRun') as unknown)).toBeUndefined()
  await expect(person[Symbol.asyncDispose]()).rejects.toThrow('the policy refused')
})

const wherePublished = [
  '/find',
  '/map',
  '/tasks/$taskId',
  '/people/$workerId',
  '/publishers/$wallet',
  '/services',
  '/services/$listingId',
  '/activity',
  '/agents',
  '/leaderboard',
]
const whereOwned = [
  '/tasks/$taskId',
  '/my/tasks',
  '/my/tasks/$taskId',
  '/my/tasks/$taskId/review',
  '/submissions/$submissionId',
  '/disputes',
  '/disputes/$disputeId',
  '/my/services',
  '/my/spend',
  '/notifications',
]
const whereWorked = [
  '/tasks/$taskId',
  '/work',
  '/submissions/$submissionId',
  '/work/$taskId/submit',
  '/earnings',
  '/profile',
  '/disputes/$disputeId',
  '/notifications',
]

test.each([
  ['a visitor', wherePublished],
  ['the publisher', whereOwned],
  ['the worker', whereWorked],
] as const)('what people write is shown to %s as they wrote it, and none of it runs', async (who, paths) => {
  await using visitor = await theatre.person()
  const { page, open } = { 'a visitor': visitor, 'the publisher': scene.publisher, 'the worker': scene.worker }[who]
  let shown = 0
  for (const path of paths) {
    await page.setViewportSize(phone.viewport)
    await open(addressOf(path, scene.params))
    shown += await page.getByText('<script>').count()
    const found = await page.evaluate(() => ({
      wasRun: Reflect.get(window, 'wasRun') as unknown,
      beyond: Math.max(0, document.documentElement.scrollWidth - document.documentElement.clientWidth),
      planted:
        document.querySelectorAll('[onerror], [onload], [src="x"], a[href^="javascript:" i]').length +
        document.querySelectorAll('body script').length,
    }))
    expect(found, path).toEqual({ wasRun: undefined, beyond: 0, planted: 0 })
  }
  // Screens that show none of it would prove nothing.
  expect(shown).toBeGreaterThan(0)
  expect([scene.publisher, scene.worker, visitor].flatMap(({ faults }) => faults.list())).toEqual([])
})

test('what is written from right to left ends at its left, in a list as on a page of its own', async () => {
  const written = 'صوّر البوابة من الشارع، من فضلك!'
  const taskId = await publishAsPerson(scene.publisher, {
    title: written,
    instructions: written,
    category: 'simple_action',
    bounty_usd: 1.3,
    evidence_required: ['text_response'],
  })
  await using visitor = await theatre.person()
  const { page, open } = visitor
  for (const [path, times] of [
    ['/find', 1],
    [`/tasks/${taskId}`, 2],
  ] as const) {
    await open(path)
    const main = page.getByRole('main')
    const places = await main.getByText(written, { exact: true }).evaluateAll((found) =>
      found.map((one) => {
        const texts = document.createTreeWalker(one, NodeFilter.SHOW_TEXT)
        const text = texts.nextNode()
        const length = text?.textContent?.length ?? 0
        const leftOf = (from: number): number => {
          const range = document.createRange()
          if (text !== null) {
            range.setStart(text, from)
            range.setEnd(text, from + 1)
          }
          return range.getBoundingClientRect().left
        }
        return leftOf(length - 1) < leftOf(0)
      }),
    )
    expect(places.length, path).toBeGreaterThanOrEqual(times)
    expect(places, path).not.toContain(false)
  }
})

test('marks piled on the letters of a title run over nothing beside it, and it turns no other word', async () => {
  const piled = [...'Gate'].map((letter) => letter + '\u0301\u0302\u0324\u032d'.repeat(10)).join('')
  const idOf = async (title: string, bounty_usd: number): Promise<string> =>
    publishAsPerson(scene.publisher, {
      title: `${title} here`,
      instructions: 'Stand in front of it and write what you see.',
      category: 'simple_action',
      bounty_usd,
      evidence_required: ['text_response'],
    })
  await using visitor = await theatre.person(phone)
  const { page, open } = visitor
  await open(`/tasks/${await idOf(piled, 1.4)}`)
  const heading = page.getByRole('heading', { level: 1 })
  // What no box tells: how far the ink of a letter reaches.
  expect(await heading.evaluate((shown) => getComputedStyle(shown).overflowY)).toBe('clip')
  await open(`/tasks/${await idOf('Gate \u202eereh', 1.42)}`)
  await expect.poll(() => page.title()).toBe('Gate ereh here · Ergon')
})

test('a receipt fits one sheet of white paper, with every digit, and pages on paper say when things were', async () => {
  const { taskId, submissionId } = scene.params
  const { page, open } = scene.publisher
  await (await scene.publisher.account('ada')).client.approveSubmission({ submission_id: submissionId ?? '' })
  await page.evaluate(() => localStorage.setItem('ergon.theme', 'dark'))
  await open(`/receipts/${taskId ?? ''}`)
  const slip = page.getByRole('article')
  await slip.waitFor()
  await page.emulateMedia({ media: 'print' })
  const pages = async (): Promise<number> =>
    (await page.pdf({ format: 'A4', preferCSSPageSize: true })).toString('latin1').match(/\/Type ?\/Page\b/g)?.length ??
    0
  expect(await pages()).toBe(1)
  expect(await page.evaluate(() => getComputedStyle(document.documentElement).colorScheme)).toBe('light')
  expect(await slip.locator('.scene').evaluate((scene) => scene.getBoundingClientRect().width)).toBe(48)
  const { escrow_tx: lock } = await (await scene.publisher.account('ada')).client.tasks.get({ task_id: taskId ?? '' })
  const whole = slip.getByText(lock ?? 'none', { exact: true })
  // It is broken where its digits let it: how wide its lines are differs from one to the other.
  expect((await whole.boundingBox())?.width).toBeGreaterThan(150)
  await page.emulateMedia({ media: null })
  await open(`/my/tasks/${taskId ?? ''}/review`)
  await page.getByRole('heading', { name: 'What happened' }).waitFor()
  await page.emulateMedia({ media: 'print' })
  const shown = await page
    .locator('time[title]')
    .first()
    .evaluate((time) => [getComputedStyle(time).fontSize, getComputedStyle(time, '::after').content])
  expect(shown[0]).toBe('0px')
  expect(shown[1]).toMatch(/\d{4}/)
  await page.emulateMedia({ media: null })
})
