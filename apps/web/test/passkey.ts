import type { CDPSession, Page } from 'playwright-core'

/** A device that makes passkeys and asks nobody: Chromium's own, over its protocol. */
export type Authenticator = {
  /** Puts another device in its place, whose person agrees to everything or to nothing. */
  readonly replace: (does: { readonly agrees: boolean }) => Promise<void>
  /** The passkeys on it are deleted. */
  readonly forget: () => Promise<void>
}

export async function giveAuthenticator(
  page: Page,
  { hasPrf = true, agrees = true }: { readonly hasPrf?: boolean; readonly agrees?: boolean } = {},
): Promise<Authenticator> {
  const cdp: CDPSession = await page.context().newCDPSession(page)
  await cdp.send('WebAuthn.enable')
  const add = async (isUserVerified: boolean): Promise<string> => {
    const { authenticatorId } = await cdp.send('WebAuthn.addVirtualAuthenticator', {
      options: {
        protocol: 'ctap2',
        ctap2Version: 'ctap2_1',
        transport: 'internal',
        hasResidentKey: true,
        hasUserVerification: true,
        isUserVerified,
        hasPrf,
        automaticPresenceSimulation: true,
      },
    })
    return authenticatorId
  }
  let authenticatorId = await add(agrees)
  return {
    // One that has been refused too often stays blocked, as a real one does.
    async replace(does) {
      await cdp.send('WebAuthn.removeVirtualAuthenticator', { authenticatorId })
      authenticatorId = await add(does.agrees)
    },
    forget: async () => {
      await cdp.send('WebAuthn.clearCredentials', { authenticatorId })
    },
  }
}

/** On the screen for signing in: a name, a passkey, in. */
export async function enterByPasskey(page: Page, name: string): Promise<void> {
  await page.getByLabel('Your name').fill(name)
  await page.getByRole('button', { name: 'Make my wallet and sign in' }).click()
}

/** Counts what a person presses in a page: each press of a finger or the mouse, and two for a list. */
export async function countPresses(page: Page): Promise<() => number> {
  let presses = 0
  await page.exposeBinding('countPress', (_source, howMany: number) => {
    presses += howMany
  })
  await page.addInitScript(() => {
    const count: unknown = Reflect.get(window, 'countPress')
    const add = (howMany: number): void => {
      if (typeof count === 'function') (count as (howMany: number) => void)(howMany)
    }
    addEventListener(
      'pointerdown',
      ({ isTrusted }) => {
        if (isTrusted) add(1)
      },
      true,
    )
    addEventListener(
      'change',
      ({ target }) => {
        if (target instanceof HTMLSelectElement) add(2)
      },
      true,
    )
  })
  return () => presses
}
