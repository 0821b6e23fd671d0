import { afterAll, beforeAll, expect, test } from 'vitest'
import { bringAxe, violationsOf } from './axe.ts'
import { openTheatre, phone, type Theatre } from './browser.ts'
import type { Person } from './person.ts'
import { pictureOf } from './picture.ts'
import { addressOf, setScene, type Scene } from './scene.ts'
import { whileMoneyIsPaused } from './while-money-is-paused.ts'

let theatre: Theatre
let scene: Scene
beforeAll(async () => {
  // A caller who waits for the chain is soon told that it goes on.
  theatre = await openTheatre({ env: { server: { SVC_SETTLE_WAIT_MS: '1500' } } })
  scene = await setScene(theatre)
}, 300_000)
afterAll(async () => {
  await scene?.[Symbol.asyncDispose]()
  await theatre?.[Symbol.asyncDispose]()
})

const heading = 'Dispute: Photograph the gate'

async function openDispute({ page, open }: Person): Promise<void> {
  await open(addressOf('/disputes/$disputeId', scene.params))
  await page.getByRole('heading', { level: 1, name: heading }).waitFor()
}

/** The key as whoever runs the service types it. */
async function giveKey({ page }: Person, key: string): Promise<void> {
  await page.getByLabel('Admin key').fill(key)
  await page.getByRole('button', { name: 'Open', exact: true }).click()
}

test.each(['publisher', 'worker'] as const)(
  'the %s finds the dispute under its status, and what is about it',
  async (who) => {
    const { page, open, settled } = scene[who]
    await open('/disputes')
    await page.getByRole('link', { name: 'Open', exact: true }).click()
    await page.waitForURL('**/disputes?status=open')
    await page.getByText('one dispute').waitFor()
    await page.getByRole('link', { name: 'Decided', exact: true }).click()
    await page.getByText('No dispute with this status.').waitFor()
    await page.goBack()
    await page.getByRole('heading', { level: 2, name: 'Photograph the gate' }).getByRole('link').click()
    await page.getByRole('heading', { level: 1, name: heading }).waitFor()
    await settled()
    const main = page.getByRole('main')
    await main.getByText('$1.09').first().waitFor()
    await main.getByText('No answer from the other side').waitFor()
    await main.getByText('The publisher has added no statement yet.').waitFor()
    await main
      .getByRole('status')
      .filter({ hasText: 'The money stays put until it is decided' })
      .filter({ hasText: 'the task expires' })
      .waitFor()
    await main.getByRole('link', { name: 'See the evidence' }).click()
    await page.waitForURL('**/submissions/**')
  },
)

test('the task, what was handed in and the review lead to the very dispute', async () => {
  const { publisher, worker, params } = scene
  const { client } = await worker.account('bruno')
  const dispute = `/disputes/${String(params['disputeId'])}`
  const { task_id: taskId, submission_id: submissionId } = await client.disputes.get({
    dispute_id: String(params['disputeId']),
  })
  const from = [
    [publisher, `/tasks/${taskId}`],
    [publisher, `/my/tasks/${taskId}`],
    [publisher, `/my/tasks/${taskId}/review`],
    [worker, `/tasks/${taskId}`],
    [worker, `/submissions/${submissionId}`],
  ] as const
  for (const [{ page, open }, screen] of from) {
    await open(screen)
    expect(
      new URL((await page.getByRole('link', { name: 'See the dispute' }).getAttribute('href')) ?? '', page.url())
        .pathname,
      screen,
    ).toBe(dispute)
  }
  // A task without one has no such link.
  await publisher.open(addressOf('/my/tasks/$taskId/review', params))
  await publisher.page.getByRole('heading', { name: 'Your decision' }).waitFor()
  expect(await publisher.page.getByRole('link', { name: /dispute/ }).count()).toBe(0)
})

test('what the two sides wrote is shown among the evidence, and what one sends the other reads on its task', async () => {
  const { publisher, worker, params } = scene
  await openDispute(publisher)
  const thread = publisher.page.getByRole('region', { name: 'Messages' })
  await expect.poll(() => thread.getByText('Stand in front of the gate').count()).toBe(2)
  await thread.getByLabel('Your message').fill('  ')
  await thread.getByRole('button', { name: 'Send' }).click()
  expect(await thread.getByLabel('Your message').getAttribute('aria-invalid')).toBe('true')
  await thread.getByLabel('Your message').fill('The gate on the photo is not ours.')
  await thread.getByRole('button', { name: 'Send' }).click()
  await thread.getByText('The gate on the photo is not ours.').waitFor()
  const { client } = await worker.account('bruno')
  const { task_id: taskId } = await client.disputes.get({ dispute_id: String(params['disputeId']) })
  await worker.open(`/tasks/${taskId}`)
  await worker.page
    .getByRole('region', { name: 'Messages' })
    .getByRole('listitem')
    .filter({ hasText: 'Publisher' })
    .filter({ hasText: 'The gate on the photo is not ours.' })
    .waitFor()
})

