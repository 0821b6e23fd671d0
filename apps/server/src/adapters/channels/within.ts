import { MarketError } from '@ergon/core'
import { LedgerUnavailable } from '@ergon/solana-ledger'

/** Several nodes are asked in turn, each with a patience of its own; a caller is not kept for all of them. */
export const patienceMs = 8_000

/** Reads the ledger while a caller waits. @throws MarketError with the code when it cannot be read in time */
export async function readWithin<T>(
  read: () => Promise<T>,
  code: 'channel_unreadable' | 'WORKER_USDC_ATA_UNVERIFIABLE',
  waitMs: number,
): Promise<T> {
  const { promise: late, reject } = Promise.withResolvers<never>()
  const signal = AbortSignal.timeout(waitMs)
  const give = (): void => {
    reject(new LedgerUnavailable('the cluster takes too long'))
  }
  signal.addEventListener('abort', give)
  try {
    return await Promise.race([read(), late])
  } catch (cause) {
    if (cause instanceof LedgerUnavailable) throw new MarketError(code, {}, { cause })
    throw cause
  } finally {
    signal.removeEventListener('abort', give)
  }
}
