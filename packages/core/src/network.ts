import { isClosedNetwork } from '@ergon/contract/facts'
import { MarketError } from './errors.ts'
import type { Asset } from './money/amount.ts'

/** What the domain needs to know of a payment network; the server builds it from the network table. */
export type MarketNetwork = {
  readonly name: string
  readonly caip2: string
  readonly chainId: number | null
  readonly hasEscrow: boolean
  readonly tokens: Readonly<Record<string, { readonly address: string; readonly decimals: number }>>
  readonly takesRatings: boolean
  /** Pays a bounty in one transaction at approval, whatever the payment mode is elsewhere (decision 0151). */
  readonly paysInOne?: boolean
  /** Its money is made up, so its operator may move the time of a task (decision 0172). */
  readonly isLocal?: boolean
}

/** @throws NETWORK_NOT_ACCEPTED when the deployment does not serve it. */
export function networkNamed(networks: readonly MarketNetwork[], name: string): MarketNetwork {
  const network = networks.find((one) => one.name === name)
  if (network === undefined)
    throw new MarketError('NETWORK_NOT_ACCEPTED', { network: name, accepted: networks.map((one) => one.name) })
  return network
}

/**
 * Of which network's chain words are about a payment on it: its own, or, where it knows nothing of the wallets of
 * accounts, the one that comes first here.
 */
export function signedOn(
  { networks, settings }: Served & { readonly settings: { readonly preferredNetwork: string } },
  network: string,
): string {
  const hasChainId = networks.some(({ name, chainId }) => name === network && chainId !== null)
  return hasChainId ? network : settings.preferredNetwork
}

type Served = { readonly networks: readonly MarketNetwork[] }

/** @throws NETWORK_CLOSED where the operator lets nothing new begin */
export function requireOpenNetwork(
  {
    networks,
    settings,
  }: {
    readonly networks: readonly MarketNetwork[]
    readonly settings: { readonly closedNetworks?: readonly string[] }
  },
  name: string,
): void {
  const { closedNetworks = [] } = settings
  if (!isClosedNetwork(closedNetworks, name)) return
  const open = networks.map((one) => one.name).filter((one) => !isClosedNetwork(closedNetworks, one))
  throw new MarketError('NETWORK_CLOSED', { network: name, open })
}

/** @throws TOKEN_NOT_ACCEPTED when the token is not available there. */
export function assetOn(network: MarketNetwork, symbol: string): Asset {
  const token = network.tokens[symbol]
  if (token === undefined)
    throw new MarketError('TOKEN_NOT_ACCEPTED', {
      network: network.name,
      token: symbol,
      accepted: Object.keys(network.tokens),
    })
  return { symbol, network: network.name, decimals: token.decimals }
}
