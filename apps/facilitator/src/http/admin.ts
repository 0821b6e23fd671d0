import { createHash, timingSafeEqual } from 'node:crypto'
import { Refusal } from '../errors.ts'
import { headerOf, type HttpRequest } from './exchange.ts'

/** Hidden where no token is configured. */
export function requireAdmin(request: HttpRequest, token: string | undefined): void {
  if (token === undefined) throw new Refusal('not_found', 'not_found', { status: 404 })
  const digest = (text: string): Buffer => createHash('sha256').update(text).digest()
  if (!timingSafeEqual(digest(headerOf(request, 'authorization') ?? ''), digest(`Bearer ${token}`)))
    throw new Refusal('unauthorized', 'a valid admin bearer token is required', { status: 401 })
}
