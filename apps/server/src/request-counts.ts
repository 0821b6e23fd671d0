import { a2aPath, operations, tools } from '@ergon/contract'
import { createHttpCounts, samplesBy, type ToldOf } from '@ergon/process'
import type { figures } from './figures.ts'
import type { RequestLine } from './transports/rest.ts'

export type RequestCounts = {
  note(line: Pick<RequestLine, 'op' | 'path' | 'method' | 'status' | 'ms' | 'code'>): void
  /** An approval by a token that was refused because it could not be counted. */
  noteUncounted(): void
  told(): ToldOf<typeof figures>
}

/** Counts requests as the log has them. Names and codes come out of the contract, so there is a bounded number. */
export function createRequestCounts(): RequestCounts {
  const known: ReadonlySet<string> = new Set([...Object.keys(operations), ...Object.keys(tools)])
  const http = createHttpCounts()
  const codes = new Map<string, number>()
  let uncounted = 0
  // Methods of messages and names of tools are as their callers wrote them.
  const nameOf = ({ op, path, method }: Pick<RequestLine, 'op' | 'path' | 'method'>): string =>
    known.has(op) ? op : path === a2aPath ? 'a2a' : method === 'TOOL' ? 'mcp' : op
  return {
    note(line) {
      http.note(nameOf(line), line.status, line.ms)
      if (line.code !== undefined) codes.set(line.code, (codes.get(line.code) ?? 0) + 1)
    },
    noteUncounted() {
      uncounted += 1
    },
    told: () => ({
      ...http.told(),
      ergon_http_refusals_total: samplesBy('code', codes),
      ergon_approval_budget_unavailable_total: uncounted,
    }),
  }
}
