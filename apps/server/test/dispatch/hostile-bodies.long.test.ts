import {
  a2aMethods,
  limits,
  operations,
  toolInput,
  tools,
  type A2aMethod,
  type Operation,
  type Tool,
} from '@ergon/contract'
import fc from 'fast-check'
import process from 'node:process'
import { afterAll, describe, expect, test } from 'vitest'
import { errorAnswer } from '../../src/dispatch/error-body.ts'
import { readJsonObject } from '../../src/dispatch/json-text.ts'
import { createPlanner } from '../../src/dispatch/plan.ts'
import { compileSchemaCheck } from '../../src/dispatch/schema-check.ts'
import { readRpc } from '../../src/transports/a2a/json-rpc.ts'
import { createMethodPlans, createOperationPlans } from '../../src/transports/a2a/plans.ts'
import { decimalArguments } from '../../src/transports/mcp/tool-call.ts'
import { valid, type Schema } from '../http/schema-arbitrary.ts'

/** What one refused request may cost (SECURITY.md). */
const mostCpuMs = 50

const worst = { ms: 0, of: '' }
let refused = 0
afterAll(() => {
  process.stdout.write(
    `hostile bodies: ${String(refused)} refused, the worst took ${worst.ms.toFixed(1)} ms of CPU: ${worst.of}\n`,
  )
})

const most = limits.bodyBytes
const filled = (unit: string, room: number): string => unit.repeat(Math.floor(room / unit.length))
const joined = (item: (index: number) => string, room: number): string => {
  const items: string[] = []
  for (let left = room, index = 0; left > 0; index += 1) {
    const one = item(index)
    items.push(one)
    left -= one.length + 1
  }
  items.pop()
  return items.join(',')
}

/** What it is called, and the text of a JSON value that fills a room. */
type Attack = readonly [string, (room: number) => string]

/** Text of JSON values as large as a body may be, for any field. */
const anywhere: readonly Attack[] = [
  ['nesting', (room) => `${filled('[', room / 2)}${filled(']', room / 2)}`],
  ['nesting that is cut off', (room) => filled('{"a":', room)],
  ['many keys', (room) => `{${joined((index) => `"k${index.toString(36)}":0`, room - 2)}}`],
  ['many objects', (room) => `[${joined(() => '{}', room - 2)}]`],
  ['many numbers', (room) => `[${joined(() => '0', room - 2)}]`],
  ['escapes', (room) => `"${filled('\\u0061', room - 2)}"`],
  ['digits', (room) => filled('9', room)],
]

/** And for a field of this schema. */
function hostile(schema: Schema): readonly Attack[] {
  const kinds = [schema, ...(Array.isArray(schema['anyOf']) ? (schema['anyOf'] as Schema[]) : [])] // members of a union are schemas
  return kinds.flatMap((kind): readonly Attack[] => {
    if (kind['type'] === 'array') {
      const [good] = sample(kind['items'] as Schema) // an array of the contract says what its items are
      const text = JSON.stringify(good)
      return [
        ['equal items', (room: number) => `[${joined(() => text, room - 2)}]`],
        ['nearly equal items', (room: number) => `[${joined((index) => `"a${index.toString(36)}"`, room - 2)}]`],
      ]
    }
    if (kind['type'] === 'string' || 'enum' in kind) {
      const [good] = sample(kind)
      const text = JSON.stringify(good)
      return [
        ['a long text of its pattern', (room: number) => `"${filled(text.slice(1, -1) || 'a', room - 3)} "`],
        ['long text of marks', (room: number) => `"${filled('e\u0301', room / 2)}"`],
      ]
    }
    return []
  })
}

const sample = (schema: Schema): unknown[] => fc.sample(valid(schema, {}), { numRuns: 1, seed: 7 })

/** Every place of a schema that holds a value, with a body that is good but for that value. */
function* places(
  schema: Schema,
  around: (text: string) => string,
  field: string,
  depth: number,
): Generator<readonly [string, Schema, (text: string) => string]> {
  const properties = Object.entries((schema['properties'] ?? {}) as Readonly<Record<string, Schema>>) // an object's properties are schemas
  const required = new Set((schema['required'] ?? []) as readonly string[]) // names
  const base = properties
    .filter(([name]) => required.has(name))
    .map(([name, one]) => [name, JSON.stringify(sample(one)[0])] as const)
  for (const [name, one] of properties) {
    const others = base
      .filter(([other]) => other !== name)
      .map(([other, text]) => `${JSON.stringify(other)}:${text},`)
      .join('')
    const within = (text: string): string => around(`{${others}${JSON.stringify(name)}:${text}}`)
    yield [`${field}${name}`, one, within]
    if (depth > 0) yield* places(one, within, `${field}${name}.`, depth - 1)
    if (depth > 0 && one['items'] !== undefined)
      yield* places(one['items'] as Schema, (text) => within(`[${text}]`), `${field}${name}[].`, depth - 1) // as above
  }
}

