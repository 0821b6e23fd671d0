/** What happened, in order, for whoever reads it. */
export type Trace = {
  readonly line: (atMs: number, text: string) => void
  readonly lines: readonly string[]
}

const nothing: Trace = { line: () => undefined, lines: [] }

/** Most runs are read by nobody: their trace is not kept. */
export function createTrace(isKept: boolean): Trace {
  if (!isKept) return nothing
  const lines: string[] = []
  return {
    lines,
    line(atMs, text) {
      lines.push(`${(atMs / 1_000).toFixed(6).padStart(14)}  ${text}`)
    },
  }
}
