/** A wallet on Solana, as the page uses it. */
export type SolanaWallet = {
  readonly name: string
  /** A data: URI, or null. */
  readonly icon: string | null
  readonly isTest: boolean
  connect(): Promise<SolanaAccount>
}

export type SolanaAccount = {
  readonly address: string
  /** Gives a serialized transaction back with this account's signature in its place. */
  signTransaction(wire: Uint8Array): Promise<Uint8Array>
  /** The 64 bytes over a text. */
  signMessage(bytes: Uint8Array): Promise<Uint8Array>
}

// What the Wallet Standard says about a wallet, as far as it is used here; everything is checked before it is used.
type StandardAccount = { readonly address: string; readonly features?: readonly string[] }
type Standard = {
  readonly name: string
  readonly icon?: string
  readonly features: Readonly<Record<string, unknown>>
}
type Connect = { connect(): Promise<{ readonly accounts: readonly StandardAccount[] }> }
type SignTransaction = {
  signTransaction(input: {
    readonly account: StandardAccount
    readonly transaction: Uint8Array
  }): Promise<readonly { readonly signedTransaction: Uint8Array }[]>
}
type SignMessage = {
  signMessage(input: {
    readonly account: StandardAccount
    readonly message: Uint8Array
  }): Promise<readonly { readonly signature: Uint8Array }[]>
}

const needed = ['standard:connect', 'solana:signTransaction', 'solana:signMessage'] as const
const mostWallets = 20
const longestName = 60

/** The wallets that have registered themselves with this page (Wallet Standard). */
export function discoverSolanaWallets(page: Window, told: (wallets: readonly SolanaWallet[]) => void): () => void {
  let found: readonly SolanaWallet[] = []
  const register = (...wallets: readonly unknown[]): (() => void) => {
    const read = wallets.map(readWallet).filter((one) => one !== undefined)
    const names = new Set(read.map(({ name }) => name))
    found = [...found.filter(({ name }) => !names.has(name)), ...read].slice(0, mostWallets)
    told(found)
    return () => undefined
  }
  const api = Object.freeze({ register })
  const hear = (event: Event): void => {
    const callback = (event as CustomEvent<unknown>).detail
    if (typeof callback === 'function') (callback as (given: typeof api) => void)(api)
  }
  page.addEventListener('wallet-standard:register-wallet', hear)
  page.dispatchEvent(new CustomEvent('wallet-standard:app-ready', { detail: api }))
  return () => {
    page.removeEventListener('wallet-standard:register-wallet', hear)
  }
}

/** A wallet that can do what is asked here, or undefined. */
export function readWallet(value: unknown): SolanaWallet | undefined {
  if (typeof value !== 'object' || value === null) return undefined
  const { name, icon, features } = value as Partial<Standard> // each field is looked at below
  if (typeof name !== 'string' || typeof features !== 'object') return undefined
  if (!needed.every((feature) => feature in features)) return undefined
  const isPicture =
    typeof icon === 'string' && icon.length <= 200_000 && /^data:image\/(?:svg\+xml|png|jpeg|webp|gif)[;,]/.test(icon)
  return {
    name: name.trim().slice(0, longestName) || 'Solana',
    icon: isPicture ? icon : null,
    isTest: false,
    async connect() {
      const { accounts } = await (features['standard:connect'] as Connect).connect()
      const [account] = accounts
      if (account === undefined) throw new Error('the wallet names no account')
      return {
        address: account.address,
        async signTransaction(transaction) {
          const feature = features['solana:signTransaction'] as SignTransaction
          const [signed] = await feature.signTransaction({ account, transaction })
          if (signed === undefined) throw new Error('the wallet signed nothing')
          return signed.signedTransaction
        },
        async signMessage(message) {
          const [signed] = await (features['solana:signMessage'] as SignMessage).signMessage({ account, message })
          if (signed === undefined) throw new Error('the wallet signed nothing')
          return signed.signature
        },
      }
    },
  }
}
