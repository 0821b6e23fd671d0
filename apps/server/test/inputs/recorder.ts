import { operations, type Operation, type RestBinding } from '@ergon/contract'
import type { Reply } from '../dispatch/send.ts'
import { routeOf, type Between, type Request, type Send } from '../tour/journal.ts'
import { notPlanted } from './exceptions.ts'
import { change, isFreeText, leaves, nameOf, read, tampered, type Leaf } from './leaves.ts'

/** One request of an operation and its answer, with the way it went. */
export type Recorded = {
  readonly binding: RestBinding
  readonly request: Request
  readonly reply: Reply
  readonly send: Send
}

/** What the calls of a tour show of the fields they carry. */
export type Recorder = {
  readonly between: Between
  callsOf(operation: string): readonly Recorded[]
  /** Canaries that were sent for a field. */
  canariesOf(leaf: Leaf): readonly string[]
  /** Whether a request whose field had been tampered with was refused just before it went through as it was. */
  wasRefused(leaf: Leaf): boolean
  /** Everything that was ever answered. */
  answers(): string
}

const callsKept = 40

/** `signed` names the fields that what was signed depends on: they are tampered with, not planted. */
export function createRecorder(signed: ReadonlySet<string>): Recorder {
  const calls = new Map<string, Recorded[]>()
  const canaries = new Map<string, string[]>()
  const refused = new Set<string>()
  const answers: string[] = []
  let planted = 0

  const plant = (leaf: Leaf, value: unknown): unknown => {
    if (Array.isArray(value)) return value.map((one) => plant({ ...leaf, schema: itemsOf(leaf) }, one))
    if (typeof value !== 'string' || !isFreeText(leaf.schema) || notPlanted.has(nameOf(leaf))) return value
    const canary = `qz${String((planted += 1))}x`
    if (value.length + canary.length + 1 > Number(leaf.schema['maxLength'])) return value
    canaries.set(nameOf(leaf), [...(canaries.get(nameOf(leaf)) ?? []), canary])
    return `${value} ${canary}`
  }

  return {
    callsOf: (operation) => calls.get(operation) ?? [],
    canariesOf: (leaf) => canaries.get(nameOf(leaf)) ?? [],
    wasRefused: (leaf) => refused.has(nameOf(leaf)),
    answers: () => answers.join('\n'),
    async between(given, send) {
      const route = routeOf(given.method, given.target)
      const binding = route === undefined ? undefined : bindingOf(route.name, route.route)
      if (route === undefined || binding === undefined) return send(given)
      let request = given
      for (const leaf of leaves.filter(({ operation }) => operation === route.name)) {
        const value = read({ binding, request }, leaf)
        if (value === undefined || value === null) continue
        if (signed.has(nameOf(leaf))) {
          if (refused.has(nameOf(leaf))) continue
          const other =
            typeof value === 'number'
              ? besides(leaf, value)
              : tampered(typeof value === 'string' ? value : JSON.stringify(value))
          const { status, body } = await send(change({ binding, request }, leaf, other))
          if (status >= 400 && body.code !== 'VALIDATION_FAILED') refused.add(nameOf(leaf))
        } else if (given.method !== 'GET' && given.method !== 'DELETE')
          request = change({ binding, request }, leaf, plant(leaf, value))
      }
      const reply = await send(request)
      answers.push(JSON.stringify(reply.body))
      calls.set(route.name, [...(calls.get(route.name) ?? []), { binding, request, reply, send }].slice(-callsKept))
      return reply
    },
  }
}

const besides = ({ schema }: Leaf, value: number): number => (value === schema['maximum'] ? value - 1 : value + 1)
const itemsOf = ({ schema }: Leaf): Leaf['schema'] => (schema['items'] ?? {}) as Leaf['schema'] // JSON Schema

const bindingOf = (name: string, route: string): RestBinding | undefined =>
  (operations as Readonly<Record<string, Operation>>)[name]?.rest.find(
    ({ method, path }) => `${method} ${path}` === route,
  )
