import { mintTestUsd } from '@ergon/contracts'
import { lowerAddress } from '@ergon/protocols'
import type { Narrator } from './narrator.ts'
import type { Wallets } from './play.ts'

/** Gives the publisher of two wallets in memory its test dollars, and says so. */
export function fundPublisher({
  publisher,
  worker,
}: Wallets): (narrator: Narrator, rpcUrl: string, atomic: bigint) => Promise<void> {
  return async (narrator, rpcUrl, atomic) => {
    await mintTestUsd(rpcUrl, lowerAddress(publisher.address), atomic)
    narrator.step('Two fresh wallets; the faucet gives the publisher test dollars, and neither has any ETH')
    narrator.detail('publisher', publisher.address)
    narrator.detail('worker', worker.address)
  }
}
