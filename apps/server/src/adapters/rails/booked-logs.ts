import type { ChainLog, Known } from '../chain/log-search.ts'
import type { ServedNetwork } from '../networks.ts'

/** A payer may have moved its payment in a thousand parts; the node is asked for so many receipts at a time. */
const atOnce = 16

/** The logs of each transaction in which something under this key of a payment is booked, as the chain has them now. */
export function bookedLogs(network: ServedNetwork, key: string): Known {
  return async () => {
    const hashes = (await network.booked?.(key)) ?? []
    const logs: ChainLog[] = []
    for (let from = 0; from < hashes.length; from += atOnce) {
      const receipts = await Promise.all(hashes.slice(from, from + atOnce).map((hash) => network.chain.receipt(hash)))
      logs.push(...receipts.flatMap((receipt) => (receipt?.succeeded === true ? receipt.logs : [])))
    }
    return logs
  }
}
