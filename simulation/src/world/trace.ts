import { mix } from './random.ts'

/** What happened, in order. Without readers only a digest of it is kept. */
export type Trace = {
  line(atMs: number, text: string): void
  /** The same for the same events at the same times. */
  digest(): string
  readonly lines: readonly string[]
}

export function createTrace(keepsLines: boolean): Trace {
  const lines: string[] = []
  let hash = 0
  return {
    lines,
    line(atMs, text) {
      hash = mix(hash ^ Math.round(atMs * 1_000), text)
      if (keepsLines) lines.push(`${(atMs / 1_000).toFixed(6).padStart(14)}  ${text}`)
    },
    digest: () => hash.toString(16).padStart(8, '0'),
  }
}
