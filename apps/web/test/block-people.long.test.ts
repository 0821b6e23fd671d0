import { afterAll, beforeAll, expect, test } from 'vitest'
import { openTheatre, type Theatre } from './browser.ts'
import { addressOf, setScene, type Scene } from './scene.ts'

let theatre: Theatre
let scene: Scene
beforeAll(async () => {
  theatre = await openTheatre()
  scene = await setScene(theatre)
}, 300_000)
afterAll(async () => {
  await scene?.[Symbol.asyncDispose]()
  await theatre?.[Symbol.asyncDispose]()
})

/** The worker of the scene is called like its task. */
const name = 'Photograph the gate'

test('whom one has worked with is blocked by name, and the page of that person takes it back', async () => {
  const {
    publisher: { page, open },
    params,
  } = scene
  await open('/account')
  await page.getByText('Block a person', { exact: true }).click()
  await page.getByRole('button', { name: `Block ${name}` }).click()
  await page.getByRole('button', { name: `Unblock ${name}` }).waitFor()
  await open(addressOf('/people/$workerId', params))
  await page.getByRole('button', { name: `Unblock ${name}` }).click()
  await page.getByRole('button', { name: `Block ${name}` }).waitFor()
  const said = await page.request.get('/api/v1/users/blocked')
  expect(((await said.json()) as { blocked: readonly unknown[] }).blocked).toEqual([])
})

test('whoever is signed in goes on or signs out, and is offered another wallet only when asked for it', async () => {
  const {
    worker: { page, open },
  } = scene
  await open('/sign-in')
  await page.getByRole('heading', { level: 1, name: 'You are signed in.' }).waitFor()
  expect(await page.getByRole('button', { name: 'Bruno (test)' }).isVisible()).toBe(false)
  await page.getByText('Use another wallet', { exact: true }).click()
  await page.getByRole('button', { name: 'Bruno (test)' }).waitFor()
  await page.getByRole('main').getByRole('button', { name: 'Sign out' }).click()
  await page.getByRole('heading', { level: 1, name: 'Sign in' }).waitFor()
})
