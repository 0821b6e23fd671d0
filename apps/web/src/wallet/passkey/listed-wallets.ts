import { onDevice } from '../../lib/kept.ts'

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

/** Whether it is still listed when the page is loaded again; nobody hears of a new one that would not be. */
export function listWallet(wallet: ListedWallet): boolean {
  const known = read()
  const others = known.filter(({ address }) => address !== wallet.address)
  const isKept = keep([...others, wallet])
  if (isKept || others.length < known.length) tell([...others, wallet])
  else keep(known)
  return isKept
}

export function unlistWallet(address: string): void {
  const others = read().filter((one) => one.address !== address)
  keep(others)
  tell(others)
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

const keep = (list: readonly ListedWallet[]): boolean => onDevice.keep(key, JSON.stringify(list))

function tell(next: readonly ListedWallet[]): void {
  listed = next
  for (const listener of listeners) listener()
}

function read(): readonly ListedWallet[] {
  try {
    const kept: unknown = JSON.parse(onDevice.read(key) ?? '[]')
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
