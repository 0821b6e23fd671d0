import type { ChainLogs } from '../ports/chain-logs.ts'
import type { DirectPayment } from '../escrow/direct-payment.ts'
import type { Sights } from './fake-sights.ts'

const spentBy = ({ token, from, nonce }: DirectPayment) => ({ token, payer: from, nonce })

/** The logs of a fake chain as a node answers them. `readable` throws while no node answers. */
export function createFakeLogs(
  { movements, landings, distributions, locks }: Sights,
  chain: {
    readonly head: () => bigint
    readonly now: () => Date
    readonly sentByFacilitator: (txHash: string) => boolean
    readonly readable: () => void
  },
): ChainLogs {
  return {
    depth: 4,
    async head() {
      await Promise.resolve()
      chain.readable()
      return { number: chain.head(), at: chain.now() }
    },
    async window(from, to, payers) {
      await Promise.resolve()
      chain.readable()
      const within = ({ blockNumber }: { readonly blockNumber: bigint }): boolean =>
        blockNumber >= from && blockNumber <= to
      return {
        through: { number: to, at: chain.now() },
        movements: movements.filter(within).map((one) => ({
          ...one,
          operator: one.kind === 'authorized' || one.kind === 'charged' ? 'ours' : null,
          lock: one.kind === 'authorized' ? (locks.get(one.hash) ?? null) : null,
        })),
        distributions: distributions.filter(within),
        spent: landings
          .filter(within)
          .flatMap(({ order, txHash, blockNumber, logIndex }) =>
            order.kind === 'charge' && payers.includes(order.transfer.from)
              ? [{ txHash, blockNumber, logIndex, ...spentBy(order.transfer) }]
              : [],
          ),
      }
    },
    async sentByFacilitator(txHashes) {
      await Promise.resolve()
      return new Set(txHashes.filter((hash) => chain.sentByFacilitator(hash)))
    },
    async placeOf(movement) {
      await Promise.resolve()
      chain.readable()
      const place = movements.find(
        ({ txHash, hash, kind, atomic }) =>
          txHash === movement.txHash && hash === movement.hash && kind === movement.kind && atomic === movement.atomic,
      )
      return place === undefined ? null : { blockNumber: place.blockNumber, logIndex: place.logIndex }
    },
  }
}
