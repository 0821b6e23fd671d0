import { createAddressSeats, createSeats } from '../dispatch/seats.ts'
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
  const seats = createSeats(inAll, each)
  const addresses = createAddressSeats(inAll, perAddress)
  let all = 0
  return {
    take({ key, request }) {
      using taken = new DisposableStack()
      taken.defer(seats.take(key))
      taken.defer(addresses.take(request.ip))
      const held = taken.move()
      all += 1
      const release = (): void => {
        if (held.disposed) return
        held.dispose()
        all -= 1
      }
      request.onEnd?.(release)
      return release
    },
    get held() {
      return all
    },
  }
}
