import type { PoolSettings } from './parser-pool.ts'

export type ParserLog = { warn(details: Readonly<Record<string, unknown>>, message: string): void }

/** One definition of what a file of a stranger may cost, whatever it is opened for. */
export function parserLimits({
  processes,
  timeoutMs,
  log,
}: {
  readonly processes: number
  readonly timeoutMs: number
  readonly log?: ParserLog | undefined
}): PoolSettings {
  return {
    script: new URL('./parser.ts', import.meta.url),
    processes,
    timeoutMs,
    heapMib: 96,
    maxWaiting: 1_000,
    maxInLane: 64,
    maxWaitMs: 14_000,
    onEnded: (reason) => {
      log?.warn({ reason }, 'a file was not opened in time or broke its parser')
    },
  }
}
