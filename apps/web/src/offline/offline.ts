/** Whether a newer build waits for the page to be loaded again, and whom that interests. */
export type Updates = { readonly isWaiting: () => boolean; readonly subscribe: (listener: () => void) => () => void }

const lookAgainMs = 60 * 60_000

/**
 * Keeps the app at hand for when there is no network, once the page has loaded: first comes what the reader waits for.
 */
export function keepForOffline(page: Window, worker: ServiceWorkerContainer): Updates {
  let isWaiting = false
  const listeners = new Set<() => void>()
  const note = ({ waiting, active }: ServiceWorkerRegistration): void => {
    // Without an active worker this is the first visit, and there is nothing older on the screen.
    isWaiting = waiting !== null && active !== null
    for (const listener of listeners) listener()
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
  return {
    isWaiting: () => isWaiting,
    subscribe(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
  }
}
