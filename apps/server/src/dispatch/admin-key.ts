import { createHash, timingSafeEqual } from 'node:crypto'

/** Compares by digest, so that neither length nor content shows in the time it takes (spec §5.10). */
export function createAdminKeyCheck(adminKey: string | undefined): (given: string | undefined) => boolean {
  const expected = adminKey === undefined || adminKey === '' ? undefined : digest(adminKey)
  return (given) => expected !== undefined && given !== undefined && timingSafeEqual(expected, digest(given))
}

function digest(text: string): Buffer {
  return createHash('sha256').update(text).digest()
}
