import type { Address } from './bytes.ts'

/** The networks this package knows, by the short name used on the wire. */
export type NetworkName =
  | 'base'
  | 'ethereum'
  | 'polygon'
  | 'arbitrum'
  | 'celo'
  | 'monad'
  | 'avalanche'
  | 'optimism'
  | 'solana'
  | 'localnet'
  | 'base-sepolia'
/** A token with the EIP-712 domain its holders sign under. A Solana address is base58. */
export type Token = {
  readonly symbol: string
  readonly address: string
  readonly name: string
  readonly version: string
  readonly decimals: number
}
/** Where the escrow lives on a network, and which of the two operator ABIs answers there. */
export type EscrowDeployment = {
  readonly escrow: Address
  readonly collector: Address
  readonly operator: Address
  readonly operatorAbi: 'legacy' | 'create3'
  readonly protocolFeeConfig?: Address
}
/** The ERC-8004 registries of a network. */
export type Erc8004Deployment = {
  readonly identity: Address
  readonly reputation: Address
  readonly validation?: Address
  readonly ratingDelegate?: Address
}
/** One row of the network table. Addresses are checksummed; compare with `sameAddress`. */
export type Network = {
  readonly name: NetworkName
  readonly title: string
  readonly caip2: string
  readonly testnet: boolean
  /** Escrowed EIP-3009 payments, or plain SPL transfers. */
  readonly rail: 'escrow' | 'spl-transfer'
  readonly chainId?: number
  /** Base58 hash of a Solana cluster's first block; a node that tells another one is not believed. */
  readonly genesisHash?: string
  readonly escrow?: EscrowDeployment
  readonly tokens: Readonly<Record<string, Token>>
  readonly erc8004?: Erc8004Deployment
  /** Takes new ratings, keeps readable history only, or takes them where the deployment says so (spec §4). */
  readonly ratings: 'selectable' | 'readable' | 'by-flag'
  /**
   * How many blocks have to follow a refusal by the chain before it is the last word: a reorganization of fewer may
   * carry out what was reverted or withdrawn. Without it, `usualConfirmations`; zero on a chain that undoes nothing.
   */
  readonly confirmations?: number
  /** The explorer's address of a transaction, to which the hash is appended. */
  readonly explorerTxUrl?: string
}
