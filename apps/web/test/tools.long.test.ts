import { afterAll, beforeAll, expect, test } from 'vitest'
import { bringAxe, violationsOf } from './axe.ts'
import { openTheatre, phone, type Theatre } from './browser.ts'
import { connectTool, type ConnectedTool } from './connect-tool.ts'
import { pressOn } from './keyboard.ts'
import type { Person } from './person.ts'

let theatre: Theatre
beforeAll(async () => {
  theatre = await openTheatre({ env: { server: { SVC_OAUTH: 'true' } } })
}, 300_000)
afterAll(async () => {
  await theatre?.[Symbol.asyncDispose]()
})

const limits = { usd: '5.00', count: '3' }

/** Each tool signs in from somewhere else, with a wallet of this person's browser. */
async function connect(
  person: Person,
  persona: 'ada' | 'bruno',
  asked: Parameters<typeof connectTool>[3],
): Promise<ConnectedTool> {
  const elsewhere = await theatre.browser.newContext({ locale: 'en-GB' })
  person.context.once('close', () => void elsewhere.close())
  return connectTool(elsewhere.request, theatre.serviceUrl, (await person.account(persona)).signer, asked)
}

const until401 = (tool: ConnectedTool): Promise<void> => expect.poll(tool.call).toBe(401)

test('a person sees what each tool may do and what is left of it, and takes one back by keyboard alone', async () => {
  await using ada = await theatre.person()
  const { page, open } = ada
  await ada.signIn('ada')
  await open('/account/tools')
  await page.getByText('No tool is connected').waitFor()
  expect(await page.getByRole('region', { name: 'Address for tools' }).textContent()).toBe(`${theatre.serviceUrl}/mcp/`)

  const editor = await connect(ada, 'ada', { name: 'Editor <b>', limits })
  expect(await editor.call()).toBe(200)
  await open('/account/tools')
  const card = page.getByRole('listitem').filter({ has: page.getByRole('heading', { name: 'Editor <b>' }) })
  await card.getByText('Connected', { exact: true }).waitFor()
  await card.getByText('read your tasks and approve work and pay').waitFor()
  await card.getByText(/^3 of 3 payments left, up to US\$5\.00 each, until /).waitFor()
  await card.getByText('Nobody vouches for this name. Its sign-in went to tool.example.').waitFor()

  // Escape leaves it as it is, and the focus where it was.
  await pressOn(page, card.getByRole('link', { name: 'Disconnect Editor <b>' }))
  const dialog = page.getByRole('dialog', { name: 'Disconnect Editor <b>?' })
  await dialog.getByText('What it might still pay is cancelled.').waitFor()
  await page.keyboard.press('Escape')
  await dialog.waitFor({ state: 'detached' })
  expect(await editor.call()).toBe(200)
  await pressOn(page, card.getByRole('link', { name: 'Disconnect Editor <b>' }))
  await pressOn(page, dialog.getByRole('button', { name: 'Disconnect' }))
  await page.getByRole('status').filter({ hasText: 'Editor <b> is disconnected.' }).waitFor()
  await until401(editor)
  const earlier = page.getByRole('region', { name: 'Earlier ones' })
  await earlier.getByText('Disconnected', { exact: true }).waitFor()
  await earlier.getByText('you did it').waitFor()
  expect(await page.getByRole('link', { name: /^Disconnect/ }).count()).toBe(0)

  const log = page.getByRole('region', { name: 'What they did' })
  for (const line of [
    'You allowed it to read your tasks and approve work and pay',
    'It fetched its access',
    'Disconnected: you did it',
  ])
    await log.getByText(line).waitFor()
}, 180_000)

test('a person takes everything back at once; a reload and a link to what is over hold', async () => {
  await using bruno = await theatre.person(phone)
  const { page, open } = bruno
  await bruno.signIn('bruno')
  const tools = [
    await connect(bruno, 'bruno', { name: 'Editor' }),
    await connect(bruno, 'bruno', { name: 'Assistant', limits }),
  ]
  await open('/account/tools')
  await page.getByRole('heading', { name: '2 tools are connected' }).waitFor()
  const one = await page.getByRole('link', { name: 'Disconnect Editor' }).getAttribute('href')
  await page.getByRole('link', { name: 'Disconnect all' }).click()
  expect(new URL(page.url()).searchParams.get('end')).toBe('all')
  await page.reload()
  await page.getByRole('dialog').getByRole('button', { name: 'Disconnect all' }).click()
  await page.getByRole('status').filter({ hasText: '2 tools are disconnected.' }).waitFor()
  for (const tool of tools) await until401(tool)
  await page.getByRole('heading', { name: 'No tool is connected' }).waitFor()
  await open(one ?? '')
  await page.getByRole('dialog', { name: 'This tool is not connected any more.' }).waitFor()
  await page.getByRole('dialog').getByRole('button', { name: 'Close' }).click()
  expect(new URL(page.url()).searchParams.get('end')).toBe(null)
}, 180_000)

test.each([
  ['en', 'en-GB', 'light', { viewport: { width: 1280, height: 800 } }],
  ['en', 'en-GB', 'dark', phone],
  ['es', 'es-ES', 'dark', { viewport: { width: 1280, height: 800 } }],
  ['es', 'es-ES', 'light', phone],
] as const)(
  'the page, its dialogs and its empty state meet WCAG 2.2 AA in %s (%s, %s) and fit the window',
  async (_language, locale, colorScheme, profile) => {
    // Axe comes into the page as a script of nobody's; the policy is tried elsewhere.
    await using ada = await theatre.person({
      ...profile,
      locale,
      colorScheme,
      bypassCSP: true,
      serviceWorkers: 'block',
    })
    const { page, open } = ada
    await bringAxe(ada.context)
    await ada.signIn('ada')
    const found: string[] = []
    const examine = async (where: string): Promise<void> => {
      found.push(...(await violationsOf(page)).map((line) => `${where}: ${line}`))
      const beyond = await page.evaluate(
        () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
      )
      if (beyond > 0) found.push(`${where}: ${String(beyond)} px stick out to the side`)
    }
    await open('/account/tools')
    await examine('empty')
    await page.locator('main a[href="/developers#connect"]').click()
    await page.getByText('"mcpServers"').first().waitFor()
    await examine('how to connect')
    await connect(ada, 'ada', { name: 'An editor with a name that is as long as a name may be, or nearly', limits })
    await connect(ada, 'ada', { name: 'Assistant' })
    const { client } = await ada.account('ada')
    const { grants } = await client.grants.list({})
    await connect(ada, 'ada', { name: 'Bot', limits })
    await client.grants.revoke({ grant_id: grants[0]?.grant_id ?? '' })
    await open('/account/tools')
    await page.getByRole('heading', { level: 3 }).nth(2).waitFor()
    await examine('list')
    for (const end of ['all', grants[1]?.grant_id, grants[0]?.grant_id]) {
      await open(`/account/tools?end=${String(end)}`)
      await page.getByRole('dialog').waitFor()
      await examine(end === 'all' ? 'all' : end === grants[1]?.grant_id ? 'one' : 'over')
    }
    expect(found).toEqual([])
  },
  180_000,
)
