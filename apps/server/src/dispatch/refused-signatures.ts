import { createRateLimiter, type RateVerdict } from './rate-limit.ts'
import type { RawRequest } from './request.ts'

/** What a signed request says it is, before anybody knows: where it comes from and which account it names. */
type Claim = { readonly ip: string; readonly account: string }

/** Counts signatures that were refused, so that forging costs the forger and nobody else (decision 0090). */
export type RefusedSignatures = {
  /**
   * Whether a claim is looked at: not when it, or unproven claims of its address, failed too often; always, and null,
   * for who proved it lately.
   */
  look(claim: Claim, now: number): RateVerdict | null
  failed(claim: Claim, now: number): void
  proved(claim: Claim, now: number): void
  /** How many requests were not looked at. */
  refusals(): number
}

const minuteMs = 60_000
/** An address may fail this many times as often as one account that it names. */
const claimsOfAddress = 10
const provenMs = 60 * minuteMs
const maxProven = 50_000

/**
 * `perMinute` failures of one account at one address, ten times as many of one address over all accounts. Whoever
 * proved an account from there within the hour is always listened to: a neighbour who forges spends nothing of theirs.
 */
export function createRefusedSignatures(perMinute: () => number): RefusedSignatures {
  const ofClaim = createRateLimiter(perMinute, minuteMs)
  const ofAddress = createRateLimiter(() => claimsOfAddress * perMinute(), minuteMs)
  const proven = new Map<string, number>()
  return {
    look(claim, now) {
      if ((proven.get(keyOf(claim)) ?? 0) > now) return null
      const verdict = ofClaim.peek(keyOf(claim), now)
      return verdict.allowed ? ofAddress.peek(claim.ip, now) : verdict
    },
    failed(claim, now) {
      if ((proven.get(keyOf(claim)) ?? 0) > now) return
      ofClaim.take(keyOf(claim), now)
      ofAddress.take(claim.ip, now)
    },
    proved(claim, now) {
      const key = keyOf(claim)
      proven.delete(key)
      proven.set(key, now + provenMs)
      const [oldest] = proven.size > maxProven ? proven.keys() : []
      if (oldest !== undefined) proven.delete(oldest)
    },
    refusals: () => ofClaim.refusals() + ofAddress.refusals(),
  }
}

const keyOf = ({ ip, account }: Claim): string => `${ip} ${account}`

const keyid = /;\s*keyid="erc8128:([0-9]{1,16}:0x[0-9a-fA-F]{40})"/

/** Null where nothing claims a signature; what names no account is one claim of its address. */
export function claimOf({ headers, ip }: Pick<RawRequest, 'headers' | 'ip'>): Claim | null {
  const input = headers.find(([name]) => name.length === 15 && name.toLowerCase() === 'signature-input')
  if (input === undefined && !headers.some(([name]) => name.length === 9 && name.toLowerCase() === 'signature'))
    return null
  return { ip, account: keyid.exec(input?.[1] ?? '')?.[1]?.toLowerCase() ?? '' }
}
