import { ensureWebBuilt } from '@ergon/dev-env'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { setOffline } from './line.ts'
import { openTheatre, type Theatre } from './browser.ts'
import { deployApp, type DeployedApp } from './next-build.ts'

let theatre: Theatre
let deployed: DeployedApp
beforeAll(async () => {
  deployed = deployApp(String(await ensureWebBuilt()))
  theatre = await openTheatre({ web: { dir: deployed.dir } })
}, 300_000)
afterAll(async () => {
  await theatre?.[Symbol.asyncDispose]()
  deployed?.[Symbol.dispose]()
})

/** Until the worker keeps a whole build and answers for this page. */
async function keptHere(page: Page): Promise<void> {
  await page.evaluate(() => navigator.serviceWorker.ready.then(() => undefined))
  await page.reload()
  await page.waitForFunction(() => navigator.serviceWorker.controller !== null)
}

type Kept = { readonly cache: string; readonly path: string; readonly body: string }

const everythingKept = (page: Page): Promise<readonly Kept[]> =>
  page.evaluate(async () => {
    const kept: { cache: string; path: string; body: string }[] = []
    for (const name of await caches.keys()) {
      const cache = await caches.open(name)
      for (const request of await cache.keys()) {
        const answer = await cache.match(request)
        kept.push({ cache: name, path: new URL(request.url).pathname, body: (await answer?.text()) ?? '' })
      }
    }
    return kept
  })

/** Fonts and pictures are the same in both builds, and so are their names. */
const isCode = /^\/assets\/.+\.(?:js|css)$/

test('what the worker keeps is the page and the files of the build, and nothing of the person who used it', async () => {
  await using person = await theatre.person()
  const { page } = person
  await person.signIn('ada')
  await keptHere(page)
  const { signer } = await person.account('ada')
  for (const screen of ['/', '/my/tasks', '/work', '/profile', '/account', '/notifications', '/earnings'])
    await person.open(screen)
  const kept = await everythingKept(page)
  expect(kept.length).toBeGreaterThan(10)
  expect(
    kept
      .filter(
        ({ path }) =>
          path !== '/' &&
          !/^\/assets\/[\w.-]+-[\w-]{8}\.(?:js|css|svg|woff2)$/.test(path) &&
          path !== '/icons/icon.svg',
      )
      .map(({ path }) => path),
  ).toEqual([])
  expect(
    kept
      .filter(({ body }) => body.toLowerCase().includes(signer.address.toLowerCase().slice(2)))
      .map(({ path }) => path),
  ).toEqual([])
})

test('without a network the app starts on any of its addresses and says that it is offline', async () => {
  await using person = await theatre.person({ locale: 'es-ES' })
  const { page } = person
  await person.open('/sign-in')
  await keptHere(page)
  await setOffline(person.context, true)
  for (const screen of ['/', '/sign-in', '/work?tab=done']) {
    await page.goto(screen)
    await page.getByText('No hay conexión.').waitFor()
    await page.getByRole('heading', { level: 1 }).first().waitFor()
    expect(new URL(page.url()).pathname + new URL(page.url()).search).toBe(screen)
  }
  const answer = await page.evaluate(() =>
    fetch('/api/v1/tasks').then(
      () => 'answered',
      () => 'refused',
    ),
  )
  expect(answer).toBe('refused')
})

