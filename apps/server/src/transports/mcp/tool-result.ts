import type { CallToolResult } from '@modelcontextprotocol/server'
import type { Served } from '../../dispatch/dispatch.ts'
import { fitted } from './fitted.ts'

type Json = Readonly<Record<string, unknown>>

/** An answer as structured content, and as text for clients that know none. */
export function toolResult(served: Served, beside: Json = {}): CallToolResult {
  // Bodies of operations that are tools are objects.
  const whole = { ...(served.body as Json), ...beside }
  // What is to be signed is never changed: it comes with a refusal.
  const body = served.code === null ? fitted(whole) : whole
  const result = { content: [{ type: 'text' as const, text: JSON.stringify(body) }], structuredContent: body }
  if (served.code !== null) return { ...result, isError: true }
  return served.status === 202 ? { ...result, _meta: inFlight } : result
}

/** What REST says by 202 and Retry-After: wait and read, never resend (spec §7). */
const inFlight = Object.freeze({ 'ergon/status': 202, 'ergon/retry_after_sec': 2 })
