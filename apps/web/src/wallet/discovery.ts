import type { Eip1193Provider } from '@ergon/sdk'

/** A wallet that announced itself to the page (EIP-6963). */
export type DiscoveredWallet = {
  readonly uuid: string
  readonly name: string
  /** A data: URI, or null when the wallet gave anything else. */
  readonly icon: string | null
  /** Reverse domain name; the same wallet keeps it between visits. */
  readonly rdns: string
  readonly provider: Eip1193Provider
}

const longestName = 60
const longestIcon = 200_000
const mostWallets = 20

/** What a wallet says about itself, or undefined when it does not keep to EIP-6963. */
export function readAnnouncement(detail: unknown): DiscoveredWallet | undefined {
  const announced = detail as { readonly info?: Record<string, unknown>; readonly provider?: Eip1193Provider } | null
  const { info, provider } = announced ?? {}
  if (info === undefined || typeof provider?.request !== 'function') return undefined
  const { uuid, name, icon, rdns } = info
  if (typeof uuid !== 'string' || typeof name !== 'string' || typeof rdns !== 'string' || uuid === '') return undefined
  const isPicture =
    typeof icon === 'string' &&
    icon.length <= longestIcon &&
    /^data:image\/(?:svg\+xml|png|jpeg|webp|gif)[;,]/.test(icon)
  return { uuid, name: name.trim().slice(0, longestName) || rdns, icon: isPicture ? icon : null, rdns, provider }
}

/** The wallets of this page, as they announce themselves. */
export type WalletDiscovery = Disposable & {
  readonly list: () => readonly DiscoveredWallet[]
  readonly subscribe: (listener: () => void) => () => void
}

/** Wallets of the app itself: only the app makes those, and whoever announces one is an impostor. */
const ownPrefix = 'local.ergon.'
/** A wallet of the app itself, which has one account. */
export const isOwnWallet = ({ rdns }: Pick<DiscoveredWallet, 'rdns'>): boolean => rdns.startsWith(ownPrefix)
const none: Pick<WalletDiscovery, 'list' | 'subscribe'> = { list: () => [], subscribe: () => () => undefined }

/** `own` wallets come first; they come and go as they are made and forgotten. */
export function discoverWallets(
  page: Window,
  further: readonly DiscoveredWallet[] = [],
  own: Pick<WalletDiscovery, 'list' | 'subscribe'> = none,
): WalletDiscovery {
  let announced: readonly DiscoveredWallet[] = []
  let found: readonly DiscoveredWallet[] = [...own.list(), ...further]
  const listeners = new Set<() => void>()
  const tell = (): void => {
    found = [...own.list(), ...further, ...announced]
    for (const listener of listeners) listener()
  }
  const hear = (event: Event): void => {
    const wallet = readAnnouncement((event as CustomEvent<unknown>).detail)
    if (wallet === undefined || found.length >= mostWallets || isOwnWallet(wallet)) return
    announced = [...announced.filter(({ uuid }) => uuid !== wallet.uuid), wallet]
    tell()
  }
  const leave = own.subscribe(tell)
  page.addEventListener('eip6963:announceProvider', hear)
  page.dispatchEvent(new Event('eip6963:requestProvider'))
  return {
    list: () => found,
    subscribe(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    [Symbol.dispose]() {
      page.removeEventListener('eip6963:announceProvider', hear)
      leave()
      listeners.clear()
    },
  }
}
