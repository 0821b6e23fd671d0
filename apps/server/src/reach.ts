import type { Adapters } from './adapters/index.ts'
import type { Reachable } from './api/deps.ts'
import type { Log } from './log.ts'

const reachMs = 2_000

/** Health is asked often; what it stands on is asked at most every two seconds. */
export function createReach(adapters: Adapters): () => Promise<Reachable> {
  let asked: { readonly at: number; readonly answer: Promise<Reachable> } | undefined
  return () => {
    if (asked === undefined || performance.now() - asked.at > reachMs) {
      asked = {
        at: performance.now(),
        answer: adapters.health().then(({ facilitator, chains }) => ({ facilitator, networks: chains })),
      }
    }
    return asked.answer
  }
}

export async function warnOfSilence(reach: () => Promise<Reachable>, log: Log): Promise<void> {
  const reached = await reach().catch(() => ({ facilitator: false, networks: {} }))
  const silent = [
    ...(reached.facilitator ? [] : ['the facilitator']),
    ...Object.entries(reached.networks)
      .filter(([, isUp]) => !isUp)
      .map(([name]) => `the node of ${name}`),
  ]
  if (silent.length > 0) log.warn(`${silent.join(' and ')} cannot be reached; payments wait`)
}
