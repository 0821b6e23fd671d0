import { setTimeout as pause } from 'node:timers/promises'
import type { Stage } from '../storm/stage/stage.ts'

/** Asks each server twice a second what it says about itself, past every line. */
export function watchProbes(stage: Stage): { stop(): Promise<readonly string[]> } {
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
    async stop() {
      abort.abort()
      await running
      return [...said].toSorted()
    },
  }
}

/** Resolves once a server says this of itself, or after so long: a slow machine takes seconds to start it. */
export async function untilSaid(url: string, word: string, limitMs: number): Promise<void> {
  const until = performance.now() + limitMs
  while (performance.now() < until && !(await wordsOf(url)).includes(word)) await pause(250)
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
