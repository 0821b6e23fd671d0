import { operation, type HttpMethod, type Operation, type RestBinding } from '@ergon/contract'
import { MarketError } from '@ergon/core'
import * as Type from 'typebox'
import { describe, expect, test } from 'vitest'
import { createPlanner, headerOf, idempotencyKeyOf, isJson, type Planner } from '../../src/dispatch/plan.ts'
import { requestOf } from './one-call.ts'

const optional = <T extends Type.TSchema>(schema: T) => Type.Optional(schema)
const input = Type.Object(
  {
    thing: Type.String(),
    size: optional(Type.Number()),
    count: optional(Type.Integer()),
    is_new: optional(Type.Boolean()),
    price: optional(Type.Number({ 'x-decimal': 6 })),
    tags: optional(Type.Array(Type.String())),
    proof: optional(Type.String()),
    note: optional(Type.String()),
  },
  { additionalProperties: false },
)
const base = { section: 'things', summary: 'A thing.', success: 200, errors: [], output: Type.Object({}) } as const
const path = '/things/{thing}'
const reads: Operation = operation({ ...base, access: { by: 'anyone' }, input, rest: [{ method: 'GET', path }] })
const changes: Operation = operation({
  ...base,
  access: { by: 'wallet', scope: null, unsigned: 401 },
  input,
  resend: 'again',
  rest: [{ method: 'POST', path }],
})

type Given = {
  readonly query?: string
  readonly headers?: readonly (readonly [string, string])[]
  readonly body?: string
  readonly inPath?: Readonly<Record<string, string>>
}
const json = ['Content-Type', 'application/json'] as const

function gathered(method: HttpMethod, { query = '', headers = [], body = '', inPath = { thing: 'gate' } }: Given) {
  const binding: RestBinding = { method, path, headers: { proof: 'X-Proof' } }
  const plan = createPlanner()('things.any', method === 'GET' || method === 'DELETE' ? reads : changes, binding)
  return plan.gather(requestOf({ method, target: `/things/gate${query}`, headers, body }), inPath)
}
const asked = (query: string, more: Given = {}) => gathered('GET', { ...more, query })
const sent = (body: string, more: Given = {}) => gathered('POST', { headers: [json], ...more, body })
const refusal = (read: () => unknown): unknown => {
  try {
    read()
    return null
  } catch (error) {
    return error instanceof MarketError ? [error.code, error.details] : error
  }
}

describe('the fields of a query', () => {
  test.each<[string, object]>([
    ['', {}],
    ['?', {}],
    ['?note=it+is%20red', { note: 'it is red' }],
    ['?note=', { note: '' }],
    ['?size=1.5&count=-2', { size: 1.5, count: -2 }],
    ['?size=01&count=1e3', { size: '01', count: '1e3' }],
    ['?is_new=true', { is_new: true }],
    ['?is_new=false', { is_new: false }],
    ['?is_new=yes&note=true', { is_new: 'yes', note: 'true' }],
    ['?note=12', { note: '12' }],
    ['?tags=red', { tags: ['red'] }],
    ['?tags=red&tags=1', { tags: ['red', '1'] }],
    ['?other=x', { other: 'x' }],
    ['?toString=x', { toString: 'x' }],
  ])('%s', (query, fields) => {
    const { input: read } = asked(query)
    expect({ ...read }).toEqual({ thing: 'gate', ...fields })
  })
  test('have the text of a decimal as it was sent, and of nothing else', () => {
    const { input: read, decimals } = asked('?price=1.50&size=1.50')
    expect([read['price'], { ...decimals }]).toEqual([1.5, { price: '1.50' }])
  })
  test('are named once each, unless they are a list', () => {
    const twice = { field: 'note', constraint: 'given once', received: 'several values' }
    expect(refusal(() => asked('?note=a&note=b'))).toEqual(['VALIDATION_FAILED', twice])
  })
  test('hold no NUL', () => {
    const refused = ['VALIDATION_FAILED', { constraint: 'text without NUL characters' }]
    expect(refusal(() => asked('?note=%00'))).toEqual(refused)
    expect(refusal(() => asked('?tags=%00'))).toEqual(refused)
  })
})

describe('the fields of a body', () => {
  test('are read as they are, with the text of a decimal', () => {
    const { input: read, decimals } = sent('{"size":1,"price":1.50,"tags":["red"]}')
    expect(read).toEqual({ thing: 'gate', size: 1, price: 1.5, tags: ['red'] })
    expect({ ...decimals }).toEqual({ price: '1.50' })
  })
  test('may be left out altogether', () => {
    expect(sent('', { headers: [] }).input).toEqual({ thing: 'gate' })
  })
  test.each([
    ['a body that says it is something else', [['Content-Type', 'text/plain']]],
    ['a body that says nothing', []],
    ['a body in another coding', [json, ['Content-Encoding', 'gzip']]],
  ] as const)('are not read out of %s', (_what, headers) => {
    expect(refusal(() => sent('{}', { headers }))).toEqual(['UNSUPPORTED_MEDIA_TYPE', {}])
  })
  test('are read out of a megabyte, and no more', () => {
    const body = (length: number): string => `{"note":"${'x'.repeat(length - 11)}"}`
    expect(refusal(() => sent(body(1_048_576)))).toBe(null)
    expect(refusal(() => sent(body(1_048_577)))).toEqual(['request_body_too_large', { max_bytes: 1_048_576 }])
  })
})

