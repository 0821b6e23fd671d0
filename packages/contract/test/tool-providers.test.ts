import { describe, expect, test } from 'vitest'
import { toolDocument, tools, type Tool } from '../src/index.ts'

/**
 * What providers of models take as a function (decision 0323). One tool that breaks a rule has the whole request
 * refused, with every other tool in it.
 */
type Schema = {
  readonly type?: unknown
  readonly properties?: Readonly<Record<string, Schema>>
  readonly items?: Schema
  readonly required?: readonly string[]
  readonly enum?: readonly unknown[]
  readonly format?: unknown
}

/** The words that the strictest of them reads, Gemini before it took JSON schemas. */
const words = new Set([
  'type',
  'description',
  'properties',
  'required',
  'items',
  'enum',
  'format',
  'minimum',
  'maximum',
  'default',
])
const types = ['object', 'array', 'string', 'number', 'integer', 'boolean']

function faultsOf(schema: Schema, at: string): readonly string[] {
  const { type, properties, items, required = [], enum: values, format } = schema
  const faults = Object.keys(schema).flatMap((word) => (words.has(word) ? [] : [`${at} says ${word}`]))
  if (!types.includes(String(type))) faults.push(`${at} is of no one type`)
  if (type === 'object' && Object.keys(properties ?? {}).length === 0) faults.push(`${at} is an object without fields`)
  if (type === 'array' && items === undefined) faults.push(`${at} is a list of nothing`)
  if (type !== 'object' && (properties !== undefined || required.length > 0))
    faults.push(`${at} has fields and is none`)
  if (values !== undefined && (type !== 'string' || !values.every((one) => typeof one === 'string' && one !== '')))
    faults.push(`${at} is a list of other words than texts`)
  if (format !== undefined && format !== 'date-time') faults.push(`${at} has another format than date-time`)
  for (const name of required)
    if (!Object.hasOwn(properties ?? {}, name)) faults.push(`${at} needs ${name}, which is not there`)
  for (const [name, one] of Object.entries(properties ?? {})) faults.push(...faultsOf(one, `${at}.${name}`))
  return items === undefined ? faults : [...faults, ...faultsOf(items, `${at}[]`)]
}

test('there are no more tools than a request may have', () => {
  expect(Object.keys(tools).length).toBeLessThanOrEqual(128)
})

describe.each(Object.entries<Tool>(tools))('%s', (name, tool) => {
  const { description, inputSchema } = toolDocument(name, tool)

  test('has a name and a description that every provider takes', () => {
    expect(name).toMatch(/^[a-z][a-z0-9_]{0,47}$/)
    expect(description.length).toBeLessThanOrEqual(1_024)
  })

  test('takes an object of what every provider reads', () => {
    expect(inputSchema['type']).toBe('object')
    // What takes no argument is given to providers without a schema.
    if (name === 'svc_server_status') return expect(inputSchema).toEqual({ type: 'object', properties: {} })
    expect(faultsOf(inputSchema, name)).toEqual([])
  })
})

test.each<[string, Schema]>([
  ['an object without fields', { type: 'object', properties: { evidence: { type: 'object', properties: {} } } }],
  ['an object without a word of its fields', { type: 'object', properties: { evidence: { type: 'object' } } }],
  ['several types', { type: 'object', properties: { one: { type: ['string', 'null'] } } }],
  ['a union', { type: 'object', properties: { one: { anyOf: [] } as Schema } }],
  ['numbers to choose from', { type: 'object', properties: { one: { type: 'integer', enum: [1, 2] } } }],
  ['a format that is not known everywhere', { type: 'object', properties: { one: { type: 'string', format: 'uri' } } }],
  ['a list of nothing', { type: 'object', properties: { one: { type: 'array' } } }],
])('%s would be told', (_what, schema) => {
  expect(faultsOf(schema, 'it').length).toBeGreaterThan(0)
})
