/** A header says whole seconds and has travelled; what differs by less is the same clock. */
const leastMs = 60_000
const held = { aheadMs: 0 }

/**
 * Now by the clock of the service, as far as it was heard: deadlines and what happened are told by it, and the device's
 * may be hours off.
 */
export function serviceNow(): number {
  return Date.now() + held.aheadMs
}

/** Zones mistaken for each other are less apart; a service may stretch what is signed by no more. */
const mostMs = 86_400_000

/**
 * Now, for what is signed and says until when it counts. A device whose zone is set wrongly is hours off; one that is
 * days off is told so, because a service that is believed could have signatures last for years.
 */
export function signingNow(): number {
  return Date.now() + signedAhead(held.aheadMs)
}

/** By how much of a difference what is signed is told. */
export const signedAhead = (aheadMs: number): number => (Math.abs(aheadMs) > mostMs ? 0 : aheadMs)

/** Whether the clock of this device is too far from the service's for anything to be signed. */
export const isDaysOff = (): boolean => signedAhead(held.aheadMs) !== held.aheadMs

/**
 * How far the clock of the service is ahead of one that shows `nowMs`, by the `date` header of an answer; 0 for no
 * header.
 */
export function aheadOf(date: string | null, nowMs: number): number {
  const ahead = Date.parse(date ?? '') - nowMs
  return Number.isNaN(ahead) || Math.abs(ahead) < leastMs ? 0 : ahead
}

/** Fetches, and hears the clock of the service from what no cache keeps. */
export async function hearingFetch(input: string | URL | Request, init?: RequestInit): Promise<Response> {
  const answer = await fetch(input, init)
  if (new URL(answer.url).pathname === '/api/v1/auth/session')
    held.aheadMs = aheadOf(answer.headers.get('date'), Date.now())
  return answer
}
