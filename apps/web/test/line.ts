import type { BrowserContext } from 'playwright-core'

const flag = 'test.offline'

/**
 * Chromium 150 forgets with each navigation that it plays offline: requests fail on, and `navigator.onLine` is true
 * again.
 * So every page asks a flag of its profile as well.
 */
export async function mindTheLine(context: BrowserContext): Promise<void> {
  await context.addInitScript((name) => {
    const own = Object.getOwnPropertyDescriptor(Navigator.prototype, 'onLine')
    Object.defineProperty(Navigator.prototype, 'onLine', {
      configurable: true,
      get(this: Navigator) {
        const isOn = own?.get?.call(this) === true
        try {
          return localStorage.getItem(name) === null && isOn
        } catch {
          return isOn
        }
      },
    })
  }, flag)
}

/** Cuts a profile off from the network, or lets it back; its pages hear of it. */
export async function setOffline(context: BrowserContext, isOffline: boolean): Promise<void> {
  const tell = (): Promise<unknown> =>
    Promise.all(
      context.pages().map((page) =>
        page.evaluate(
          ([name, isCut]) => {
            if (isCut) localStorage.setItem(name, '1')
            else localStorage.removeItem(name)
            window.dispatchEvent(new Event(isCut ? 'offline' : 'online'))
          },
          [flag, isOffline] as const,
        ),
      ),
    )
  // Nobody hears of a network before it is there.
  if (isOffline) await tell()
  await context.setOffline(isOffline)
  if (!isOffline) await tell()
}
