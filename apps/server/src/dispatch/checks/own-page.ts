import { MarketError } from '@ergon/core'
import { headerOf, isJson } from '../plan.ts'
import { isRead } from '../request.ts'
import type { Check } from './check.ts'

/**
 * What a browser sends by itself changes nothing unless a page of ours says so, in JSON (decision 0048).
 * @throws ORIGIN_NOT_ALLOWED, UNSUPPORTED_MEDIA_TYPE
 */
export const ownPage: Check = ({ people }, { request, principal }) => {
  if (principal?.via !== 'session' || isRead(request)) return
  if (!people.allows(headerOf(request, 'origin'))) throw new MarketError('ORIGIN_NOT_ALLOWED')
  if (request.method !== 'DELETE' && !isJson(request)) throw new MarketError('UNSUPPORTED_MEDIA_TYPE')
}
