import type { Hex } from '@ergon/protocols'
import type { Intent } from '../store/intents.ts'
import { every } from '../surroundings/surroundings.ts'
import type { TrackerDeps } from './watch.ts'

/** Remembers what has landed, and notices when the chain takes it back or, mined again elsewhere, refuses it. */
export type ReorgWatch = {
  /** `done`: the transaction that did what it was sent for; undefined for one that the chain refused. */
  landed(nonce: number, done?: Hex): void
  /** Every nonce below this has landed; for a minute after the last one that is known better than any node says. */
  floor(): number
  stop(): void
}

const lookEveryMs = 15_000
const rememberMs = 600_000
const certainMs = 60_000
/** A node that answers from another block than the receipt came from is not a reorganisation. */
const settlingMs = 5_000

export function createReorgWatch(
  deps: Pick<TrackerDeps, 'network' | 'chain' | 'store' | 'account' | 'surroundings' | 'onTrouble'>,
  take: (lost: readonly Intent[]) => void,
): ReorgWatch {
  const { chain, store, account, surroundings, onTrouble } = deps
  const seen = new Map<number, number>()
  const shallow = new Map<number, Hex>()
  let stop: (() => void) | undefined
  let floor = 0
  let floorAt = -Infinity

  const forget = (nonce: number): void => {
    seen.delete(nonce)
    shallow.delete(nonce)
  }

  const look = async (): Promise<void> => {
    const now = surroundings.monotonic()
    for (const [nonce, at] of seen) if (now - at > rememberMs) forget(nonce)
    if (seen.size === 0) {
      stop?.()
      stop = undefined
      return
    }
    try {
      const nonce = await chain.accountNonce(account, 'latest')
      const isGone = [...seen].some(([landed, at]) => landed >= nonce && now - at > settlingMs)
      const from = Math.min(isGone ? nonce : Infinity, await refusedSince())
      if (from === Infinity) return
      const lost = await store.reopen(deps.network, account, from)
      if (lost.length > 0)
        onTrouble(
          `${deps.network} has undone some of ${lost.length} settled transactions; they are followed again`,
          undefined,
        )
      take(lost)
    } catch (error) {
      onTrouble('the chain could not be asked for what it may have lost', error)
    }
  }

  /** The first nonce whose transaction was mined again and refused; what is deep enough is looked at no more. */
  const refusedSince = async (): Promise<number> => {
    if (shallow.size === 0) return Infinity
    // To be asked before the receipts: a block that is undone in between is then no deeper than it was.
    const deep = (await chain.head()) - chain.confirmations
    const looked = [...shallow]
    const receipts = await chain.receipts(looked.map(([, transaction]) => transaction))
    const refused = looked.flatMap(([nonce], index) => (receipts[index]?.succeeded === false ? [nonce] : []))
    for (const [index, [nonce]] of looked.entries()) {
      const receipt = receipts[index]
      if (receipt?.succeeded === true && receipt.blockNumber <= deep) shallow.delete(nonce)
    }
    return Math.min(Infinity, ...refused)
  }

  return {
    landed(nonce, done) {
      floorAt = surroundings.monotonic()
      floor = Math.max(floor, nonce + 1)
      seen.set(nonce, floorAt)
      if (done === undefined || chain.confirmations === 0) shallow.delete(nonce)
      else shallow.set(nonce, done)
      stop ??= every(surroundings, lookEveryMs, look)
    },
    floor: () => (surroundings.monotonic() - floorAt < certainMs ? floor : 0),
    stop() {
      stop?.()
    },
  }
}
