import { createHash, randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { privateKeySigner, type TypedData } from '@ergon/protocols'
import type { BrowserContext, BrowserContextOptions, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { bringAxe, violationsOf } from './axe.ts'
import { openTheatre, phone, type Theatre } from './browser.ts'
import { pressOn, tabTo, typeInto } from './keyboard.ts'

/** The tool on the person's own machine; the network that a test plays in the browser does not see a redirect. */
const tool = createServer((_request, answer) => answer.end('back in the tool'))
let redirectUri: string
const signer = privateKeySigner(`0x${randomBytes(32).toString('hex')}`)
const verifier = randomBytes(32).toString('base64url')

let theatre: Theatre
let clientId: string
beforeAll(async () => {
  await once(tool.listen(0, '127.0.0.1'), 'listening')
  // It listens on a port.
  redirectUri = `http://127.0.0.1:${String((tool.address() as AddressInfo).port)}/callback`
  theatre = await openTheatre({ env: { server: { SVC_OAUTH: 'true' } } })
  const answer = await fetch(`${theatre.serviceUrl}/oauth/register`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ client_name: 'Tool', redirect_uris: [redirectUri] }),
  })
  clientId = ((await answer.json()) as { readonly client_id: string }).client_id
}, 300_000)
afterAll(async () => {
  tool.close()
  tool.closeAllConnections()
  await theatre?.[Symbol.asyncDispose]()
})

const authorizeUrl = (): string =>
  `${theatre.serviceUrl}/oauth/authorize?${new URLSearchParams({
    response_type: 'code',
    client_id: clientId,
    redirect_uri: redirectUri,
    code_challenge: createHash('sha256').update(verifier).digest('base64url'),
    code_challenge_method: 'S256',
    state: 's',
  }).toString()}`

/** As wallets are given it: with the type of the domain. */
function signOrder(text: string): Promise<string> {
  const { types, ...rest } = JSON.parse(text) as TypedData // what our own page shows
  const { EIP712Domain: _domain, ...own } = types
  return signer.signTypedData({ ...rest, types: own })
}

type Visit = AsyncDisposable & { readonly context: BrowserContext; readonly page: Page }

async function visit(options: BrowserContextOptions, axe = false): Promise<Visit> {
  const context = await theatre.browser.newContext(options)
  if (axe) await bringAxe(context)
  return { context, page: await context.newPage(), [Symbol.asyncDispose]: () => context.close() }
}

async function tokensFor(code: string): Promise<Readonly<Record<string, unknown>>> {
  const answer = await fetch(`${theatre.serviceUrl}/oauth/token`, {
    method: 'POST',
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    body: new URLSearchParams({
      grant_type: 'authorization_code',
      client_id: clientId,
      redirect_uri: redirectUri,
      code,
      code_verifier: verifier,
    }).toString(),
  })
  return (await answer.json()) as Readonly<Record<string, unknown>> // the answer of the token endpoint
}

describe('a person without script and without a pointer', () => {
  test('allows a tool to act within two limits, by a signature that is pasted', async () => {
    await using visitor = await visit({ javaScriptEnabled: false, locale: 'en-GB' })
    const { page } = visitor
    await page.goto(authorizeUrl())
    await typeInto(page, page.getByLabel('Address of the wallet'), signer.address)
    await pressOn(page, page.getByLabel('Cancel your tasks'), 'Space')
    await pressOn(page, page.getByLabel('Let the tool approve work'), 'Space')
    await typeInto(page, page.getByLabel('At most, in USD'), '7.50')
    await typeInto(page, page.getByLabel('At most so many approvals'), '3')
    await pressOn(page, page.getByRole('button', { name: 'Continue' }))
    await page.getByRole('heading', { name: 'Sign this text' }).first().waitFor()
    const text = (await page.locator('#text').textContent()) ?? ''
    expect(text.split('\n')[0]).toBe(
      `${new URL(theatre.serviceUrl).host} wants you to sign in with your Ethereum account:`,
    )
    const field = page.getByLabel('Signature', { exact: true })
    await tabTo(page, field)
    await page.keyboard.insertText(await signer.signMessage(text))
    await pressOn(page, page.getByRole('button', { name: 'Hand in the signature' }))
    await page.getByRole('heading', { name: 'Sign the standing order' }).waitFor()
    await tabTo(page, field)
    await page.keyboard.insertText(await signOrder((await page.locator('#text').textContent()) ?? ''))
    await pressOn(page, page.getByRole('button', { name: 'Hand in the signature' }))
    await page.getByRole('heading', { name: 'Signed' }).waitFor()
    await pressOn(page, page.getByRole('link', { name: `Continue to ${new URL(redirectUri).host}` }))
    await page.waitForURL(`${redirectUri}?**`)
    const back = new URL(page.url()).searchParams
    expect([back.get('state'), back.get('iss')]).toEqual(['s', theatre.serviceUrl])
    expect(await tokensFor(back.get('code') ?? '')).toMatchObject({
      expires_in: 900,
      scope: 'task:read task:write worker:apply agent:publish agent:approve',
    })
  })
})

