import type { WalletCaller } from '../caller.ts'
import { MarketError } from '../errors.ts'
import type { Registration } from '../market.ts'
import { networkNamed } from '../network.ts'
import type { MarketDeps } from './deps.ts'

export type Profile = { readonly name: string | null; readonly description: string | null }
type Known = { readonly agentId: number; readonly txHash: string | null; readonly fresh: boolean }

/** The identities of wallets. Of several callers of one wallet in this process one asks, the others wait for it. */
export function createIdentities(deps: MarketDeps): {
  readonly ensure: (wallet: string) => Promise<number>
  readonly known: (wallet: string) => Promise<number | null>
  readonly register: (caller: WalletCaller, input: Profile & { readonly network: string | null }) => Promise<Registration>
} {
  const underWay = new Map<string, Promise<Known | 'pending'>>()

  const once = (network: string, wallet: string, profile: Profile, mayRegister: boolean): Promise<Known | 'pending'> => {
    const key = `${network}:${wallet}:${String(mayRegister)}`
    const running = underWay.get(key)
    if (running !== undefined) return running
    const asked = identify(deps, network, wallet, profile, mayRegister).finally(() => underWay.delete(key))
    underWay.set(key, asked)
    return asked
  }

  return {
    async ensure(wallet) {
      const network = deps.settings.identityNetwork
      const stored = await deps.store.identity(network, wallet)
      if (stored !== null) return stored.agentId
      const known = await once(network, wallet, { name: null, description: null }, deps.settings.autoRegister)
      // A mint on its way is a matter of seconds: the same request is right then.
      if (known === 'pending') throw new MarketError('identity_check_unavailable', { wallet, network })
      return known.agentId
    },
    async known(wallet) {
      return (await deps.store.identity(deps.settings.identityNetwork, wallet))?.agentId ?? null
    },
    async register(caller, input) {
      const network = networkNamed(deps.networks, input.network ?? deps.settings.identityNetwork).name
      const stored = await deps.store.identity(network, caller.wallet)
      if (stored !== null) return { wallet: caller.wallet, network, ...stored, state: 'already_registered' }
      const known = await once(network, caller.wallet, input, true)
      if (known === 'pending') return { wallet: caller.wallet, network, agentId: null, txHash: null, state: 'pending' }
      return { wallet: caller.wallet, network, agentId: known.agentId, txHash: known.txHash, state: known.fresh ? 'registered' : 'already_registered' }
    },
  }
}

/** Asks the registry; an unknown wallet is registered gaslessly or refused (spec §1.12). */
async function identify(deps: MarketDeps, network: string, wallet: string, profile: Profile, mayRegister: boolean): Promise<Known | 'pending'> {
  const found = await deps.identities.lookup(network, wallet)
  const now = deps.clock.now()
  if (found !== null) {
    await deps.store.putIdentity(network, wallet, { agentId: found, txHash: null }, now)
    return { agentId: found, txHash: null, fresh: false }
  }
  if (!mayRegister) throw new MarketError('identity_required', { wallet, network, register_endpoint: '/api/v1/reputation/register' })
  const minted = await deps.identities.register({ network, wallet, ...(profile.name === null ? {} : { name: profile.name }), ...(profile.description === null ? {} : { description: profile.description }), key: `register:${network}:${wallet}` })
  if (minted === 'pending') return 'pending'
  await deps.store.putIdentity(network, wallet, minted, now)
  return { ...minted, fresh: true }
}