test('what the publisher states with a link is read by the worker on the open page', async () => {
  const { publisher, worker } = scene
  await openDispute(worker)
  await openDispute(publisher)
  const { page } = publisher
  await page.getByLabel('Links to evidence').fill('gate.example/photo')
  await page.getByRole('button', { name: 'Add the statement' }).click()
  for (const field of ['What happened, as you see it', 'Links to evidence'])
    expect(await page.getByLabel(field).getAttribute('aria-invalid'), field).toBe('true')
  await page.getByLabel('What happened, as you see it').fill('The gate in the words is not the gate of the task.')
  await page.getByLabel('Links to evidence').fill('https://gate.example/photo\n\nhttps://gate.example/map')
  await page.getByRole('button', { name: 'Add the statement' }).click()
  await page
    .getByRole('listitem')
    .filter({ hasText: 'The gate in the words' })
    .getByText('The publisher (you)')
    .waitFor()
  const said = worker.page
    .getByRole('listitem')
    .filter({ hasText: 'The gate in the words is not the gate of the task.' })
  await said.getByText('The publisher', { exact: true }).waitFor()
  expect(await said.getByRole('link').evaluateAll((links) => links.map((link) => link.getAttribute('href')))).toEqual([
    'https://gate.example/photo',
    'https://gate.example/map',
  ])
})

test('a dispute is shown to nobody but its parties and the operator', async () => {
  await using stranger = await theatre.person({ expected: /403/ })
  await stranger.open(addressOf('/disputes/$disputeId', scene.params))
  await stranger.page.getByText('Sign in to see the disputes').waitFor()
  await stranger.signIn('ada')
  await stranger.open(addressOf('/disputes/$disputeId', scene.params))
  await stranger.page.getByRole('alert').waitFor()
  expect(await stranger.page.getByText('The gate in the words').count()).toBe(0)
  await stranger.open(addressOf('/disputes/$disputeId?as=operator', scene.params))
  await giveKey(stranger, 'not-the-key-of-this-deployment')
  await stranger.page.getByText('The service does not take this key.').waitFor()
  expect(await stranger.page.getByText('The gate in the words').count()).toBe(0)
})

test('what comes next is said while it is asked again, and what could not be read is asked for once more', async () => {
  await using operator = await theatre.person()
  const { page, open } = operator
  await open('/disputes?as=operator')
  await giveKey(operator, theatre.constellation.record().adminKeys.server)
  await page.getByRole('heading', { level: 2, name: 'Photograph the gate' }).waitFor()
  for (const part of ['**/ruling', '**/messages?*'])
    await page.route(part, (route) => route.fulfill({ status: 404, json: { error: 'DISPUTE_NOT_FOUND' } }))
  await page.getByRole('heading', { level: 2, name: 'Photograph the gate' }).getByRole('link').click()
  const again = page.getByRole('button', { name: 'Try again' })
  await expect.poll(() => again.count()).toBe(2)
  await Promise.all(['**/ruling', '**/messages?*'].map((part) => page.unroute(part)))
  const next = page.getByText('The money stays put until it is decided')
  for (const left of [1, 0]) {
    await again.first().click()
    await expect.poll(() => again.count()).toBe(left)
  }
  await next.waitFor()
  // It is not asked again at once.
  await page.waitForTimeout(5_500)
  const [asked] = await Promise.all([
    page.waitForRequest('**/ruling'),
    page.route('**/ruling', () => undefined),
    page.evaluate(() => document.dispatchEvent(new Event('visibilitychange', { bubbles: true }))),
  ])
  expect(asked.method()).toBe('GET')
  await page.waitForTimeout(500)
  expect(await next.isVisible()).toBe(true)
  await page.unrouteAll({ behavior: 'ignoreErrors' })
})

