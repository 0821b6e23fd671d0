import fc, { type Arbitrary } from 'fast-check'
import { fields, junk, type Known, type Schema } from '../http/schema-arbitrary.ts'
import type { Printed } from './printed.ts'

/** Who sends a request: an agent of either role, a newcomer, a person, nobody, or whoever holds the admin key. */
export type Caller = 'publisher' | 'worker' | 'stranger' | 'person' | 'anonymous' | 'admin'
/** Where a signature is wrong; `right` also where there is none. */
export type Proof = 'right' | 'forged' | 'expired' | 'for another host' | 'with a key' | 'with a token'

/** One request as it goes over the wire. */
export type Ask = {
  readonly caller: Caller
  readonly proof: Proof
  readonly method: string
  readonly target: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string | undefined
}

type Values = Readonly<Record<string, unknown>>

/** Requests to one operation made of what is printed for it: well made ones, changed ones, and hostile ones. */
export function asksOf(operation: Printed, known: Known): Arbitrary<Ask> {
  const asked = fc.record({
    caller: callers(operation),
    proof: mostly<Proof>(
      30,
      'right',
      fc.constantFrom('forged', 'expired', 'for another host', 'with a key', 'with a token'),
    ),
    parameters: fields(objectOf(operation), known),
    body: bodies(operation, known),
    spoilt: mostly<Spoil>(
      6,
      (ask) => ask,
      fc.constantFrom(...spoils, ...(operation.path.endsWith('}') ? spoilsOfIds : [])),
    ),
  })
  return asked.map(({ caller, proof, parameters, body, spoilt }) =>
    spoilt({ caller, proof, ...poured(operation, parameters, body) }),
  )
}

function mostly<T>(weight: number, usual: T, others: Arbitrary<T>): Arbitrary<T> {
  return fc.oneof({ weight, arbitrary: fc.constant(usual) }, { weight: 1, arbitrary: others })
}

function callers({ security }: Printed): Arbitrary<Caller> {
  const weighted = (caller: Caller, weight: number) => ({ weight, arbitrary: fc.constant(caller) })
  const signs = security.includes('walletSignature')
  return fc.oneof(
    weighted('publisher', signs ? 8 : 2),
    weighted('worker', signs ? 8 : 2),
    weighted('stranger', 2),
    weighted('person', security.includes('session') ? 8 : 1),
    weighted('anonymous', signs ? 2 : 6),
    weighted('admin', security.includes('adminKey') ? 12 : 1),
  )
}

/** The parameters as one object; nobody waits here for something to happen. */
function objectOf({ parameters }: Printed): Schema {
  return {
    properties: Object.fromEntries(
      parameters.map(({ name, schema }) => [name, name === 'wait_seconds' ? { const: 0 } : schema]),
    ),
    required: parameters.filter(({ required }) => required).map(({ name }) => name),
  }
}

function bodies({ body }: Printed, known: Known): Arbitrary<string | undefined> {
  if (body === undefined) return fc.constant(undefined)
  if (body.type !== 'application/json') return fc.string({ unit: 'binary', maxLength: 500 })
  const good = fields(body.schema, known).map((value) => JSON.stringify(value))
  return fc.oneof({ weight: 15, arbitrary: good }, { weight: 1, arbitrary: broken })
}

const broken: Arbitrary<string | undefined> = fc.oneof(
  junk.map((value) => JSON.stringify(value)),
  fc.string({ unit: 'binary' }),
  fc.constantFrom(
    '',
    '{',
    '[]',
    'null',
    '{"a":1e999}',
    '{"\\u0000":1}',
    '{"a":"\\ud800"}',
    '{"a":1,"a":2}',
    '\ufeff{}',
    `${'['.repeat(9_000)}${']'.repeat(9_000)}`,
    `{"a":${'9'.repeat(5_000)}}`,
    `{"a":"${'x'.repeat(1_100_000)}"}`,
  ),
)

const plain = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value))
const escaped = (value: unknown): string => encodeURIComponent(plain(value).toWellFormed()).replaceAll('.', '%2E')

