import type { Eip1193Provider } from '@ergon/sdk'
import { networks } from '@ergon/protocols'
import { askQuietly } from './ask-wallet.ts'
import { codesOf } from './declined.ts'
import { publicNodes } from './public-nodes.ts'

/** The chain id that a wallet says, in hex or as a number; undefined for anything else. */
export function readChainId(said: unknown): number | undefined {
  const id = typeof said === 'string' && /^0x[0-9a-f]{1,13}$/i.test(said) ? Number(said) : said
  return typeof id === 'number' && Number.isSafeInteger(id) && id > 0 ? id : undefined
}

/** The chain a wallet is on; undefined for a wallet that does not say. */
export async function chainOf(provider: Eip1193Provider): Promise<number | undefined> {
  return readChainId(await askQuietly(provider, { method: 'eth_chainId' }))
}

/** EIP-3326: nobody told the wallet of this chain yet. Some put the code under what they wrap. */
function isUnknownChain(cause: unknown): boolean {
  return codesOf(cause).includes(4902)
}

/**
 * Brings a wallet to a chain: asks it to switch, and tells it of the chain where it does not know it yet (EIP-3326,
 * EIP-3085).
 * @throws what the wallet throws; `isDeclined` tells a no from a failure
 */
export async function switchChain(provider: Eip1193Provider, chainId: number): Promise<void> {
  const id = `0x${chainId.toString(16)}`
  try {
    await provider.request({ method: 'wallet_switchEthereumChain', params: [{ chainId: id }] })
  } catch (cause) {
    const added = isUnknownChain(cause) ? addedChain(chainId) : undefined
    if (added === undefined) throw cause
    await provider.request({ method: 'wallet_addEthereumChain', params: [{ chainId: id, ...added }] })
    // Most wallets switch to what was added; the others are asked once more.
    if ((await chainOf(provider)) !== chainId)
      await provider.request({ method: 'wallet_switchEthereumChain', params: [{ chainId: id }] })
  }
}

function addedChain(chainId: number): object | undefined {
  const network = Object.values(networks).find((one) => one.chainId === chainId)
  const node = publicNodes[chainId]
  if (network === undefined || node === undefined) return undefined
  const explorer =
    network.explorerTxUrl === undefined ? {} : { blockExplorerUrls: [new URL(network.explorerTxUrl).origin] }
  return {
    chainName: network.title,
    rpcUrls: [node.url],
    nativeCurrency: { name: node.coin, symbol: node.coin, decimals: 18 },
    ...explorer,
  }
}
