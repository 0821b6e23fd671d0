import { errorCatalogue } from '@ergon/contract'
import { askedFor, MarketError, type Amount } from '@ergon/core'

/** Reads a payment; each refusal of it (402) names the network and the dollars that were asked for (spec §7). */
export async function namingPrice<T>(asked: Amount, read: () => Promise<T>): Promise<T> {
  try {
    return await read()
  } catch (error) {
    if (!(error instanceof MarketError) || errorCatalogue[error.code].status !== 402) throw error
    const words = error.hasOwnMessage ? { message: error.message } : {}
    throw new MarketError(error.code, { ...error.details, ...askedFor(asked) }, { ...words, cause: error })
  }
}
