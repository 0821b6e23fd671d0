import { MarketError } from '../errors.ts'

/** Null when the chain cannot be read: what cannot be seen proves nothing. */
export async function readable<T>(read: () => Promise<T>): Promise<T | null> {
  try {
    return await read()
  } catch (error) {
    if (error instanceof MarketError && error.code === 'CHAIN_UNAVAILABLE') return null
    throw error
  }
}
