import type { Eip1193Provider } from '@ergon/sdk'
import type { TypedData } from '@ergon/protocols'
import type { DiscoveredWallet } from '../discovery.ts'
import { listedWallets, subscribeToListed, type ListedWallet } from './listed-wallets.ts'

const rdnsPrefix = 'local.ergon.passkey'

/** Whether the app has explained exactly this to the person, who agreed a moment ago. */
export type IsShown = (provider: Eip1193Provider, subject: string | TypedData) => boolean

/** A wallet of this browser beside those that announce themselves. Its key is opened only while it signs. */
export function passkeyWallet({ address, name }: ListedWallet, isShown: IsShown): DiscoveredWallet {
  const rdns = `${rdnsPrefix}.${address}`
  const provider: Eip1193Provider = {
    async request({ method, params }) {
      if (method === 'eth_requestAccounts' || method === 'eth_accounts') return [address]
      const { answerAsPasskeyWallet } = await import('./answer-as-passkey-wallet.ts')
      return answerAsPasskeyWallet(address, method, Array.isArray(params) ? params : [], (subject) =>
        isShown(provider, subject),
      )
    },
  }
  return { uuid: rdns, name, icon: null, rdns, provider }
}

export const isPasskeyWallet = ({ rdns }: Pick<DiscoveredWallet, 'rdns'>): boolean => rdns.startsWith(rdnsPrefix)

/** The wallets of this browser, as they come and go; the same object for the same wallet. */
export function passkeyWallets(isShown: IsShown): {
  readonly list: () => readonly DiscoveredWallet[]
  readonly subscribe: (listener: () => void) => () => void
} {
  let seen = listedWallets()
  const made = new Map<string, DiscoveredWallet>()
  const listOf = (): readonly DiscoveredWallet[] =>
    seen.map((one) => {
      const key = `${one.address} ${one.name}`
      const wallet = made.get(key) ?? passkeyWallet(one, isShown)
      made.set(key, wallet)
      return wallet
    })
  let known = listOf()
  return {
    list() {
      const now = listedWallets()
      if (now !== seen) {
        seen = now
        known = listOf()
      }
      return known
    },
    subscribe: subscribeToListed,
  }
}