test('a wallet in the browser fills in the address, signs both texts of an approval, and the browser goes back by itself', async () => {
  await using visitor = await visit({ locale: 'en-GB' })
  const { context, page } = visitor
  await context.exposeFunction('signHere', (hex: string) =>
    signer.signMessage(Buffer.from(hex.slice(2), 'hex').toString('utf8')),
  )
  await context.exposeFunction('signOrderHere', signOrder)
  await context.addInitScript((address) => {
    const request = async ({ method, params }: { method: string; params?: readonly string[] }): Promise<unknown> => {
      if (method === 'eth_requestAccounts') return [address]
      if (method === 'eth_chainId') return '0x7a69'
      // Exposed by the test.
      const [sign, signOrderHere] = ['signHere', 'signOrderHere'].map(
        (name) => Reflect.get(window, name) as (text: string) => Promise<string>,
      )
      if (method === 'personal_sign') return sign?.(params?.[0] ?? '')
      if (method === 'eth_signTypedData_v4' && params?.[0] === address) return signOrderHere?.(params[1] ?? '')
      throw new Error(method)
    }
    const info = { uuid: 'of-this-test', name: 'Test wallet', icon: 'https://evil.example/icon.png', rdns: 'test' }
    const announce = (): boolean =>
      window.dispatchEvent(new CustomEvent('eip6963:announceProvider', { detail: { info, provider: { request } } }))
    window.addEventListener('eip6963:requestProvider', announce)
  }, signer.address)
  await page.goto(authorizeUrl())
  await page.getByRole('button', { name: 'Use Test wallet' }).click()
  await expect.poll(() => page.getByLabel('Address of the wallet').inputValue()).toBe(signer.address)
  await page.getByLabel('Let the tool approve work').check()
  await page.getByLabel('At most, in USD').fill('5')
  await page.getByLabel('At most so many approvals').fill('2')
  await page.getByRole('button', { name: 'Continue' }).click()
  await page.getByRole('button', { name: 'Sign with Test wallet' }).click()
  await page.getByRole('heading', { name: 'Sign the standing order' }).waitFor()
  await page.getByRole('button', { name: 'Sign with Test wallet' }).click()
  await page.waitForURL(`${redirectUri}?**`)
  const tokens = await tokensFor(new URL(page.url()).searchParams.get('code') ?? '')
  expect(tokens['expires_in']).toBe(900)
})

async function signElsewhere(page: Page): Promise<void> {
  const text = (await page.locator('#text').textContent()) ?? ''
  const token = (await page.locator('input[name=delivery_token]').getAttribute('value')) ?? ''
  const url = `${page.url().split('?')[0] ?? ''}/signature`
  const fields = new URLSearchParams({ delivery_token: token, signature: await signer.signMessage(text) })
  expect((await fetch(`${url}?${fields.toString()}`)).status).toBe(200)
}

