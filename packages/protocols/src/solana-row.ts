import { fromBase58 } from './base58.ts'
import type { Network } from './network.ts'
import { networkTable } from './network-table.ts'
import { ProtocolError } from './protocol-error.ts'

/** Another cluster than the main one: its first block, and the mint that counts as USDC there. Both base58. */
export type SolanaCluster = { readonly genesisHash: string; readonly mint: string }

/** CAIP-2 names a cluster by the first 32 characters of that hash. */
const referenceLength = 32

/**
 * The row of Solana on a cluster: its own id, its own USDC, and nothing that leads to the main network. Without one,
 * the main network's row.
 * @throws ProtocolError `malformed`
 */
export function solanaRow(cluster: SolanaCluster | undefined): Network {
  const main = networkTable.solana
  if (cluster === undefined || cluster.genesisHash === main.genesisHash) {
    if (cluster !== undefined && cluster.mint !== main.tokens['USDC']?.address)
      throw new ProtocolError('malformed', 'the main network has one USDC, and another mint was set')
    return main
  }
  const { genesisHash, mint } = cluster
  if (![genesisHash, mint].every(is32Bytes))
    throw new ProtocolError('malformed', 'a Solana cluster is named by a genesis hash and a mint, 32 bytes in base58')
  const { explorerTxUrl: _, ...row } = main
  const usdc = { symbol: 'USDC', name: 'USD Coin', version: '', decimals: 6, address: mint }
  return {
    ...row,
    title: 'Solana (another cluster)',
    caip2: `solana:${genesisHash.slice(0, referenceLength)}`,
    testnet: true,
    genesisHash,
    tokens: { USDC: usdc },
  }
}

function is32Bytes(text: string): boolean {
  try {
    return fromBase58(text).length === 32
  } catch {
    return false
  }
}
