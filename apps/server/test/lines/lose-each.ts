import type { Reply } from '../dispatch/send.ts'
import { eventually, type Party } from '../http/live-market.ts'
import { expect } from 'vitest'
import { isAsked, type LineToDatabase } from './line-to-database.ts'

/** A call that can be made again under the same key. */
export type Call = (key: string) => Promise<Reply>
export const keyed =
  (party: Party, method: string, target: string, body?: unknown, headers: Record<string, string> = {}): Call =>
  (key) =>
    party.call(method, target, body, { ...headers, 'x-idempotency-key': key })

/** Sends again, as a client does, until the answer is not that the service cannot say. */
export async function untilAnswered(market: LineToDatabase, call: Call, key: string): Promise<Reply> {
  return eventually(
    async () => {
      const reply = await call(key)
      if (reply.status === 202) await market.live.app.market.duties.reconcile()
      return reply
    },
    ({ status, body }) => status !== 202 && status !== 503 && body.code !== 'IDEMPOTENCY_IN_FLIGHT',
    40_000,
  )
}

/** All that a call may answer whose outcome the service does not know. */
export const honest = new Set(['SERVICE_BUSY', 'OUTCOME_UNKNOWN', 'nonce_store_unavailable', 'IDEMPOTENCY_IN_FLIGHT'])

export type First = { readonly call: Call; readonly key: string; readonly after: number; readonly first: Reply }

/** Makes the call as often as it takes until nothing is left to lose, each time without another answer. */
export async function loseEach(
  market: LineToDatabase,
  name: string,
  prepare: () => Promise<Call>,
): Promise<readonly First[]> {
  const firsts: First[] = []
  for (let after = 0; after <= 60; after += 1) {
    const call = await prepare()
    const key = `lost-${name.replaceAll(' ', '-')}-${String(after)}`
    const loss = market.line.loseAnswer(after, isAsked)
    const first = await call(key)
    loss.forget()
    if (first.status >= 500) {
      const place = [name, after, first.status, honest.has(String(first.body.code))]
      expect(place, JSON.stringify(first.body)).toEqual([name, after, 503, true])
      expect(first.headers['retry-after']).toMatch(/^\d+$/)
    }
    firsts.push({ call, key, after, first })
    if (!loss.hasHappened()) return firsts
    await healed(market)
  }
  throw new Error('it goes on and on')
}

/** What was lost is over: the pool has connections again. */
export async function healed(market: LineToDatabase): Promise<void> {
  await eventually(
    () => market.live.get('/api/v1/tasks'),
    ({ status }) => status === 200,
  )
}
