import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { verifyWebhook } from '@ergon/sdk'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { bringAxe, violationsOf } from './axe.ts'
import { openTheatre, phone, type Theatre } from './browser.ts'
import type { Person } from './person.ts'

let theatre: Theatre
beforeAll(async () => {
  theatre = await openTheatre({ env: { server: { SVC_WEBHOOKS_ALLOW_LOOPBACK: 'true' } } })
}, 300_000)
afterAll(async () => {
  await theatre?.[Symbol.asyncDispose]()
})

type Received = { readonly id: string; readonly type: string; readonly body: string; readonly headers: Headers }
type Receiver = AsyncDisposable & {
  readonly url: string
  readonly received: readonly Received[]
  answerChallenges: boolean
}

/** What an endpoint answers is text of a stranger. */
const hostileAnswer = '<img src=x onerror="document.title=1">'

/** An endpoint on this machine, which at first does not know what a challenge is. */
async function startReceiver(): Promise<Receiver> {
  const received: Received[] = []
  const server = createServer((request, response) => {
    let body = ''
    request
      .setEncoding('utf8')
      .on('data', (part: string) => {
        body += part
      })
      .on('end', () => {
        // Every body is an envelope of spec §6.
        const { id, type, data } = JSON.parse(body) as {
          readonly id: string
          readonly type: string
          readonly data: { readonly token?: string }
        }
        received.push({
          id,
          type,
          body,
          headers: new Headers(
            Object.entries(request.headers).map(([name, value]): [string, string] => [name, String(value)]),
          ),
        })
        response.end(type === 'webhook.challenge' && receiver.answerChallenges ? data.token : hostileAnswer)
      })
  })
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve)
  })
  const { port } = server.address() as AddressInfo // it listens on TCP
  const receiver: Receiver = {
    url: `http://127.0.0.1:${String(port)}/told`,
    received,
    answerChallenges: false,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
  return receiver
}

/** What the dialog shows once. */
async function secretShown({ page }: Person): Promise<string> {
  const secret = await page.getByRole('dialog').getByRole('region', { name: 'Secret' }).textContent()
  await page.getByRole('button', { name: 'I have kept it' }).click()
  await page.getByRole('dialog').waitFor({ state: 'detached' })
  return secret ?? ''
}

async function makeEndpoint(ada: Person, url: string): Promise<string> {
  const { page, open } = ada
  await open('/webhooks')
  await page.getByRole('link', { name: 'New endpoint' }).click()
  expect(new URL(page.url()).searchParams.get('dialog')).toBe('new')
  await page.getByRole('button', { name: 'Make the endpoint' }).click()
  expect(await page.getByLabel('URL').getAttribute('aria-invalid')).toBe('true')
  await page.getByLabel('URL').fill(url)
  await page.getByRole('button', { name: 'Make the endpoint' }).click()
  const secret = await secretShown(ada)
  await page.waitForURL(/\/webhooks\/[\w-]+$/)
  return secret
}

const opened = ({ page }: Person): string | null => new URL(page.url()).searchParams.get('delivery')

