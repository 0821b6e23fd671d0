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
type Deployed = AsyncDisposable & { readonly person: (options?: PersonOptions) => Promise<Person> }
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
  const env = { server: { SVC_BASE_URL: proxy.url, SVC_TRUSTED_PROXIES: '127.0.0.1' } }
  const theatre: Theatre = parts.use(await openTheatre({ ports: { server }, env }))
  expect(theatre.serviceUrl).toContain(String(server))
  // A browser registers no service worker under a certificate that it does not trust.
  const browser = await openBrowser(['--ignore-certificate-errors'])
  parts.defer(() => browser.close())
  const owned = parts.move()
  deployed = {
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

test('behind a proxy with TLS two new people do and pay a first task, and stay signed in', async () => {
  await using publisher = await deployed.person()
  await using worker = await deployed.person()
  await playFirstTask(publisher, worker)
  const cookies = await publisher.context.cookies()
  expect(cookies.filter(({ httpOnly }) => httpOnly).map(({ secure }) => secure)).toEqual([true])
  await publisher.open('/my/tasks')
  await publisher.page.getByText('Read the sign at the gate').first().waitFor()
}, 240_000)