test('a newer build is told, comes whole when the page is loaded again, and the older one goes when nobody uses it', async () => {
  await using person = await theatre.person()
  const { context, page } = person
  await person.open('/sign-in')
  await keptHere(page)
  await person.settled()
  const before = await everythingKept(page)
  deployed.deployNext(['Find work', 'Find a job'])
  await theatre.constellation.restart('server')
  await page.evaluate(() =>
    navigator.serviceWorker.ready.then((registration) => registration.update().then(() => undefined)),
  )
  await page.getByRole('status').filter({ hasText: 'newer version' }).waitFor()

  // The page on the screen goes on with its own files, which the service has no more.
  await page.getByRole('link', { name: 'Services' }).first().click()
  await page.waitForURL('**/services')
  await page.getByRole('heading', { level: 1 }).waitFor()
  await page.getByRole('link', { name: 'Find work' }).first().waitFor()

  await page.getByRole('button', { name: 'Load it' }).click()
  await page.getByRole('link', { name: 'Find a job' }).first().waitFor()
  await person.settled()
  const loaded = await page.evaluate(() =>
    performance
      .getEntriesByType('resource')
      .map(({ name }) => new URL(name).pathname)
      .filter((path) => path.startsWith('/assets/')),
  )
  expect(loaded.length).toBeGreaterThan(1)
  expect(loaded.filter((path) => isCode.test(path) && !path.includes('_next.'))).toEqual([])

  await page.close()
  const later = await context.newPage()
  await later.goto('/sign-in')
  await later.getByRole('link', { name: 'Find a job' }).first().waitFor()
  await expect
    .poll(async () => new Set((await everythingKept(later)).map(({ cache }) => cache)).size, { timeout: 15_000 })
    .toBe(1)
  const after = await everythingKept(later)
  expect(after.map(({ cache }) => cache)).not.toContain(before[0]?.cache)
  const code = after.map(({ path }) => path).filter((path) => isCode.test(path))
  expect(code.filter((path) => !path.includes('_next.'))).toEqual([])
}, 180_000)

test('the app can be installed: its manifest names icons that are there, in the sizes it says', async () => {
  await using person = await theatre.person()
  await person.open('/sign-in')
  const session = await person.context.newCDPSession(person.page)
  const { errors, manifest } = (await session.send('Page.getAppManifest')) as {
    errors: unknown[]
    manifest?: { name?: string }
  }
  expect(errors).toEqual([])
  expect(manifest?.name).toBe('Ergon')
  const sizes = await person.page.evaluate(async () => {
    const { icons } = (await (await fetch('/manifest.webmanifest')).json()) as {
      icons: { src: string; sizes: string }[]
    }
    return Promise.all(
      icons
        .filter(({ sizes }) => sizes !== 'any')
        .map(async ({ src, sizes }) => {
          const picture = new Image()
          picture.src = src
          await picture.decode()
          return [sizes, `${picture.naturalWidth}x${picture.naturalHeight}`]
        }),
    )
  })
  expect(sizes.length).toBeGreaterThanOrEqual(3)
  expect(sizes.filter(([said, real]) => said !== real)).toEqual([])
  // The profiles of these tests are private ones; nothing else prevents the installation.
  expect(
    (await session.send('Page.getInstallabilityErrors')).installabilityErrors.map(({ errorId }) => errorId),
  ).toEqual(['in-incognito'])
})

test('without a worker, a part of the app that is gone tells of the newer build', async () => {
  await using person = await theatre.person({ serviceWorkers: 'block' })
  const { page } = person
  await person.open('/')
  await person.settled()
  deployed.deployNext(['Find a job', 'Find tasks'])
  await theatre.constellation.restart('server')
  await page.keyboard.press('Control+k')
  const told = page.getByRole('status').filter({ hasText: 'newer version' })
  await told.waitFor()
  await page.getByRole('button', { name: 'Load it' }).click()
  await told.waitFor({ state: 'hidden' })
  await page.getByRole('heading', { level: 1 }).first().waitFor()
  await person.settled()
  await page.keyboard.press('Control+k')
  await page.getByRole('dialog').waitFor()
})