test('a person has their feed posted to a URL of theirs, reads what was sent and what came back, sends it again, exchanges the secret and deletes it', async () => {
  await using receiver = await startReceiver()
  await using ada = await theatre.person()
  const { page } = ada
  await ada.signIn('ada')
  const secret = await makeEndpoint(ada, receiver.url)
  expect(secret).toMatch(/^whsec_/)
  expect(await page.content()).not.toContain(secret)

  // A challenge that fails says so and is in the log; then it is answered.
  const log = page.getByRole('region', { name: 'Deliveries' })
  await page.getByRole('button', { name: 'Send the challenge' }).click()
  await page.getByRole('alert').waitFor()
  await log.getByRole('listitem').filter({ hasText: 'Failed' }).waitFor()
  receiver.answerChallenges = true
  await page.getByRole('button', { name: 'Send the challenge' }).click()
  await page.getByText('Active', { exact: true }).waitFor()
  expect(await page.evaluate(() => document.activeElement?.textContent)).toBe('Send a test event')

  // The test event: its address opens the whole exchange, and a reload keeps it.
  await page.getByRole('button', { name: 'Send a test event' }).click()
  await page.waitForURL(/[?&]delivery=/)
  const testId = opened(ada)
  await page.reload()
  const row = log.locator('li').filter({ hasText: 'webhook.test' }).first()
  await row.getByText('Answered 200').waitFor()
  const tested = receiver.received.find(({ type }) => type === 'webhook.test')
  expect(await row.getByRole('region', { name: 'Request body' }).textContent()).toBe(tested?.body)
  expect(await row.getByRole('region', { name: 'Response body, Attempt 1' }).textContent()).toBe(hostileAnswer)
  expect(await log.locator('img').count()).toBe(0)
  await expect(verifyWebhook(tested?.body ?? '', tested?.headers ?? new Headers(), secret)).resolves.toMatchObject({
    type: 'webhook.test',
  })

  // A link to it holds where the log does not show it: its own part comes first, whatever the filter.
  const link = new URL(page.url())
  link.searchParams.set('status', 'failed')
  await ada.open(link.pathname + link.search)
  await page.getByText('From an earlier part of the log').waitFor()
  await log.locator('li').filter({ hasText: 'webhook.test' }).getByText('Answered 200').waitFor()
  link.searchParams.delete('status')
  await ada.open(link.pathname + link.search)

  // The same id and the same bytes once more.
  await row.getByRole('button', { name: 'Send this again' }).click()
  await page.waitForURL((url) => url.searchParams.get('delivery') !== testId)
  await log.locator('li').filter({ hasText: 'Sent again' }).getByText('Answered 200').waitFor()
  expect(await page.evaluate(() => document.activeElement?.id)).toBe(opened(ada))
  expect(receiver.received.filter(({ id, body }) => id === tested?.id && body === tested?.body)).toHaveLength(2)

  await rotateAndTest(ada, receiver, secret)
  await pauseAndResume(ada)

  await page.getByRole('link', { name: 'Delete', exact: true }).click()
  expect(new URL(page.url()).searchParams.get('do')).toBe('delete')
  const gone = new URL(page.url()).pathname
  await page.getByRole('button', { name: 'Delete the endpoint' }).click()
  await page.getByText('No endpoint yet').waitFor()
  await ada.open(gone)
  await page.getByRole('heading', { name: 'There is no such endpoint of yours' }).waitFor()
}, 180_000)

async function rotateAndTest(ada: Person, receiver: Receiver, old: string): Promise<void> {
  const { page } = ada
  await page.getByRole('link', { name: 'Exchange the secret' }).click()
  await page.getByLabel('Overlap in hours').fill('999')
  await page.getByRole('button', { name: 'Make a new secret' }).click()
  expect(await page.getByLabel('Overlap in hours').getAttribute('aria-invalid')).toBe('true')
  await page.getByLabel('Overlap in hours').fill('1')
  await page.getByRole('button', { name: 'Make a new secret' }).click()
  await page.getByText(/The old secret signs as well until/).waitFor()
  const next = await secretShown(ada)
  expect(next).not.toBe(old)
  const before = receiver.received.length
  await page.getByRole('button', { name: 'Send a test event' }).click()
  await expect.poll(() => receiver.received.length, { timeout: 20_000 }).toBeGreaterThan(before)
  const last = receiver.received.at(-1)
  for (const secret of [old, next])
    await expect(verifyWebhook(last?.body ?? '', last?.headers ?? new Headers(), secret)).resolves.toMatchObject({
      type: 'webhook.test',
    })
}

async function pauseAndResume({ page }: Person): Promise<void> {
  await page.getByRole('button', { name: 'Pause' }).click()
  await page.getByText('Paused', { exact: true }).waitFor()
  await page.getByRole('button', { name: 'Start again' }).click()
  await page.getByText('Active', { exact: true }).waitFor()
}

