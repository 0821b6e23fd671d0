import { randomUUID } from 'node:crypto'
import { eventApiVersion, events, type EventName } from '@ergon/contract'

type Schema = {
  readonly type?: string
  readonly format?: string
  readonly const?: unknown
  readonly enum?: readonly unknown[]
  readonly pattern?: string
  readonly anyOf?: readonly Schema[]
  readonly properties?: Readonly<Record<string, Schema>>
  readonly minimum?: number
}

/** An event that never happened, of the shape that the catalogue gives. */
export function sampleEvent(
  type: EventName,
  data: Readonly<Record<string, unknown>> = {},
): { readonly id: string } & Readonly<Record<string, unknown>> {
  const id = randomUUID()
  // A sample of an object schema is an object; a test holds every sample against its own schema.
  const made = sampleOf(events[type].data) as Readonly<Record<string, unknown>>
  return {
    id,
    type,
    created_at: new Date().toISOString(),
    data: { ...made, ...data },
    metadata: { api_version: eventApiVersion, idempotency_key: id },
  }
}

const texts = [randomUUID(), `0x${'ab'.repeat(20)}`, `0x${'cd'.repeat(32)}`, new Date().toISOString(), 'example']

function sampleOf(schema: Schema): unknown {
  if (schema.const !== undefined) return schema.const
  if (schema.enum !== undefined) return schema.enum[0]
  if (schema.anyOf !== undefined) return sampleOf(schema.anyOf.find(({ type }) => type !== 'null') ?? {})
  if (schema.type === 'object')
    return Object.fromEntries(Object.entries(schema.properties ?? {}).map(([name, one]) => [name, sampleOf(one)]))
  if (schema.type === 'array') return []
  if (schema.type === 'boolean') return false
  if (schema.type === 'number' || schema.type === 'integer') return Math.max(1, schema.minimum ?? 0)
  const { format, pattern } = schema
  if (format === 'date-time') return new Date().toISOString()
  return pattern === undefined ? 'example' : (texts.find((text) => new RegExp(pattern).test(text)) ?? 'example')
}