test('a person turns notices on for a device, of the kinds chosen, and the worker shows one that leads to its page', async () => {
  await using person = await theatre.person()
  const { page } = person
  const context = page.context()
  await context.grantPermissions(['notifications'], { origin: theatre.url })
  // A browser without a push service of its maker makes the keys itself.
  await page.addInitScript(() => {
    PushManager.prototype.subscribe = () =>
      Promise.resolve({
        toJSON: () => ({
          endpoint: 'https://93.184.216.34/push/one',
          keys: {
            p256dh: 'BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4',
            auth: 'BTBZMqHH6r4Tts7J_aSIgg',
          },
        }),
      } as unknown as PushSubscription)
  })
  await person.signIn('ada')
  await keptHere(page)
  await person.open('/notifications')
  const card = page.getByRole('region', { name: 'On your devices' })
  await card.getByLabel('Ratings').uncheck()
  await card.getByRole('button', { name: 'Turn on for this device' }).click()
  await card.getByText('Notifications are on for this device.').waitFor()
  const { client } = await person.account('ada')
  const { subscriptions } = await client.push.list()
  expect(subscriptions.map(({ service, kinds, language }) => [service, kinds.includes('rating'), language])).toEqual([
    ['93.184.216.34', false, 'en'],
  ])
  const notice = { title: 'You have a new message', path: '/disputes', tag: 'message' }
  const session = await context.newCDPSession(page)
  const registered = new Promise<string>((resolve) => {
    session.on('ServiceWorker.workerRegistrationUpdated', ({ registrations }) => {
      const [one] = registrations
      if (one !== undefined) resolve(one.registrationId)
    })
  })
  await session.send('ServiceWorker.enable')
  await session.send('ServiceWorker.deliverPushMessage', {
    origin: theatre.url,
    registrationId: await registered,
    data: JSON.stringify(notice),
  })
  await expect
    .poll(() =>
      page.evaluate(async () => {
        const showing = await (await navigator.serviceWorker.ready).getNotifications()
        return showing.map(({ title, tag, data }) => ({ title, path: data as unknown, tag }))
      }),
    )
    .toEqual([notice])
  await card.getByRole('button', { name: 'Turn off for this device' }).click()
  await card.getByRole('button', { name: 'Turn on for this device' }).waitFor()
  expect((await client.push.list()).total).toBe(0)
})

test('a device that was subscribed under a former key of the operator is subscribed under the new one by itself', async () => {
  await using person = await theatre.person()
  const { page } = person
  await page.context().grantPermissions(['notifications'], { origin: theatre.url })
  // A browser as above, which remembers the key it was given: the first one is another than that of the service.
  await page.addInitScript(() => {
    const place = 'test.push-key'
    const made = (key: string): PushSubscription => {
      const bytes = Uint8Array.from(atob(key.replaceAll('-', '+').replaceAll('_', '/')), (one) => one.charCodeAt(0))
      const keys = {
        p256dh: 'BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4',
        auth: 'BTBZMqHH6r4Tts7J_aSIgg',
      }
      return {
        options: { applicationServerKey: bytes.buffer },
        toJSON: () => ({ endpoint: `https://93.184.216.34/push/${key.slice(0, 8)}`, keys }),
        unsubscribe: () => Promise.resolve(localStorage.removeItem(place)).then(() => true),
      } as unknown as PushSubscription
    }
    PushManager.prototype.getSubscription = () => {
      const key = localStorage.getItem(place)
      return Promise.resolve(key === null ? null : made(key))
    }
    PushManager.prototype.subscribe = (options) => {
      const key = typeof options?.applicationServerKey === 'string' ? options.applicationServerKey : ''
      localStorage.setItem(place, key)
      return Promise.resolve(made(key))
    }
  })
  await person.signIn('ada')
  await keptHere(page)
  await person.open('/notifications')
  const card = page.getByRole('region', { name: 'On your devices' })
  await card.getByLabel('Ratings').uncheck()
  await card.getByRole('button', { name: 'Turn on for this device' }).click()
  await card.getByText('Notifications are on for this device.').waitFor()
  const { client } = await person.account('ada')
  const listed = async (): Promise<readonly (readonly [string, boolean])[]> =>
    (await client.push.list()).subscriptions.map(({ subscription_id: id, kinds }) => [id, kinds.includes('rating')])
  const before = await listed()
  await person.open('/find')
  await page.waitForTimeout(3_000)
  expect(await listed()).toEqual(before)
  const { public_key: key } = await client.push.list()
  await page.evaluate(() => localStorage.setItem('test.push-key', 'BFormerKeyOfThisOperator'))
  await person.open('/find')
  await expect.poll(() => page.evaluate(() => localStorage.getItem('test.push-key'))).toBe(key)
  await person.open('/notifications')
  await card.getByText('Notifications are on for this device.').waitFor()
  // It is the one device still, with what was chosen for it.
  expect((await listed()).map(([, hasRatings]) => hasRatings)).toEqual([false])
})
