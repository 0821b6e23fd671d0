import type { Body } from './body.ts'
import { headerOf, type HttpRequest } from './exchange.ts'

/** Runs one of several that have the same key at the same time, and answers all of them with what it says. */
export type Together<T> = (key: string, run: () => Promise<T>) => Promise<T>

export function createTogether<T>(): Together<T> {
  const underWay = new Map<string, Promise<T>>()
  return (key, run) => {
    const known = underWay.get(key)
    if (known !== undefined) return known
    const work = run().finally(() => {
      underWay.delete(key)
    })
    underWay.set(key, work)
    return work
  }
}

/** The same bytes under the same terms are one request, however often they are under way. */
export function sameKey(request: HttpRequest, { requestHash }: Body): string {
  const terms = ['idempotency-key', 'settle-before'].map((name) => headerOf(request, name) ?? '')
  return JSON.stringify([request.method, request.path, ...terms, requestHash])
}
