import type { Theatre } from './browser.ts'
import type { Person, PersonOptions } from './person.ts'
import type { Actor, Screen } from './parts.ts'
import { pictureOf } from './picture.ts'

/** Where the job is done; the worker's device says so. */
const place = { latitude: 40.4168, longitude: -3.7038, accuracy: 8 } as const
const withPosition = { geolocation: place, permissions: ['geolocation'] } as const satisfies PersonOptions

export type Pair = AsyncDisposable & { readonly ada: Person; readonly bruno: Person }

/** A publisher with test money and a worker, each signed in with a browser of their own. */
export async function enterPair(
  theatre: Theatre,
  { ada: hers = {}, bruno: his = {} }: { readonly ada?: PersonOptions; readonly bruno?: PersonOptions } = {},
): Promise<Pair> {
  await using stack = new AsyncDisposableStack()
  const ada = stack.use(await theatre.person(hers))
  const bruno = stack.use(await theatre.person({ ...withPosition, ...his }))
  for (const [person, persona] of [
    [ada, 'ada'],
    [bruno, 'bruno'],
  ] as const) {
    await person.signIn(persona)
    await untilGiven(person.page)
  }
  const owned = stack.move()
  return { ada, bruno, [Symbol.asyncDispose]: () => owned.disposeAsync() }
}

/** Test money comes with the first sign-in of a browser. */
export async function untilGiven(page: Screen): Promise<void> {
  await page
    .getByRole('status')
    .filter({ hasText: /1[.,]000/ })
    .waitFor()
}

export type Job = { readonly title: string; readonly bounty: string; readonly evidence: readonly string[] }

/** Fills in the four steps and publishes; the screen that follows is that of the task. */
export async function publishJob({ page, open }: Actor, { title, bounty, evidence }: Job): Promise<string> {
  await open('/publish')
  await page.getByLabel('Title').fill(title)
  await page
    .getByLabel('What has to be done')
    .fill('Stand in front of the gate, photograph it and say what it looks like.')
  await page.getByLabel('Kind of task').selectOption('Simple errand')
  await page.getByRole('button', { name: 'Go on to the proof' }).click()
  await page.getByLabel('Condition 1', { exact: true }).fill('The whole gate is in the picture')
  const asked = page.getByRole('group', { name: 'What the worker has to hand in' })
  for (const one of evidence) await asked.getByLabel(one, { exact: true }).check()
  await page.getByRole('button', { name: 'Go on to the price' }).click()
  await page.getByLabel('Bounty in US dollars').fill(bounty)
  await page.getByRole('button', { name: 'Go on to check it' }).click()
  await postTask(page, title)
  return taskIdOf(page)
}

/**
 * Posts what the four steps hold. Three requests, the way back past the steps and another screen take a busy machine
 * longer together than it has patience for one thing: each is waited for.
 */
export async function postTask(page: Screen, title: string): Promise<void> {
  await page.getByRole('heading', { level: 1, name: 'Is everything right?' }).waitFor()
  const post = page.getByRole('button', { name: 'Post it' })
  await post.waitFor()
  await post.click()
  // The form is left once the task, its terms and its place are with the service.
  await post.waitFor({ state: 'detached' })
  await page.getByRole('heading', { level: 1, name: title }).waitFor()
}

/** Finds the task in the list of open ones, reads it, and applies. */
export async function applyForJob({ page, open }: Actor, { title }: Job): Promise<void> {
  await open('/find')
  await page.getByRole('link', { name: title }).click()
  await page.getByRole('heading', { level: 1, name: title }).waitFor()
  await page.getByRole('link', { name: 'Apply', exact: true }).click()
  const dialog = page.getByRole('dialog', { name: 'Apply for this task' })
  await dialog.getByLabel('Message to the publisher').fill('I live around the corner.')
  await dialog.getByRole('button', { name: 'Send application' }).click()
  await page.getByText('You have applied').waitFor()
}

/**
 * Chooses the one applicant until nothing is on its way any more: with two signatures, the lock and what silence pays
 * by. A further one would stay open and end the wait.
 */
