/**
 * A public node of each chain and its coin, for wallets that do not know the chain; the wallet shows both before it
 * takes them. They are viem's, and the test says so: its chains themselves would bring 30 kB with them.
 */
export const publicNodes: Readonly<Record<number, { readonly url: string; readonly coin: string }>> = {
  1: { url: 'https://ethereum.reth.rs/rpc', coin: 'ETH' },
  10: { url: 'https://mainnet.optimism.io', coin: 'ETH' },
  137: { url: 'https://polygon.drpc.org', coin: 'POL' },
  143: { url: 'https://rpc.monad.xyz', coin: 'MON' },
  8_453: { url: 'https://mainnet.base.org', coin: 'ETH' },
  42_161: { url: 'https://arb1.arbitrum.io/rpc', coin: 'ETH' },
  42_220: { url: 'https://forno.celo.org', coin: 'CELO' },
  43_114: { url: 'https://api.avax.network/ext/bc/C/rpc', coin: 'AVAX' },
  84_532: { url: 'https://sepolia.base.org', coin: 'ETH' },
}
