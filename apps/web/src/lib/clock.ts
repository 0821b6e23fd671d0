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