export async function assignJob({ page }: Actor): Promise<void> {
  await page.getByRole('link', { name: /^Choose / }).click()
  await page
    .getByRole('dialog', { name: 'Choose this worker?' })
    .getByRole('button', { name: 'Set the money aside' })
    .click()
  const signing = page.getByRole('dialog', { name: 'Before you sign' })
  await signing.getByRole('button', { name: 'Open the wallet' }).click()
  // App and tools publish with a policy: with the lock comes the order by which silence pays.
  await signing.getByText('Let silence pay for this task').waitFor()
  await signing.getByRole('button', { name: 'Open the wallet' }).click()
  await untilLocked(page)
}

/** Until the screen of the task says that the money is locked, and by which transaction. */
export async function untilLocked(page: Screen): Promise<void> {
  await page.getByRole('status').filter({ hasText: 'The money is set aside' }).waitFor()
  await page.getByRole('dialog').waitFor({ state: 'detached' })
  await page.getByText('being set aside').waitFor({ state: 'detached' })
  await page.getByText('Assigned', { exact: true }).first().waitFor()
  await page
    .getByRole('term')
    .filter({ hasText: /^Set aside$/ })
    .waitFor()
}

/** Opens the own work and goes on to what has to be handed in. */
export async function beginWork({ page, open }: Actor, { title }: Job): Promise<void> {
  await open('/work')
  await page.getByRole('listitem').filter({ hasText: title }).getByRole('link', { name: 'Do it and hand in' }).click()
  await page.getByRole('heading', { level: 1, name: title }).waitFor()
}

/** Gives the photo, the position and the words that the task asks for. */
export async function captureWork({ page, context }: Person, photo = 'Photo'): Promise<void> {
  await givePhoto(page, photo)
  await page.getByRole('button', { name: 'Find my position' }).click()
  for (let fixes = 1; fixes <= 3; fixes += 1) {
    await page.getByText(fixes === 1 ? 'one reading' : `${String(fixes)} readings`).waitFor()
    await context.setGeolocation({ ...place, latitude: place.latitude + fixes / 1e6 })
  }
  await page.getByRole('button', { name: 'Use this position' }).click()
  await giveWords(page)
}

export async function givePhoto(page: Screen, photo = 'Photo'): Promise<void> {
  await page
    .getByLabel(`Choose a file: ${photo}`, { exact: true })
    .setInputFiles({ name: 'gate.png', mimeType: 'image/png', buffer: pictureOf([32, 96, 160]) })
  await page.getByRole('img', { name: 'What will be handed in' }).waitFor()
}

export async function giveWords(page: Screen): Promise<void> {
  await page.getByLabel('Answer in words').fill('A green gate of iron, as high as a person.')
}

/** Reads what was handed in, approves with one signature, and waits until the chain has confirmed the payment. */
export async function approveJob({ page }: Actor): Promise<void> {
  await page.getByRole('link', { name: 'Review the work' }).click()
  await page.getByText('A green gate of iron, as high as a person.').waitFor()
  await page.getByRole('link', { name: 'Approve and pay' }).first().click()
  await page.getByRole('dialog', { name: 'Approve this work?' }).getByRole('button', { name: 'Sign and pay' }).click()
  await page.getByRole('dialog', { name: 'Before you sign' }).getByRole('button', { name: 'Open the wallet' }).click()
  await untilPaid(page)
}

/** Until the screen of the review says that the worker is paid, and nothing is on its way any more. */
export async function untilPaid(page: Screen): Promise<void> {
  await page.getByRole('heading', { name: 'Approved' }).waitFor()
  await page.getByRole('dialog').waitFor({ state: 'detached' })
  await page.getByText('Paid', { exact: true }).first().waitFor()
}

async function taskIdOf(page: Screen): Promise<string> {
  const url = await page.evaluate(() => location.href, undefined)
  const [, id] = /\/my\/tasks\/([\w-]{36})/.exec(url) ?? []
  if (id === undefined) throw new Error(`${url} is not the address of an own task`)
  return id
}