test('the operator splits the bounty by a typed word, after seeing the amounts, and nobody reads that it is over before the chain has said so', async () => {
  await using operator = await theatre.person()
  const { page } = operator
  await operator.open('/disputes?as=operator')
  await giveKey(operator, theatre.constellation.record().adminKeys.server)
  await page.getByRole('heading', { level: 2, name: 'Photograph the gate' }).getByRole('link').click()
  await page.getByRole('heading', { level: 1, name: heading }).waitFor()
  await page.getByText('The gate in the words is not the gate of the task.').waitFor()
  await page.getByRole('article').getByText('Stand in front of the gate and write what you see.').waitFor()
  await page
    .getByRole('listitem')
    .filter({ hasText: 'Form of the evidence' })
    .getByText('Everything required is there and has its form.')
    .waitFor()
  await page.getByRole('button', { name: 'Continue to the confirmation' }).click()
  await page.getByText('Choose one.').waitFor()
  expect(await page.getByLabel('Reason').getAttribute('aria-invalid')).toBe('true')
  await page.getByLabel('Split it').check()
  await page.getByLabel('Share of the publisher in percent').fill('30')
  await page.getByLabel('Reason').fill('Half of the gate was described.')
  await page.getByRole('button', { name: 'Continue to the confirmation' }).click()
  const dialog = page.getByRole('dialog', { name: 'Decide this dispute?' })
  // 30 percent of 1.09 go back; of the rest, 13 percent are the fee.
  for (const amount of ['US$0.327', 'US$0.763', 'US$0.09919', 'US$0.66381'])
    await dialog.getByText(amount, { exact: true }).waitFor()
  expect(new URL(page.url()).searchParams.get('do')).toBe('decide')
  await page.reload()
  await dialog.getByLabel('Type SPLIT to confirm').fill('REFUND')
  await dialog.getByRole('button', { name: 'Decide and move the money' }).click()
  await dialog.getByText('This is not the word.').waitFor()
  await dialog.getByLabel('Type SPLIT to confirm').fill('split')
  await openDispute(scene.worker)
  await whileMoneyIsPaused(theatre, async () => {
    await dialog.getByRole('button', { name: 'Decide and move the money' }).click()
    await dialog.waitFor({ state: 'detached' })
    await scene.worker.page.reload()
    for (const reader of [page, scene.worker.page]) {
      await reader.getByText('the money is on its way. It is over only when the chain has confirmed it').waitFor()
      expect(await reader.getByRole('definition').filter({ hasText: 'not confirmed yet' }).count()).toBe(2)
      expect(
        await reader.getByRole('button', { name: /^(?:Continue to the confirmation|Add the statement)$/ }).count(),
      ).toBe(0)
    }
  })
  for (const reader of [page, scene.publisher.page, scene.worker.page]) {
    if (reader === scene.publisher.page) await openDispute(scene.publisher)
    await reader.getByText('The dispute is over').waitFor()
    await reader.getByText('Half of the gate was described.').waitFor()
    await reader
      .getByRole('definition')
      .filter({ hasText: /^US\$0\.327$/ })
      .waitFor()
    await reader
      .getByRole('definition')
      .filter({ hasText: /^US\$0\.763$/ })
      .waitFor()
    expect(await reader.getByText('not confirmed yet').count()).toBe(0)
    expect(
      await reader
        .getByRole('term')
        .filter({ hasText: /^(?:Payment|Refund)$/ })
        .count(),
    ).toBe(2)
  }
})

