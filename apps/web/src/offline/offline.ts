/** Whether a newer build waits for the page to be loaded again, and whom that interests. */
export type Updates = { readonly isWaiting: () => boolean; readonly subscribe: (listener: () => void) => () => void }

const lookAgainMs = 60 * 60_000

/** Tells of a newer build: one that the worker has, or one without a part that this page asked for. */
export function watchUpdates(page: Window, worker: ServiceWorkerContainer | undefined): Updates {
  let isWaiting = false
  const listeners = new Set<() => void>()
  const tell = (is: boolean): void => {
    isWaiting = is
    for (const listener of listeners) listener()
  }
  if (worker !== undefined) keepForOffline(page, worker, tell)
  // Of the bundler: a part of the app did not come.
  page.addEventListener('vite:preloadError', () => {
    isReplaced(page).then(
      (is) => {
        if (is) tell(true)
      },
      () => undefined,
    )
  })
  return {
    isWaiting: () => isWaiting,
    subscribe(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
  }
}

/** Whether the service begins its page with another build than this one. */
async function isReplaced({ document }: Window): Promise<boolean> {
  const entry = document.querySelector('script[type=module][src]')?.getAttribute('src')
  const answer = await fetch('/', { cache: 'no-store' })
  return typeof entry === 'string' && answer.ok && !(await answer.text()).includes(entry)
}

/**
 * Keeps the app at hand for when there is no network, once the page has loaded: first comes what the reader waits for.
 */
function keepForOffline(page: Window, worker: ServiceWorkerContainer, tell: (isWaiting: boolean) => void): void {
  const note = ({ waiting, active }: ServiceWorkerRegistration): void => {
    // Without an active worker this is the first visit, and there is nothing older on the screen.
    tell(waiting !== null && active !== null)
  }
  const watch = (registration: ServiceWorkerRegistration): void => {
    registration.addEventListener('updatefound', () => {
      registration.installing?.addEventListener('statechange', () => {
        note(registration)
      })
    })
    // A page that stays open for days asks by itself; a navigation within it does not.
    page.setInterval(() => {
      if (page.navigator.onLine) registration.update().catch(() => undefined)
    }, lookAgainMs)
  }
  // Where the worker is refused, the app works as well, only not without a network.
  const register = (): void => {
    worker
      .register('/sw.js', { updateViaCache: 'none' })
      .then(watch)
      .catch(() => undefined)
  }
  if (page.document.readyState === 'complete') register()
  else page.addEventListener('load', register, { once: true })
}
