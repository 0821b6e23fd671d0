import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { freePort } from '@ergon/dev-env'
import { startProxy } from '@ergon/dev-env/testing'
import type { Route } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openBrowser, openTheatre, type Theatre } from './browser.ts'
import { playFirstTask } from './first-task-by-passkey.ts'
import { enterAsPerson, type Person, type PersonOptions } from './person.ts'

/** The app as people have it: behind nginx, under https, its cookies for that alone. */
type Deployed = AsyncDisposable & {
  readonly url: string
  readonly person: (options?: PersonOptions) => Promise<Person>
  /** A person under a name that the service had before. */
  readonly latecomer: () => Promise<Person>
}
let deployed: Deployed
beforeAll(async () => {
  await using parts = new AsyncDisposableStack()
  const folder = mkdtempSync(join(tmpdir(), 'ergon-tls-'))
  parts.defer(() => {
    rmSync(folder, { recursive: true, force: true })
  })
  const server = await freePort()
  const ports = { https: await freePort(), http: await freePort(), servers: [server, server] } as const
  const proxy = parts.use(await startProxy('nginx', { folder, ports }))
  const before = proxy.url.replace('localhost', 'before.test')
  const env = {
    server: { SVC_BASE_URL: proxy.url, SVC_TRUSTED_PROXIES: '127.0.0.1', SVC_AUTHORITIES: new URL(before).host },
  }
  const theatre: Theatre = parts.use(await openTheatre({ ports: { server }, env }))
  expect(theatre.serviceUrl).toContain(String(server))
  // A browser registers no service worker under a certificate that it does not trust.
  const browser = await openBrowser(['--ignore-certificate-errors', '--host-resolver-rules=MAP before.test 127.0.0.1'])
  parts.defer(() => browser.close())
  const owned = parts.move()
  deployed = {
    url: proxy.url,
    latecomer: () => enterAsPerson(browser, before, {}),
    person: async (options = {}) => {
      const person = await enterAsPerson(browser, proxy.url, options)
      await person.context.route('**/fund', (route) => giveTestMoney(route, proxy.url))
      return person
    },
    [Symbol.asyncDispose]: () => owned.disposeAsync(),
  }
}, 300_000)
afterAll(async () => {
  await deployed?.[Symbol.asyncDispose]()
})

/** The faucet of the local chain gives to pages of its own constellation alone. */
async function giveTestMoney(route: Route, origin: string): Promise<void> {
  const { url, body } = { url: route.request().url(), body: route.request().postData() ?? '' }
  const answer = await fetch(url, { method: 'POST', headers: { 'content-type': 'application/json' }, body })
  const headers = { 'access-control-allow-origin': origin, 'content-type': 'application/json' }
  await route.fulfill({ status: answer.status, headers, body: await answer.text() })
}

test('under a name that the service had before, every screen leads to the same one under its own', async () => {
  await using latecomer = await deployed.latecomer()
  const { page, open } = latecomer
  for (const screen of ['/find?q=gate', '/sign-in']) {
    await open(screen)
    await page
      .getByRole('banner')
      .getByRole('link', { name: `${deployed.url}${screen}` })
      .waitFor()
  }
  await using person = await deployed.person()
  await person.open('/sign-in')
  expect(await person.page.getByText('has another address now').count()).toBe(0)
})

test('behind a proxy with TLS two new people do and pay a first task, and stay signed in', async () => {
  await using publisher = await deployed.person()
  await using worker = await deployed.person()
  await playFirstTask(publisher, worker)
  const cookies = await publisher.context.cookies()
  expect(cookies.filter(({ httpOnly }) => httpOnly).map(({ secure }) => secure)).toEqual([true])
  await publisher.open('/my/tasks')
  await publisher.page.getByText('Read the sign at the gate').first().waitFor()
}, 240_000)
