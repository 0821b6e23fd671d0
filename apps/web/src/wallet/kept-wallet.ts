// The address alone, and only of a session that the service confirmed in this browser: with it, what waits on the
// device is found while nobody can be asked who is signed in. It opens nothing.
const key = 'ergon.session.wallet'

/** The wallet of the last confirmed session, or null. */
export function readKeptWallet(): string | null {
  try {
    return localStorage.getItem(key)
  } catch {
    return null
  }
}

/** Keeps the wallet that the service says is signed in; null when it says that nobody is. */
export function keepWallet(wallet: string | null): void {
  try {
    if (wallet === null) localStorage.removeItem(key)
    else localStorage.setItem(key, wallet)
  } catch {
    // Without storage nothing is found offline; everything else works.
  }
}