function cpuMs(run: () => void): number {
  const before = process.threadCpuUsage()
  run()
  const { user, system } = process.threadCpuUsage(before)
  return (user + system) / 1_000
}

const bytesOf = (text: string): number => Buffer.byteLength(text)

/** Refuses one body at one door; measured again where it was slow, since collecting garbage is nobody's body. */
function measure(title: string, body: string, door: (bytes: Uint8Array) => void): void {
  const bytes = new TextEncoder().encode(body)
  expect(bytes.length, title).toBeLessThanOrEqual(most)
  const codes: string[] = []
  const once = (): number =>
    cpuMs(() => {
      try {
        door(bytes)
      } catch (error) {
        codes.push(errorAnswer(error instanceof Error && 'refused' in error ? error.refused : error, 'id').code)
      }
    })
  let ms = once()
  for (let again = 0; ms > mostCpuMs / 2 && again < 4; again += 1) ms = Math.min(ms, once())
  if (codes.length > 0) refused += 1
  expect(codes, title).not.toContain('INTERNAL')
  if (ms > worst.ms) Object.assign(worst, { ms, of: title })
  expect(ms, title).toBeLessThan(mostCpuMs)
}

function attack(
  title: string,
  schema: Schema,
  wrap: (text: string) => string,
  door: (bytes: Uint8Array) => void,
): void {
  for (const [field, one, within] of places(schema, wrap, '', 2)) {
    const room = most - bytesOf(within('')) - 8
    for (const [kind, make] of hostile(one)) measure(`${title}, ${kind} as ${field}`, within(make(room)), door)
  }
  const [first] = [...places(schema, wrap, '', 0)]
  if (first === undefined) return
  for (const [kind, make] of anywhere)
    measure(`${title}, ${kind} as ${first[0]}`, first[2](make(most - bytesOf(first[2]('')) - 8)), door)
  const room = most - bytesOf(wrap('{}')) - 8
  measure(`${title}, unknown fields`, wrap(`{${joined((index) => `"k${index.toString(36)}":0`, room)}}`), door)
  measure(`${title}, one long name`, wrap(`{"${filled('k', room - 8)}":0}`), door)
}

const requestOf = (body: Uint8Array) => ({
  method: 'POST',
  target: '/',
  headers: [['content-type', 'application/json']] as const,
  body,
  ip: '',
  requestId: 'id',
})

describe('no body that fits costs more than its bound to refuse', () => {
  const planner = createPlanner()
  const rest = Object.entries<Operation>(operations).flatMap(([name, one]) =>
    one.rest
      .filter(({ method }) => method !== 'GET' && method !== 'DELETE')
      .slice(0, 1)
      .map((binding) => [name, one, binding] as const),
  )
  test.each(rest)('%s over REST', (name, operation, binding) => {
    const plan = planner(name, operation, binding)
    const path = Object.fromEntries([...binding.path.matchAll(/\{([a-z_]+)\}/g)].map(([, field = '']) => [field, 'x']))
    attack(
      name,
      operation.input as unknown as Schema,
      (text) => text,
      (bytes) => {
        plan.check(plan.gather(requestOf(bytes), path).input)
      },
    )
  })

  test.each(Object.entries<Tool>(tools))('the tool %s', (name, tool) => {
    const schema = toolInput(tool)
    const check = compileSchemaCheck(schema, true)
    attack(
      name,
      schema as unknown as Schema,
      (text) => `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"${name}","arguments":${text}}}`,
      (bytes) => {
        const { params } = readJsonObject(bytes, decimalArguments, ['params', 'arguments']).value as {
          readonly params: { readonly arguments: Record<string, unknown> }
        } // made so above
        check(params.arguments)
      },
    )
  })

  const methodPlans = createMethodPlans(a2aMethods)
  const operationPlans = createOperationPlans(createPlanner())
  test.each(Object.entries<A2aMethod>(a2aMethods))('the method %s', (name, method) => {
    const schema =
      method.params ?? (method.operation === undefined ? undefined : (operations[method.operation] as Operation).input)
    attack(
      name,
      (schema ?? {}) as unknown as Schema,
      (text) => `{"jsonrpc":"2.0","id":1,"method":"${name}","params":${text}}`,
      (bytes) => {
        const { params } = readRpc(requestOf(bytes))
        const plan =
          method.operation === undefined || method.params !== undefined
            ? methodPlans(name, params)
            : operationPlans(method.operation, params, bytes)
        plan.check(plan.gather(requestOf(bytes), {}).input)
      },
    )
  })
})