test('a decision whose answer was lost is called unknown; said again it gives everything back to the publisher, once', async () => {
  const [{ client: paying }, { client: working }] = await Promise.all([
    scene.publisher.account('ada'),
    scene.worker.account('bruno'),
  ])
  const { dispute } = await paying.submissions.reject({
    submission_id: String(scene.params['submissionId']),
    reason: 'Nothing of the gate is described.',
  })
  // As in `examine`: axe comes from outside.
  await using operator = await theatre.person({
    ...phone,
    bypassCSP: true,
    serviceWorkers: 'block',
    expected: /ERR_FAILED/,
  })
  const { page } = operator
  await bringAxe(operator.context)
  await operator.open(`/disputes/${dispute.id}?as=operator`)
  await giveKey(operator, theatre.constellation.record().adminKeys.server)
  await page.getByLabel('Give everything back to the publisher').check()
  await page.getByLabel('Reason').fill('The worker hands in nothing of it.')
  await page.getByLabel('Your name').fill('Carla')
  expect(await violationsOf(page)).toEqual([])
  await page.getByRole('button', { name: 'Continue to the confirmation' }).click()
  const dialog = page.getByRole('dialog', { name: 'Decide this dispute?' })
  await dialog.getByLabel('Type REFUND to confirm').fill('refund')
  expect(await violationsOf(page)).toEqual([])
  expect(await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth)).toBe(0)
  await page.route('**/resolve', (route) => route.abort())
  await dialog.getByRole('button', { name: 'Decide and move the money' }).click()
  await dialog.getByText('It is not known whether the service took the decision.').waitFor()
  await page.unroute('**/resolve')
  await dialog.getByRole('button', { name: 'Decide and move the money' }).click()
  await page.getByText('The dispute is over').waitFor()
  await page.getByText('The publisher gets the bounty back').waitFor()
  expect(await violationsOf(page)).toEqual([])
  const decided = await working.disputes.get({ dispute_id: dispute.id })
  expect(decided).toMatchObject({
    status: 'resolved',
    verdict: 'refund',
    publisher_refund_usdc: 1.08,
    worker_gross_usdc: 0,
    payment_tx: null,
  })
  await scene.worker.open('/disputes?status=resolved')
  await scene.worker.page.getByText('2 disputes').waitFor()
  await scene.worker.page.getByText('The publisher gets the bounty back').waitFor()
})

let photographed: ReturnType<typeof disputePhoto> | undefined

/** Another job, whose work is a photo, in dispute. */
async function disputePhoto(): Promise<{ readonly disputeId: string; readonly submissionId: string }> {
  const [{ client: paying }, { client: working }] = await Promise.all([
    scene.publisher.account('ada'),
    scene.worker.account('bruno'),
  ])
  const { id: task_id } = await paying.tasks.publish({
    title: 'Photograph the door',
    instructions: 'Stand in front of the door and photograph it.',
    category: 'simple_action',
    bounty_usd: 1.1,
    evidence_required: ['photo'],
  })
  const { executor_id } = await working.tasks.apply({ task_id })
  await paying.assignWorker({ task_id, executor_id })
  const { public_url } = await working.uploadEvidence({
    task_id,
    content_type: 'image/png',
    bytes: pictureOf([200, 40, 40]),
  })
  const { submission_id } = await working.tasks.submit({
    task_id,
    evidence: { photo: public_url },
    notes: 'The door is red.',
  })
  const { id } = await working.submissions.dispute({
    submission_id,
    reason: 'no_response',
    description: 'Nobody looks at the door.',
  })
  return { disputeId: id, submissionId: submission_id }
}

test.each(['en-GB', 'es-ES'])(
  'whoever decides sees the photo and each check with its reason before the decision, in %s',
  async (locale) => {
    const { disputeId, submissionId } = await (photographed ??= disputePhoto())
    const isEnglish = locale === 'en-GB'
    await using operator = await theatre.person({ ...phone, locale, bypassCSP: true, serviceWorkers: 'block' })
    const { page } = operator
    await bringAxe(operator.context)
    await operator.open(`/disputes/${disputeId}?as=operator`)
    await page.locator('input[type=password]').fill(theatre.constellation.record().adminKeys.server)
    await page.locator('input[type=password]').press('Enter')
    const photo = page.getByRole('article').getByRole('img')
    await photo.waitFor()
    await expect.poll(() => photo.evaluate((image: HTMLImageElement) => image.naturalWidth)).toBe(64)
    await page.getByText('The door is red.').waitFor()
    const check = page
      .getByRole('listitem')
      .filter({ hasText: isEnglish ? 'Not handed in before' : 'No se entregó antes' })
    await check
      .getByText(isEnglish ? 'No file was handed in before.' : 'Ningún archivo se había entregado antes.')
      .waitFor()
    const decide = page.getByRole('radio').first()
    const isBefore = await photo.evaluate(
      (image, choice) =>
        choice !== null && (image.compareDocumentPosition(choice) & Node.DOCUMENT_POSITION_FOLLOWING) !== 0,
      await decide.elementHandle(),
    )
    expect(isBefore).toBe(true)
    expect(await violationsOf(page)).toEqual([])
    expect(await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth)).toBe(
      0,
    )
    const { client } = await scene.worker.account('bruno')
    expect((await client.submissions.get({ submission_id: submissionId })).evidence_accessed_at).toBeNull()
  },
)
