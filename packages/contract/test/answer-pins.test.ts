import { expect, test } from 'vitest'
import { operations, type Operation } from '../src/index.ts'
import pinned from './answer-pins.json' with { type: 'json' }

/**
 * `answer-pins.json` is what an object of an answer always has, one line each. A page that was just loaded may be
 * asking a server of the version before (decision 0306): what comes to an object that readers know is `optional`, and
 * no line changes. A line is added for an object that is new.
 */

type Schema = {
  readonly properties?: Readonly<Record<string, Schema>>
  readonly required?: readonly string[]
  readonly items?: Schema
  readonly patternProperties?: Readonly<Record<string, Schema>>
} & Readonly<Partial<Record<'anyOf' | 'oneOf' | 'allOf', readonly Schema[]>>>

function objectsIn(schema: Schema): readonly string[] {
  const { properties = {}, required = [], items, patternProperties = {}, anyOf = [], oneOf = [], allOf = [] } = schema
  const within = [
    ...Object.values(properties),
    ...Object.values(patternProperties),
    ...(items === undefined ? [] : [items]),
    ...[...anyOf, ...oneOf, ...allOf],
  ]
  return [...(required.length === 0 ? [] : [required.toSorted().join(' ')]), ...within.flatMap(objectsIn)]
}

test('what comes to an answer that readers know may be left out', () => {
  const all: readonly Operation[] = Object.values(operations)
  const now = new Set(all.flatMap(({ output }) => objectsIn(output as Schema))) // JSON schemas, as typebox makes them
  expect([...now].toSorted()).toEqual(pinned)
})
