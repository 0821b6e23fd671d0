import { afterAll, beforeAll, expect, test } from 'vitest'
import { openTheatre, phone, type Theatre } from './browser.ts'
import { publishAsPerson } from './scene.ts'

let theatre: Theatre
beforeAll(async () => {
  theatre = await openTheatre()
}, 300_000)
afterAll(async () => {
  await theatre?.[Symbol.asyncDispose]()
})

/** What a browser reports about an answer that a test gave or took away. */
const expected = /Failed to load resource|net::ERR_FAILED|status of 500/

test('while nobody can say who is signed in, no screen says that there is nothing, and no form is blank', async () => {
  await using worker = await theatre.person({ ...phone, serviceWorkers: 'block', expected })
  const { page, context } = worker
  await worker.signIn('bruno')
  const { client } = await worker.account('bruno')
  const { id: executor_id } = await client.workers.register({ name: 'Bruno' })
  await client.workers.update({ executor_id, bio: 'I walk every day.', capabilities: ['walking'] })

  // The form begins with what is kept, and another name loses none of it.
  await worker.open('/profile')
  await expect.poll(() => page.getByLabel('About you').inputValue()).toBe('I walk every day.')
  await page.getByLabel('Display name').fill('Bruno B.')
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  await page.getByRole('status').filter({ hasText: 'Your profile is saved.' }).waitFor()
  expect((await client.account.export({})).profile).toMatchObject({
    display_name: 'Bruno B.',
    bio: 'I walk every day.',
    capabilities: ['walking'],
  })

  await context.route('**/api/v1/auth/session', (route) =>
    route.fulfill({ status: 500, contentType: 'text/plain', body: 'out of order' }),
  )
  for (const path of [
    '/earnings',
    '/profile',
    '/work',
    '/account',
    '/my/tasks',
    '/my/spend',
    '/notifications',
    '/webhooks',
    '/my/services',
    '/disputes',
    `/work/${executor_id}/submit`,
  ]) {
    await page.goto(path)
    await page.getByText('Whether you are signed in is not known now.').first().waitFor()
    expect(await page.getByText('You have not worked here yet').count(), path).toBe(0)
    expect(await page.locator('main form').count(), path).toBe(0)
    // What a person is told is no number of a protocol.
    expect(await page.getByText(/HTTP_\d/).count(), path).toBe(0)
  }
  await page.goto('/earnings')
  await page.getByText('The service is in trouble.').waitFor()
  await context.unroute('**/api/v1/auth/session')
  await page.getByRole('button', { name: 'Try again' }).click()
  await page.getByText('Whether you are signed in is not known now.').waitFor({ state: 'detached' })
}, 180_000)

/**
 * A wallet beside those of the app: on another chain, saying no once, then locked once; it tells what changes in it
 * (EIP-1193, EIP-6963).
 */
function announceOtherWallet(account: string): void {
  const listeners = new Map<string, (said: unknown) => void>()
  const answers = [{ code: 4001, message: 'User rejected the request.' }]
  let chainId = '0x1'
  const shown = 'account-of-other-wallet'
  // What a wallet rejects with is often no Error.
  const rejecting = async (reason: unknown): Promise<never> => {
    throw await Promise.resolve(reason)
  }
  const provider = {
    on: (event: string, listener: (said: unknown) => void) => {
      listeners.set(event, listener)
    },
    removeListener: (event: string) => {
      listeners.delete(event)
    },
    request: ({
      method,
      params,
    }: {
      readonly method: string
      readonly params?: readonly { readonly chainId: string }[]
    }): Promise<unknown> => {
      if (method === 'eth_chainId') return Promise.resolve(chainId)
      if (method === 'eth_accounts') return Promise.resolve([sessionStorage.getItem(shown) ?? account])
      const refusal = answers.shift()
      if (refusal !== undefined || method !== 'wallet_switchEthereumChain')
        return rejecting(refusal ?? { code: -32_603, message: 'The device is locked' })
      chainId = params?.[0]?.chainId ?? chainId
      listeners.get('chainChanged')?.(chainId)
      return Promise.resolve(null)
    },
  }
  Reflect.set(window, 'changeAccount', (other: string) => {
    sessionStorage.setItem(shown, other)
    listeners.get('accountsChanged')?.([other])
  })
  const announce = (): void => {
    window.dispatchEvent(
      new CustomEvent('eip6963:announceProvider', {
        detail: Object.freeze({
          info: { uuid: 'other', name: 'Other', icon: '', rdns: 'org.example.other' },
          provider,
        }),
      }),
    )
  }
  window.addEventListener('eip6963:requestProvider', announce)
}

test('a wallet on another network is brought to the right one, a no is told from a failure, and another account is told', async () => {
  await using ada = await theatre.person({ ...phone, expected })
  await using bruno = await theatre.person({ ...phone, expected })
  const { page } = ada
  await ada.signIn('ada')
  await bruno.signIn('bruno')
  const taskId = await publishAsPerson(ada, {
    title: 'Photograph the gate',
    instructions: 'Stand in front of the gate and take one photo.',
    category: 'simple_action',
    bounty_usd: 2.5,
    evidence_required: ['text_response'],
  })
  const { client } = await bruno.account('bruno')
  await client.workers.register({ name: 'Bruno' })
  await client.tasks.apply({ task_id: taskId })
  const { signer } = await ada.account('ada')
  await page.evaluate(() => {
    localStorage.setItem('ergon.wallet', 'org.example.other')
  })
  await page.addInitScript(announceOtherWallet, signer.address)
  await ada.open(`/my/tasks/${taskId}`)
  await page.getByRole('link', { name: /^Choose / }).click()
  await page.getByRole('button', { name: 'Set the money aside' }).click()
  const dialog = page.getByRole('dialog', { name: 'Before you sign' })
  await dialog.getByText('Your wallet is on another network. This is signed on Local chain.').waitFor()
  await dialog.getByRole('button', { name: 'Switch the wallet to Local chain' }).click()
  await dialog.getByText('You did not switch. Nothing happened.').waitFor()
  await dialog.getByRole('button', { name: 'Switch the wallet to Local chain' }).click()
  await dialog.getByRole('button', { name: 'Open the wallet' }).click()
  await page.getByText('The wallet says: The device is locked').waitFor()
  await page.getByRole('button', { name: 'Cancel' }).click()
  await page.evaluate(
    (other) => {
      ;(Reflect.get(window, 'changeAccount') as (account: string) => void)(other)
    },
    `0x${'b2'.repeat(20)}`,
  )
  const told = page.getByRole('status').filter({ hasText: 'Your wallet shows another account now:' })
  await told.getByText(`To sign, choose in it: ${signer.address.slice(0, 6)}`).waitFor()
  await told.getByRole('link', { name: 'Or sign in with the other one' }).waitFor()

  // It is told after a reload as well, and nothing is signed: the wallet is here, and shows another account.
  await page.reload()
  await told.waitFor()
  await page.getByRole('link', { name: /^Choose / }).click()
  await page.getByRole('button', { name: 'Set the money aside' }).click()
  const refused = page.getByRole('alert').filter({ hasText: 'Your wallet shows another account now.' })
  await refused.getByText(/^It shows 0xb2b2…b2b2\. Choose 0x/).waitFor()
  expect(await refused.innerText()).toContain(signer.address.toLowerCase().slice(0, 6))
  expect(await page.getByText('is not in this browser now').count()).toBe(0)
}, 180_000)
