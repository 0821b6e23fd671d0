// Names and addresses alone, so that the first screen knows the wallets of this browser without opening their store.
const key = 'ergon.passkey.wallets'

export type ListedWallet = { readonly address: string; readonly name: string; readonly isSaved: boolean }

let listed: readonly ListedWallet[] | undefined
const listeners = new Set<() => void>()

/** The wallets that were made or brought here; the same list until one changes. */
export function listedWallets(): readonly ListedWallet[] {
  listed ??= read()
  return listed
}

export function listWallet(wallet: ListedWallet): void {
  change([...read().filter(({ address }) => address !== wallet.address), wallet])
}

export function unlistWallet(address: string): void {
  change(read().filter((one) => one.address !== address))
}

/** Also when another tab changes the list. */
export function subscribeToListed(listener: () => void): () => void {
  const hear = (event: StorageEvent): void => {
    if (event.key !== key && event.key !== null) return
    listed = undefined
    listener()
  }
  listeners.add(listener)
  window.addEventListener('storage', hear)
  return () => {
    listeners.delete(listener)
    window.removeEventListener('storage', hear)
  }
}

function change(next: readonly ListedWallet[]): void {
  listed = next
  try {
    localStorage.setItem(key, JSON.stringify(next))
  } catch {
    // Without storage the wallet is not kept either, and whoever makes one is told so.
  }
  for (const listener of listeners) listener()
}

function read(): readonly ListedWallet[] {
  try {
    const kept: unknown = JSON.parse(localStorage.getItem(key) ?? '[]')
    return Array.isArray(kept) ? kept.flatMap(oneOf) : []
  } catch {
    return []
  }
}

function oneOf(kept: unknown): ListedWallet[] {
  if (typeof kept !== 'object' || kept === null) return []
  const field = (name: string): unknown => Reflect.get(kept, name)
  const [address, name] = [field('address'), field('name')]
  return typeof address === 'string' && /^0x[0-9a-f]{40}$/.test(address) && typeof name === 'string'
    ? [{ address, name, isSaved: field('isSaved') === true }]
    : []
}
