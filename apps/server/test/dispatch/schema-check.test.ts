import { a2aMethods, operations, toolInput, tools, type A2aMethod, type Operation, type Tool } from '@ergon/contract'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { Compile } from 'typebox/compile'
import type { TObject } from 'typebox'
import { firstFault } from '../../src/dispatch/first-fault.ts'
import { fields, junk, type Schema } from '../http/schema-arbitrary.ts'

const inputs: readonly (readonly [string, TObject])[] = [
  ...Object.entries<Operation>(operations).map(([name, { input }]) => [name, input] as const),
  ...Object.entries<A2aMethod>(a2aMethods).flatMap(([name, { params }]) =>
    params === undefined ? [] : [[name, params] as const],
  ),
  ...Object.entries<Tool>(tools).map(([name, tool]) => [name, toolInput(tool)] as const),
]
const known = new Set([
  'type',
  'enum',
  'anyOf',
  'minLength',
  'maxLength',
  'pattern',
  'format',
  'minimum',
  'maximum',
  'minItems',
  'maxItems',
  'uniqueItems',
  'items',
  'minProperties',
  'maxProperties',
  'required',
  'properties',
  'patternProperties',
  'additionalProperties',
  'description',
  'default',
  'x-decimal',
])

function* schemasIn(schema: Schema): Generator<Schema> {
  yield schema
  const inside = [
    schema['items'],
    ...Object.values(schema['properties'] ?? {}),
    ...Object.values(schema['patternProperties'] ?? {}),
    ...((schema['anyOf'] ?? []) as unknown[]),
  ] // as JSON Schema has them
  for (const one of inside) if (typeof one === 'object' && one !== null) yield* schemasIn(one as Schema)
}

describe('every input', () => {
  test.each(inputs)(
    '%s uses keywords that the search for the first fault knows, and no list without an end',
    (_name, input) => {
      for (const schema of schemasIn(input as unknown as Schema)) {
        expect(Object.keys(schema).filter((keyword) => !known.has(keyword))).toEqual([])
        if (schema['type'] === 'array') expect(schema['maxItems']).toBeTypeOf('number')
      }
    },
  )

  test.each(inputs)('%s has a first fault exactly where the compiled check refuses it', (_name, input) => {
    const compiled = Compile(input)
    fc.assert(
      fc.property(
        fc.oneof({ weight: 8, arbitrary: fields(input as unknown as Schema, {}) }, { weight: 1, arbitrary: junk }),
        (value) => {
          expect(firstFault(input, value) === null, JSON.stringify(value)).toBe(compiled.Check(value))
        },
      ),
      { numRuns: 60 },
    )
  })
})
