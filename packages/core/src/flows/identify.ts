import type { WalletCaller } from '../caller.ts'
import { MarketError } from '../errors.ts'
import { networkNamed } from '../network.ts'
import { ownerOfNew } from './agent-now.ts'
import type { MarketDeps, MarketParts } from './deps.ts'

export type Registration = {
  readonly wallet: string
  readonly network: string
  readonly agentId: number | null
  readonly txHash: string | null
  readonly state: 'registered' | 'already_registered' | 'pending'
}

export type Profile = { readonly name: string | null; readonly description: string | null }
/** Who asks for a registration, and from where: its gas is counted against both. */
type Asker = { readonly wallet: string; readonly from?: string }
type Known = { readonly agentId: number; readonly txHash: string | null; readonly fresh: boolean }

/** The identities of wallets. Of several callers of one wallet in this process one asks, the others wait for it. */
export interface Identities {
  /**
   * The caller's agent id on the identity network: stored, read from the registry, or registered now when the
   * deployment does that. @throws identity_required, identity_check_unavailable, REGISTRATION_FAILED
   */
  ensureIdentity(wallet: string): Promise<number>
  /**
   * The same without registering: null where an act would register it. @throws identity_required where the deployment
   * registers nobody, identity_check_unavailable
   */
  findIdentity(wallet: string): Promise<number | null>
  /** The stored agent id only; never asks the chain. */
  knownIdentity(wallet: string): Promise<number | null>
  registerIdentity(caller: WalletCaller, input: Profile & { readonly network: string | null }): Promise<Registration>
}

export function createIdentities(deps: MarketParts): Identities & Pick<MarketDeps, 'identified'> {
  const underWay = new Map<string, Promise<Known | 'pending'>>()

  const once = (network: string, asker: Asker, profile: Profile): Promise<Known | 'pending'> => {
    const key = `${network}:${asker.wallet}`
    const running = underWay.get(key)
    if (running !== undefined) return running
    const asked = identify(deps, network, asker, profile).finally(() => underWay.delete(key))
    underWay.set(key, asked)
    return asked
  }
  const ensure = async (asker: Asker): Promise<number> => {
    const network = deps.settings.identityNetwork
    const stored = await deps.store.identity(network, asker.wallet)
    if (stored !== null) return stored.agentId
    if (!deps.settings.autoRegister) return foundOrRefused(deps, asker.wallet)
    const known = await once(network, asker, { name: null, description: null })
    // A mint on its way is a matter of seconds: the same request is right then.
    if (known === 'pending') throw new MarketError('identity_check_unavailable', { wallet: asker.wallet, network })
    return known.agentId
  }

  return {
    ensureIdentity: (wallet) => ensure({ wallet }),
    async findIdentity(wallet) {
      const { autoRegister, identityNetwork } = deps.settings
      const stored = await deps.store.identity(identityNetwork, wallet)
      if (stored !== null) return stored.agentId
      return autoRegister ? null : foundOrRefused(deps, wallet)
    },
    async identified(caller) {
      return caller.owesIdentity === true && caller.agentId === null
        ? { ...caller, agentId: await ensure(caller) }
        : caller
    },
    async knownIdentity(wallet) {
      return (await deps.store.identity(deps.settings.identityNetwork, wallet))?.agentId ?? null
    },
    async registerIdentity(caller, input) {
      const network = networkNamed(deps.networks, input.network ?? deps.settings.identityNetwork).name
      const stored = await deps.store.identity(network, caller.wallet)
      if (stored !== null) return { wallet: caller.wallet, network, ...stored, state: 'already_registered' }
      const known = await once(network, caller, input)
      if (known === 'pending') return { wallet: caller.wallet, network, agentId: null, txHash: null, state: 'pending' }
      return {
        wallet: caller.wallet,
        network,
        agentId: known.agentId,
        txHash: known.txHash,
        state: known.fresh ? 'registered' : 'already_registered',
      }
    },
  }
}

async function foundOrRefused(deps: MarketParts, wallet: string): Promise<number> {
  const network = deps.settings.identityNetwork
  const found = await deps.identities.lookup(network, wallet)
  if (found === null)
    throw new MarketError('identity_required', { wallet, network, register_endpoint: '/api/v1/reputation/register' })
  await deps.store.putIdentity(network, wallet, { agentId: found, txHash: null }, deps.clock.now())
  return found
}

/** Asks the registry; an unknown wallet is registered gaslessly (spec §1.12). */
async function identify(
  deps: MarketParts,
  network: string,
  { wallet, from }: Asker,
  profile: Profile,
): Promise<Known | 'pending'> {
  const found = await deps.identities.lookup(network, wallet)
  const now = deps.clock.now()
  if (found !== null) {
    await deps.store.putIdentity(network, wallet, { agentId: found, txHash: null }, now)
    return { agentId: found, txHash: null, fresh: false }
  }
  const minted = await deps.identities.register({
    network,
    wallet,
    ...(profile.name === null ? {} : { name: profile.name }),
    ...(profile.description === null ? {} : { description: profile.description }),
    ...(from === undefined ? {} : { from }),
    key: `register:${network}:${wallet}`,
  })
  if (minted === 'pending') return 'pending'
  const owner = await ownerOfNew(deps.identities, { network, wallet, agentId: minted.agentId })
  if (owner === 'unseen') return 'pending'
  // Under its key a wallet is registered once: nobody collects agents at our cost.
  if (owner === 'another')
    throw new MarketError(
      'REGISTRATION_FAILED',
      { wallet, network, given_away: minted.agentId },
      {
        message:
          'The agent that was registered for this wallet belongs to another now. Register at the registry itself.',
      },
    )
  await deps.store.putIdentity(network, wallet, minted, now)
  return { ...minted, fresh: true }
}