test('a phone signs both texts of an approval by the code, with keys alone, and the browser that began goes on', async () => {
  await using desk = await visit({ locale: 'en-GB' })
  await using phoneVisit = await visit({ ...phone, locale: 'en-GB', javaScriptEnabled: false })
  const [{ page }, there] = [desk, phoneVisit.page]
  await page.goto(authorizeUrl())
  await page.getByLabel('Address of the wallet').fill(signer.address)
  await page.getByLabel('Let the tool approve work').check()
  await page.getByLabel('At most, in USD').fill('5')
  await page.getByLabel('At most so many approvals').fill('2')
  await page.getByRole('button', { name: 'Continue' }).click()
  await page.getByRole('img', { name: 'Code with the address for another device' }).waitFor()
  await there.goto((await page.getByRole('link', { name: 'The address in the code' }).getAttribute('href')) ?? '')
  await there.getByText('Another browser began this sign-in').waitFor()
  const handIn = async (signature: string): Promise<void> => {
    const field = there.getByLabel('Signature', { exact: true })
    await tabTo(there, field)
    await there.keyboard.insertText(signature)
    await pressOn(there, there.getByRole('button', { name: 'Hand in the signature' }))
  }
  await handIn(await signer.signMessage((await there.locator('#text').textContent()) ?? ''))
  await there.getByRole('heading', { name: 'Sign the standing order' }).waitFor()
  // The browser that began follows, and shows a code for the second text.
  await page.getByRole('heading', { name: 'Sign the standing order' }).waitFor()
  await page.getByRole('img', { name: 'Code with the address for another device' }).waitFor()
  await handIn(await signOrder((await there.locator('#text').textContent()) ?? ''))
  await there.getByText('Nothing is left to do here').waitFor()
  await page.getByRole('link', { name: `Continue to ${new URL(redirectUri).host}` }).click()
  await page.waitForURL(`${redirectUri}?**`)
  const tokens = await tokensFor(new URL(page.url()).searchParams.get('code') ?? '')
  expect(tokens['expires_in']).toBe(900)
})

describe.each([
  ['en', 'en-GB'],
  ['es', 'es-ES'],
] as const)('in %s', (tongue, locale) => {
  test('every page keeps to WCAG 2.2 AA, light and dark, wide and as narrow as a phone', async () => {
    await using visitor = await visit({ locale, bypassCSP: true }, true)
    const { page } = visitor
    const found: string[] = []
    const examine = async (what: string): Promise<void> => {
      expect(await page.locator('html').getAttribute('lang')).toBe(tongue)
      for (const [colorScheme, size] of [
        ['light', { width: 1280, height: 800 }],
        ['dark', phone.viewport],
      ] as const) {
        await page.emulateMedia({ colorScheme })
        await page.setViewportSize(size)
        found.push(...(await violationsOf(page)).map((line) => `${what} ${colorScheme}: ${line}`))
        const beyond = await page.evaluate(
          () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
        )
        if (beyond > 0) found.push(`${what} ${colorScheme}: ${String(beyond)} px stick out to the side`)
      }
    }
    await page.goto(authorizeUrl())
    await examine('choice')
    await page.locator('#address').fill('me')
    await page.locator('button[value=choose]').click()
    await page.locator('#fault').waitFor()
    await examine('fault')
    await page.locator('#address').fill(signer.address)
    await page.locator('button[value=choose]').click()
    await page.locator('#text').waitFor()
    await examine('signing')
    await page.locator('summary').click()
    await examine('signing, for programs')
    const elsewhere = (await page.locator('a[href*="/elsewhere?"]').getAttribute('href')) ?? ''
    await signElsewhere(page)
    // Signed elsewhere: the page notices, and leaves the last step to the person.
    await page.locator('#continue').waitFor()
    await examine('signed')
    await page.goto(elsewhere)
    await examine('nothing left elsewhere')
    await page.goto(authorizeUrl())
    await page.locator('#address').fill(signer.address)
    await page.locator('input[name=approve]').check()
    await page.locator('#usd').fill('5')
    await page.locator('#count').fill('2')
    await page.locator('button[value=choose]').click()
    await page.locator('#text').waitFor()
    await signElsewhere(page)
    await page.locator('input[value=order]').waitFor({ state: 'attached' })
    await examine('standing order')
    await page.goto((await page.locator('a[href*="/elsewhere?"]').getAttribute('href')) ?? '')
    await page.locator('#sign input[value=order]').waitFor({ state: 'attached' })
    await examine('standing order elsewhere')
    await page.goto(authorizeUrl())
    await page.locator('#address').fill(signer.address)
    await page.locator('button[value=choose]').click()
    await page.goto((await page.locator('a[href*="/elsewhere?"]').getAttribute('href')) ?? '')
    await page.locator('#text').waitFor()
    await examine('signing elsewhere')
    await page.goto(`${theatre.serviceUrl}/oauth/authorize?client_id=nobody`)
    await examine('wrong request')
    expect(found).toEqual([])
  })
})
