import type { Hex } from '@ergon/protocols'

/** One log of a chain and where it lies. */
export type ChainLog = {
  readonly address: string
  readonly topics: readonly Hex[]
  readonly data: string
  readonly transactionHash: Hex
  readonly blockNumber: bigint
  readonly logIndex: number
}
