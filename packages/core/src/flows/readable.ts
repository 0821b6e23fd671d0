import { MarketError } from '../errors.ts'

const unread: ReadonlySet<string> = new Set(['CHAIN_UNAVAILABLE', 'NETWORK_NOT_ACCEPTED'])

/** Null when the chain cannot be read, or is not served any more: what cannot be seen proves nothing. */
export async function readable<T>(read: () => Promise<T>): Promise<T | null> {
  try {
    return await read()
  } catch (error) {
    if (error instanceof MarketError && unread.has(error.code)) return null
    throw error
  }
}
