import { onDevice } from './kept.ts'

// The address alone, and only of a session that the service confirmed in this browser: with it, what waits on the
// device is found while nobody can be asked who is signed in. It opens nothing.
const key = 'ergon.session.wallet'

/** The wallet of the last confirmed session, or null. */
export function readKeptWallet(): string | null {
  return onDevice.read(key)
}

/**
 * Hears which wallet another tab keeps; also what was missed while this page was kept for whoever goes back, or slept.
 */
export function hearKeptWallet(listener: (wallet: string | null) => void): () => void {
  const heard = (event: StorageEvent): void => {
    if (event.key === key) listener(readKeptWallet())
  }
  const look = (): void => {
    if (document.visibilityState === 'visible') listener(readKeptWallet())
  }
  window.addEventListener('storage', heard)
  window.addEventListener('pageshow', look)
  document.addEventListener('visibilitychange', look)
  return () => {
    window.removeEventListener('storage', heard)
    window.removeEventListener('pageshow', look)
    document.removeEventListener('visibilitychange', look)
  }
}

/** Another person signed in in another tab, and this page has not become theirs yet. */
export class OtherSession extends Error {
  override readonly name = 'OtherSession'
}

/** The session is of the whole browser: what a page would do for one person, the service would take as another's. */
export function refuseOtherSession(who: string | undefined): void {
  const kept = readKeptWallet()
  if (who !== undefined && kept !== null && kept !== who) throw new OtherSession('another person is signed in here')
}

/** Keeps the wallet that the service says is signed in; null when it says that nobody is. */
export function keepWallet(wallet: string | null): void {
  // What cannot be kept leaves none: the one before would pass for who is signed in now.
  if (wallet === null || !onDevice.keep(key, wallet)) onDevice.forget(key)
}
