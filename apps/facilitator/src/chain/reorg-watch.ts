import type { Intent } from '../store/intents.ts'
import { every } from '../surroundings/surroundings.ts'
import type { TrackerDeps } from './watch.ts'

/** Remembers which nonces have landed, and notices when the chain takes one back. */
export type ReorgWatch = {
  landed(nonce: number): void
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
  let stop: (() => void) | undefined
  let floor = 0
  let floorAt = -Infinity

  const look = async (): Promise<void> => {
    const now = surroundings.monotonic()
    for (const [nonce, at] of seen) if (now - at > rememberMs) seen.delete(nonce)
    if (seen.size === 0) {
      stop?.()
      stop = undefined
      return
    }
    try {
      const nonce = await chain.accountNonce(account, 'latest')
      if (![...seen].some(([landed, at]) => landed >= nonce && now - at > settlingMs)) return
      const lost = await store.reopen(deps.network, account, nonce)
      if (lost.length > 0)
        onTrouble(`${deps.network} has lost ${lost.length} settled transactions; they are sent again`, undefined)
      take(lost)
    } catch (error) {
      onTrouble('the chain could not be asked for what it may have lost', error)
    }
  }

  return {
    landed(nonce) {
      floorAt = surroundings.monotonic()
      floor = Math.max(floor, nonce + 1)
      seen.set(nonce, floorAt)
      stop ??= every(surroundings, lookEveryMs, look)
    },
    floor: () => (surroundings.monotonic() - floorAt < certainMs ? floor : 0),
    stop() {
      stop?.()
    },
  }
}
