import { isAddress, lowerAddress } from '@ergon/protocols'
import { openText, sealText } from './digests.ts'
import type { Choice } from './ports.ts'
import type { TextMoment } from './sign-in-text.ts'

/** What a person chose, as the capability to deliver a signature for it: a MAC over all of it (spec §5, OAuth 11). */
export type Delivery = Choice & TextMoment & { readonly rid: string }

type Body = readonly [
  rid: string,
  address: string,
  chainId: number,
  scopes: readonly string[],
  maxCents: string | null,
  maxCount: number | null,
  nonce: string,
  issuedAt: number,
  expiresAt: number,
]

const purpose = 'delivery'
const orderPurpose = 'order delivery'
const mostChars = 4_096

export function sealDelivery(key: Uint8Array, delivery: Delivery): string {
  const { rid, address, chainId, scopes, limits, nonce, issuedAt, expiresAt } = delivery
  const body: Body = [
    rid,
    address,
    chainId,
    scopes,
    limits === null ? null : String(limits.maxCents),
    limits?.maxCount ?? null,
    nonce,
    issuedAt.getTime(),
    expiresAt.getTime(),
  ]
  return sealText(key, purpose, JSON.stringify(body))
}

/** Undefined when it is forged, expired or for another sign-in: from outside these are one. */
export function openDelivery(key: Uint8Array, token: string, rid: string, now: Date): Delivery | undefined {
  const text = token.length > mostChars ? undefined : openText(key, purpose, token)
  if (text === undefined) return undefined
  // Ours: the MAC says so.
  const [ofRid, address, chainId, scopes, maxCents, maxCount, nonce, issuedAt, expiresAt] = JSON.parse(text) as Body
  if (ofRid !== rid || expiresAt <= now.getTime() || !isAddress(address)) return undefined
  return {
    rid,
    address: lowerAddress(address),
    chainId,
    scopes,
    limits: maxCents === null || maxCount === null ? null : { maxCents: BigInt(maxCents), maxCount },
    nonce,
    issuedAt: new Date(issuedAt),
    expiresAt: new Date(expiresAt),
  }
}

/** The capability to deliver the second signature of a sign-in; what is signed follows from the sign-in alone. */
export function sealOrderDelivery(key: Uint8Array, rid: string, expiresAt: Date): string {
  return sealText(key, orderPurpose, JSON.stringify([rid, expiresAt.getTime()]))
}

/** Whether it is ours, in time and for this sign-in. */
export function isOrderDelivery(key: Uint8Array, token: string, rid: string, now: Date): boolean {
  const text = token.length > mostChars ? undefined : openText(key, orderPurpose, token)
  if (text === undefined) return false
  const [ofRid, expiresAt] = JSON.parse(text) as readonly [string, number] // ours: the MAC says so
  return ofRid === rid && expiresAt > now.getTime()
}
