import { MarketError } from '@ergon/core'

/**
 * Failures of which it is certain that nothing was written: the statement was cancelled, or no connection was had.
 * A connection lost under way is none of them: its commit may have been carried out.
 */
const nothingWritten: ReadonlySet<string> = new Set(['57014', '53300', '55P03', '57P03', '40001', '40P01', 'ECONNREFUSED', 'ENOENT'])
const noConnection = 'timeout exceeded when trying to connect'

/** The same object, whose rejections of that kind say SERVICE_BUSY: the caller may send the request again. */
export function sayingBusy<T extends object>(store: T): T {
  return new Proxy(store, {
    get(target, name, receiver): unknown {
      const member: unknown = Reflect.get(target, name, receiver)
      if (typeof member !== 'function') return member
      return async (...args: unknown[]): Promise<unknown> => {
        try {
          return await Reflect.apply(member, target, args)
        } catch (error) {
          throw isBusy(error) ? new MarketError('SERVICE_BUSY', {}, { cause: error }) : error
        }
      }
    },
  })
}

function isBusy(error: unknown): boolean {
  if (!(error instanceof Error)) return false
  return error.message === noConnection || ('code' in error && typeof error.code === 'string' && nothingWritten.has(error.code))
}
