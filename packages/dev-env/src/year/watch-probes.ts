import { setTimeout as pause } from 'node:timers/promises'
import type { Stage } from '../storm/stage/stage.ts'

/** What the servers of a stage say of themselves while a part of a year is played. */
export type Probes = {
  /** Resolves once one of them has said this, or after so long: a slow machine takes seconds to start it. */
  until(word: string, limitMs: number): Promise<void>
  /** @returns all that was said. */
  stop(): Promise<readonly string[]>
}

/** Asks each server twice a second what it says about itself, past every line. */
export function watchProbes(stage: Stage): Probes {
  const said = new Set<string>()
  const abort = new AbortController()
  const servers = [...stage.members].filter(([name]) => name.startsWith('server')).map(([, { url }]) => url)
  const run = async (): Promise<void> => {
    while (!abort.signal.aborted) {
      for (const words of await Promise.all(servers.map(wordsOf))) for (const word of words) said.add(word)
      await pause(500)
    }
  }
  const running = run()
  return {
    async until(word, limitMs) {
      const end = performance.now() + limitMs
      while (performance.now() < end && !said.has(word)) await pause(250)
    },
    async stop() {
      abort.abort()
      await running
      return [...said].toSorted()
    },
  }
}

async function wordsOf(url: string): Promise<readonly string[]> {
  try {
    const response = await fetch(`${url}/readyz`, { signal: AbortSignal.timeout(1_000) })
    const answer = (await response.json()) as { readonly reasons?: readonly string[] } // as the probe is documented
    return answer.reasons ?? []
  } catch {
    return ['no answer']
  }
}