test('what happened is sent again between two moments and since a cursor, on a phone', async () => {
  await using receiver = await startReceiver()
  receiver.answerChallenges = true
  await using bruno = await theatre.person(phone)
  const { page } = bruno
  await bruno.signIn('bruno')
  const { client } = await bruno.account('bruno')
  const created = async (bounty_usd: number): Promise<string> =>
    (
      await client.tasks.publish({
        title: 'Count the chairs',
        instructions: 'Count the chairs in the hall and write the number.',
        category: 'data_collection',
        bounty_usd,
        evidence_required: ['text_response'],
      })
    ).id
  const ids = [await created(1.01), await created(1.02)]
  const told = (): readonly string[] =>
    receiver.received
      .filter(({ type }) => type === 'task.created')
      .map(({ body }) => ids.findIndex((id) => body.includes(id)))
      .map(String)
  await makeEndpoint(bruno, receiver.url)
  await page.getByRole('button', { name: 'Send the challenge' }).click()
  await page.getByText('Active', { exact: true }).waitFor()
  expect(told()).toEqual([])

  await page.getByRole('link', { name: 'Send a range again' }).click()
  expect(new URL(page.url()).searchParams.get('do')).toBe('replay')
  await page.getByRole('button', { name: 'Send again', exact: true }).click()
  expect(await page.getByLabel('From').getAttribute('aria-invalid')).toBe('true')
  await page.getByLabel('From').fill('2026-01-01T00:00')
  await page.getByRole('button', { name: 'Send again', exact: true }).click()
  await page.getByText('That is all of the range.').waitFor()
  await expect.poll(told, { timeout: 20_000 }).toHaveLength(2)
  expect([...told()].sort()).toEqual(['0', '1'])

  // Behind the first event there is only the second.
  const { events } = await client.events.list({ limit: 100 })
  const first = events.find(
    ({ type, data }) => type === 'task.created' && JSON.stringify(data).includes(String(ids[0])),
  )
  await page.getByLabel('Which events').selectOption('cursor')
  await page.getByLabel('Cursor', { exact: true }).fill(first?.cursor ?? '')
  await page.getByRole('button', { name: 'Send again', exact: true }).click()
  await page.getByText('That is all of the range.').waitFor()
  await expect.poll(() => [...told()].sort(), { timeout: 20_000 }).toEqual(['0', '1', '1'])
  await page.getByRole('button', { name: 'Close' }).click()
  await page.getByRole('link', { name: 'Delivered', exact: true }).click()
  expect(new URL(page.url()).searchParams.get('status')).toBe('delivered')
  await page.getByRole('region', { name: 'Deliveries' }).getByText('task.created').first().waitFor()
  expect(await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth)).toBe(0)
}, 180_000)

test.each([
  ['en', 'en-GB', 'light'],
  ['es', 'es-ES', 'dark'],
] as const)(
  'the log, the dialogs and what is refused meet WCAG 2.2 AA in %s and fit a window of 360 px',
  async (_language, locale, colorScheme) => {
    await using receiver = await startReceiver()
    // Axe comes into the page as a script of nobody's; the policy is tried elsewhere.
    await using ada = await theatre.person({ ...phone, locale, colorScheme, bypassCSP: true, serviceWorkers: 'block' })
    const { page, open } = ada
    await bringAxe(ada.context)
    await ada.signIn('ada')
    const { client } = await ada.account('ada')
    const { webhook_id: id } = await client.webhooks.create({
      url: receiver.url,
      events: ['task.created'],
      description: 'Mine',
    })
    await expect(client.webhooks.verify({ webhook_id: id })).rejects.toThrow()
    receiver.answerChallenges = true
    const {
      deliveries: [failed],
    } = await client.webhooks.deliveries({ webhook_id: id })
    await client.webhooks.verify({ webhook_id: id })
    const found: string[] = []
    const examine = async (where: string): Promise<void> => {
      found.push(...(await violationsOf(page)).map((line) => `${where}: ${line}`))
      const beyond = await page.evaluate(
        () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
      )
      if (beyond > 0) found.push(`${where}: ${String(beyond)} px stick out to the side`)
    }
    await open(`/webhooks/${id}?delivery=${failed?.delivery_id ?? ''}`)
    for (const part of await page.locator('details').all()) await part.locator('summary').click()
    await examine('an open delivery')
    for (const doing of ['edit', 'rotate', 'replay', 'delete']) {
      await open(`/webhooks/${id}?do=${doing}`)
      await page.getByRole('dialog').waitFor()
      await examine(doing)
    }
    await open('/webhooks?dialog=new')
    await page.getByRole('checkbox').first().uncheck()
    await page.getByRole('dialog').getByRole('button').last().click()
    await examine('a form that was refused')
    await page.getByRole('checkbox').first().check()
    await page.getByLabel('URL').fill(receiver.url)
    await page.getByRole('dialog').getByRole('button').last().click()
    await page.getByText(/^whsec_/).waitFor()
    await examine('a secret')
    expect(found).toEqual([])
  },
  180_000,
)