function poured(
  { method, path, parameters, body: sent }: Printed,
  values: Values,
  body: string | undefined,
): Pick<Ask, 'method' | 'target' | 'headers' | 'body'> {
  const given = (place: 'query' | 'header') =>
    parameters.flatMap(({ name, in: where }) =>
      where === place && values[name] !== undefined ? [[name, values[name]] as const] : [],
    )
  const inPath = path.replaceAll(
    /\{([a-z_]+)\}/g,
    (_all, name: string) => slashes(name, escaped(values[name] ?? 'x')) || 'x',
  )
  const asked = new Set(parameters.map(({ name }) => name))
  const more = Object.entries(values).filter(([name]) => !asked.has(name) && method === 'GET')
  const query = [...given('query'), ...more].map(([name, value]) => `${escaped(name)}=${escaped(value)}`).join('&')
  const headers = given('header').map(([name, value]) => [
    name.toLowerCase(),
    plain(value)
      .replaceAll(/[^\x20-\x7e]/g, '?')
      .trim(),
  ])
  return {
    method,
    target: query === '' ? inPath : `${inPath}?${query}`,
    headers: {
      ...(body === undefined ? {} : { 'content-type': sent?.type === '*/*' ? 'image/png' : 'application/json' }),
      ...(Object.fromEntries(headers) as Record<string, string>),
    },
    body,
  }
}

/** The place of a file goes over several parts of its path. */
const slashes = (name: string, text: string): string => (name === 'key' ? text.replaceAll('%2F', '/') : text)

type Spoil = (ask: Ask) => Ask
const withHeaders =
  (headers: Readonly<Record<string, string>>): Spoil =>
  (ask) => ({ ...ask, headers: { ...ask.headers, ...headers } })
const withTarget =
  (change: (target: string) => string): Spoil =>
  (ask) => ({ ...ask, target: change(ask.target) })
const andQuery = (more: string): Spoil => withTarget((target) => `${target}${target.includes('?') ? '&' : '?'}${more}`)

/** What goes wrong on the way, by accident or on purpose. */
const spoils: readonly Spoil[] = [
  withHeaders({ 'content-type': 'text/plain' }),
  withHeaders({ 'content-type': 'application/json; charset=utf-16' }),
  withHeaders({ 'content-type': 'multipart/form-data; boundary=x' }),
  withHeaders({ 'content-type': '' }),
  withHeaders({ 'content-encoding': 'gzip' }),
  withHeaders({ accept: 'application/xml' }),
  withHeaders({ 'if-none-match': '*' }),
  withHeaders({ range: 'bytes=0-1' }),
  withHeaders({ expect: '100-continue' }),
  withHeaders({ origin: 'https://elsewhere.example' }),
  withHeaders({ cookie: '__Host-svc_session=%00;;=;a' }),
  withHeaders({ 'x-idempotency-key': 'with a blank' }),
  withHeaders({ 'x-idempotency-key': 'the same for all' }),
  withHeaders({ signature: 'sig1=:AAAA:', 'signature-input': 'sig1=("@method")' }),
  withHeaders({ 'x-forwarded-for': '1.2.3.4', 'x-http-method-override': 'DELETE' }),
  withHeaders({ authorization: 'Basic YTpi' }),
  withHeaders({ 'x-admin-key': 'x'.repeat(200) }),
  withHeaders({ 'x-filler': 'x'.repeat(40_000) }),
  (ask) => ({ ...ask, body: ask.body ?? '{}', headers: { 'content-type': 'application/json', ...ask.headers } }),
  (ask) => ({ ...ask, body: undefined }),
  andQuery('limit=1&limit=2'),
  andQuery('limit[]=1&__proto__=2'),
  andQuery('%zz=%ff'),
  andQuery('offset=-1&cursor=%00'),
  andQuery(`q=${'x'.repeat(9_000)}`),
  (ask) => ({ ...ask, body: `{"a":"${'x'.repeat(1_100_000)}"}` }),
]

/** Where an id is the last part of a path. */
const spoilsOfIds: readonly Spoil[] = ['%ff', '%00', '%', '%2e%2e', 'x'.repeat(500)].map((id) =>
  withTarget((target) => target.replace(/\/[^/?]*(?=\?|$)/, `/${id}`)),
)
