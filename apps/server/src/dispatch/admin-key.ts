import { createHash, timingSafeEqual } from 'node:crypto'
import { MarketError } from '@ergon/core'
import { demand, type Limits } from './limits.ts'

/** Compares by digest, so that neither length nor content shows in the time it takes (spec §5.10). */
export function createAdminKeyCheck(adminKey: string | undefined): (given: string | undefined) => boolean {
  const expected = adminKey === undefined || adminKey === '' ? undefined : digest(adminKey)
  return (given) => expected !== undefined && given !== undefined && timingSafeEqual(expected, digest(given))
}

export type AdminDemandDeps = {
  readonly isAdminKey: (given: string | undefined) => boolean
  readonly limits: Pick<Limits, 'adminKeys'>
  readonly now: () => number
}

/** For routes that are no operations; wrong keys of an address are counted with those of operations. */
export function createAdminDemand({
  isAdminKey,
  limits,
  now,
}: AdminDemandDeps): (given: string | undefined, ip: string) => void {
  return (given, ip) => {
    if (isAdminKey(given)) return
    if (given !== undefined) demand(limits.adminKeys.take(ip, now()), now())
    throw new MarketError('INVALID_API_KEY')
  }
}

function digest(text: string): Buffer {
  return createHash('sha256').update(text).digest()
}
