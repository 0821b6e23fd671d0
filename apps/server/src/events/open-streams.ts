import { isScarce, MarketError, seatShares } from '@ergon/core'
import { addressNetworks } from '@ergon/protocols'
import type { RawRequest } from '../dispatch/request.ts'

/** Who holds a stream: a caller, from an address, over a connection. */
export type StreamHolder = { readonly key: string; readonly request: Pick<RawRequest, 'ip' | 'onEnd'> }

export type OpenStreams = {
  /**
   * Counts a stream until its connection ends or the release that it answers is called. @throws RATE_LIMITED,
   * SERVICE_BUSY
   */
  take(holder: StreamHolder): () => void
  /** How many are held. */
  readonly held: number
}

/**
 * Counts the streams that this process holds open: of one caller, of one address whatever it signs with, of its
 * networks, and of all.
 * The connection owns the place: a stream that was admitted and never began has nobody else to give it back.
 */
export function createOpenStreams({
  each,
  perAddress,
  inAll,
}: {
  readonly each: number
  readonly perAddress: number
  readonly inAll: number
}): OpenStreams {
  const counts = new Map<string, number>()
  const shares = seatShares({ ofAddress: perAddress, inAll })
  let all = 0
  const change = (key: string, by: 1 | -1): void => {
    const count = (counts.get(key) ?? 0) + by
    if (count === 0) counts.delete(key)
    else counts.set(key, count)
  }
  return {
    take({ key, request }) {
      if (all >= inAll) throw new MarketError('SERVICE_BUSY')
      const { near, wide } = addressNetworks(request.ip)
      // While half of the seats are taken, an address that holds a few waits (decision 0317).
      const ofAddress = isScarce(all, inAll) ? Math.min(perAddress, shares.few) : perAddress
      const holders: readonly (readonly [string, number])[] = [
        [`caller ${key}`, each],
        [`address ${request.ip}`, ofAddress],
        [`near ${near}`, shares.ofNear],
        [`wide ${wide}`, shares.ofWide],
      ]
      const full = holders.find(([holder, limit]) => (counts.get(holder) ?? 0) >= limit)
      if (full !== undefined) throw new MarketError('RATE_LIMITED', { limit: full[1], remaining: 0 })
      for (const [holder] of holders) change(holder, 1)
      all += 1
      let isHeld = true
      const release = (): void => {
        if (!isHeld) return
        isHeld = false
        all -= 1
        for (const [holder] of holders) change(holder, -1)
      }
      request.onEnd?.(release)
      return release
    },
    get held() {
      return all
    },
  }
}
