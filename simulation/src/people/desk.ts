import { MarketError, type Market } from '@ergon/core'
import type { Servers } from '../parts/server.ts'
import type { Host } from '../world/host.ts'
import { LineFault } from '../world/network.ts'
import type { Random } from '../world/random.ts'
import type { Universe } from '../world/universe.ts'

/** What a request came to, as its client knows it. */
export type Reply<T> =
  | { readonly kind: 'done'; readonly value: T }
  | { readonly kind: 'refused'; readonly code: string }
  | { readonly kind: 'unclear' }

/** Where people speak with the marketplace: any of its processes. */
export type Desk = {
  ask<T>(label: string, request: (market: Market) => Promise<T>): Promise<Reply<T>>
  /** Asks until there is an answer; null when there is none for a very long time. */
  insist<T>(
    label: string,
    request: (market: Market) => Promise<T>,
  ): Promise<Exclude<Reply<T>, { kind: 'unclear' }> | null>
  pause(ms: number): Promise<void>
}

const timeoutMs = 30_000
const most = 200

/** Codes that ask for another attempt, and say nothing about the matter. */
const passing = new Set(['SERVICE_BUSY', 'CHAIN_UNAVAILABLE', 'RATE_LIMITED'])

export function createDesk(
  universe: Universe,
  servers: Servers,
  hosts: readonly [Host, ...Host[]],
  random: Random,
): Desk {
  const { lines, scheduler, note } = universe
  const pause = (ms: number): Promise<void> =>
    new Promise((resolve) => {
      scheduler.after(ms, null, 'a person waits', resolve)
    })
  const ask: Desk['ask'] = async (label, request) => {
    const host = random.pick(hosts)
    try {
      const value = await lines.exchange({
        label,
        from: null,
        to: host,
        timeoutMs,
        isOnce: true,
        async handle(life) {
          const market = servers.marketOf(life)
          if (market === null) throw new LineFault('refused', false)
          return request(market)
        },
      })
      note(`${label}: done`)
      return { kind: 'done', value }
    } catch (error) {
      if (error instanceof MarketError) {
        note(`${label}: ${error.code}`)
        return passing.has(error.code) ? { kind: 'unclear' } : { kind: 'refused', code: error.code }
      }
      // A line that broke, or an answer of 500 or 503: nothing is known.
      note(`${label}: ${error instanceof Error ? error.message : String(error)}`)
      return { kind: 'unclear' }
    }
  }
  return {
    ask,
    pause,
    async insist(label, request) {
      for (let attempt = 1; attempt <= most; attempt += 1) {
        const reply = await ask(label, request)
        if (reply.kind !== 'unclear') return reply
        await pause(random.between(200, 1_000) * Math.min(attempt, 8))
      }
      universe.violate(`${label}: no answer in ${String(most)} attempts`)
      return null
    },
  }
}