describe('each part of a request has its fields', () => {
  test('of the path, by their kind', () => {
    expect(asked('', { inPath: {} }).input['thing']).toBe('')
    expect(sent('', { inPath: {} }).input['thing']).toBe('')
  })
  test.each(['GET', 'POST'] as const)('of the headers, where they are sent: %s', (method) => {
    expect(gathered(method, { headers: [['x-proof', 'signed']] }).input['proof']).toBe('signed')
    expect('proof' in gathered(method, {}).input).toBe(false)
  })

  const misplaced = (...fields: readonly string[]) => ['UNKNOWN_FIELD', { fields }]
  test.each<[string, () => unknown, unknown]>([
    ['a query beside a body', () => sent('{"note":"a"}', { query: '?count=1&size=2' }), misplaced('count', 'size')],
    ['a query in the place of a body', () => sent('', { query: '?note=a' }), misplaced('note')],
    ['in a query what is in the path', () => asked('?thing=other'), misplaced('thing')],
    ['in a query what is a header', () => asked('?proof=other'), misplaced('proof')],
    ['in a body what is in the path', () => sent('{"thing":"other"}'), misplaced('thing')],
    ['in a body what is a header', () => sent('{"proof":"other"}'), misplaced('proof')],
    [
      'a list twice beside a body',
      () => sent('', { query: '?tags=a&tags=b' }),
      ['VALIDATION_FAILED', { field: 'tags', constraint: 'given once', received: 'several values' }],
    ],
  ])('and no other has %s', (_what, read, refused) => {
    expect(refusal(read)).toEqual(refused)
  })
  test('and whoever mistakes one is told which', () => {
    expect(() => sent('', { query: '?count=1&size=2' })).toThrow(
      'These fields are in the wrong part of the request: count, size.',
    )
  })
  test('of which twenty are named at most', () => {
    const many = Array.from({ length: 21 }, (_, index) => `f${String(index)}`)
    const query = `?${many.map((name) => `${name}=1`).join('&')}`
    expect(refusal(() => sent('', { query }))).toEqual(misplaced(...many.slice(0, 20)))
  })
})

describe('a header', () => {
  const of = (...headers: (readonly [string, string])[]) => ({ headers })
  test('is found whatever its case, among others of its length', () => {
    expect(headerOf(of(['X-Other', 'no'], ['X-PROOF', 'yes'], ['X-Proof-Of', 'no']), 'x-proof')).toBe('yes')
    expect(headerOf(of(['X-Other', 'no']), 'x-proof')).toBe(undefined)
  })
  test('is sent once', () => {
    const refused = { field: 'x-proof', constraint: 'one header line', received: 'several' }
    expect(refusal(() => headerOf(of(['X-Proof', 'a'], ['x-proof', 'a']), 'x-proof'))).toEqual([
      'VALIDATION_FAILED',
      refused,
    ])
  })
  test.each([
    ['application/json', true],
    ['Application/JSON; charset=UTF-8', true],
    ['application/json;charset="utf-8"', true],
    ['application/json; charset=latin1', false],
    ['application/json-patch+json', false],
    ['text/json', false],
  ])('says that a body is JSON: %s %s', (type, isSo) => {
    expect(isJson(of(['content-type', type]))).toBe(isSo)
  })

  const badKey = [
    'VALIDATION_FAILED',
    { field: 'x-idempotency-key', constraint: '1 to 128 printable ASCII characters without blanks' },
  ]
  test.each<[string, unknown]>([
    ['k', null],
    ['!~', null],
    ['k'.repeat(128), null],
    ['k'.repeat(129), badKey],
    ['', badKey],
    ['a b', badKey],
    ['ä', badKey],
  ])('names a call by a key: %j', (key, refused) => {
    expect(refusal(() => idempotencyKeyOf(of(['X-Idempotency-Key', key])))).toEqual(refused)
  })
  test('of which there may be none', () => {
    expect(idempotencyKeyOf(of())).toBe(undefined)
  })
})

describe('an operation is prepared once', () => {
  const at = (planner: Planner, name: string, one: Operation, method: HttpMethod = 'POST') =>
    planner(name, one, { method, path })

  test('for all of its bindings', () => {
    const planner = createPlanner()
    const first = at(planner, 'one', changes)
    expect(at(planner, 'one', changes, 'PUT').check).toBe(first.check)
    expect(at(planner, 'other', changes).check).not.toBe(first.check)
  })
  test.each([
    ['GET', false],
    ['DELETE', false],
    ['POST', true],
    ['PUT', true],
    ['PATCH', true],
  ] as const)('%s takes a body: %s', (method, takesBody) => {
    expect(at(createPlanner(), 'one', changes, method).takesBody).toBe(takesBody)
  })
  test.each([
    ['again', true],
    ['recovered', true],
    ['kept', false],
    ['unkeyed', false],
  ] as const)('%s takes a key here: %s', (resend, takesKey) => {
    const plan = at(createPlanner(), 'one', { ...changes, resend })
    expect(plan.takesKey).toBe(takesKey)
    const request = requestOf({ method: 'POST', headers: [['x-idempotency-key', 'a b']] })
    expect(refusal(() => plan.gather(request, {})) === null).toBe(!takesKey)
  })
})
