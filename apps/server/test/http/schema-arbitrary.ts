import fc, { type Arbitrary } from 'fast-check'

/** JSON Schema as the contract writes it. */
export type Schema = Readonly<Record<string, unknown>>

/** Ids and wallets that stand for something, so that requests get past the first look-up. */
export type Known = Readonly<Record<string, readonly string[]>>

const isSchema = (value: unknown): value is Schema =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
const schemas = (value: unknown): readonly (readonly [string, Schema])[] =>
  isSchema(value) ? Object.entries(value).filter((entry): entry is [string, Schema] => isSchema(entry[1])) : []
const whole = (value: unknown, otherwise: number): number => (typeof value === 'number' ? value : otherwise)

/** What no schema asks for and callers send all the same. */
export const junk: Arbitrary<unknown> = fc.oneof(
  fc.constantFrom<unknown>(
    null,
    true,
    '',
    ' ',
    '0',
    -1,
    0,
    0.1,
    1e-7,
    1e21,
    2 ** 53,
    -(2 ** 63),
    [],
    {},
    [[]],
    'é',
    '\u0000',
    '\ud800',
    '../../etc/passwd',
    "';--",
    '%00',
    '__proto__',
    '0x',
    'NaN',
    '\u202e',
    'x'.repeat(5_000),
  ),
  fc.jsonValue({ maxDepth: 3 }),
  fc.string({ unit: 'binary' }),
  fc.double(),
)

function text(schema: Schema): Arbitrary<unknown> {
  const [min, max] = [whole(schema['minLength'], 0), Math.min(whole(schema['maxLength'], 60), 300)]
  if (typeof schema['pattern'] === 'string') return fc.stringMatching(new RegExp(schema['pattern']))
  if (schema['format'] === 'date-time') return fc.date({ noInvalidDate: true }).map((date) => date.toISOString())
  return fc.oneof(
    fc.string({ minLength: min, maxLength: max, unit: 'grapheme' }),
    fc.constant('a'.repeat(Math.max(min, 1))),
    fc.constant('z'.repeat(whole(schema['maxLength'], max))),
  )
}

function numeric(schema: Schema): Arbitrary<unknown> {
  const [min, max] = [whole(schema['minimum'], -1e6), whole(schema['maximum'], 1e6)]
  if (schema['type'] === 'integer') return fc.integer({ min: Math.ceil(min), max: Math.floor(max) })
  return fc.oneof(
    fc.integer({ min: Math.ceil(min * 100), max: Math.floor(max * 100) }).map((cents) => cents / 100),
    fc.double({ min, max, noNaN: true }),
    fc.constantFrom(min, max),
  )
}

/** Values that keep a schema. */
export function valid(schema: Schema, known: Known): Arbitrary<unknown> {
  if (Array.isArray(schema['enum'])) return fc.constantFrom(...(schema['enum'] as unknown[]))
  if ('const' in schema) return fc.constant(schema['const'])
  if (Array.isArray(schema['anyOf'])) return fc.oneof(...(schema['anyOf'] as Schema[]).map((one) => valid(one, known))) // the keywords of JSON Schema
  switch (schema['type']) {
    case 'string':
      return text(schema)
    case 'integer':
    case 'number':
      return numeric(schema)
    case 'boolean':
      return fc.boolean()
    case 'array':
      return fc.array(isSchema(schema['items']) ? valid(schema['items'], known) : junk, {
        minLength: whole(schema['minItems'], 0),
        maxLength: Math.min(whole(schema['maxItems'], 4), 4),
      })
    case 'object':
      return schemas(schema['properties']).length === 0
        ? fc.dictionary(fc.string(), fc.jsonValue({ maxDepth: 2 }), { maxKeys: 4 })
        : fields(schema, known)
    default:
      return junk
  }
}

/** Mostly good fields, some of them missing, some junk, now and then one that nobody asked for. */
export function fields(schema: Schema, known: Known): Arbitrary<Record<string, unknown>> {
  const required = new Set(Array.isArray(schema['required']) ? (schema['required'] as unknown[]) : [])
  const parts = schemas(schema['properties']).map(([name, one]) => {
    const things = known[name]
    const good =
      things === undefined
        ? valid(one, known)
        : fc.oneof({ weight: 6, arbitrary: fc.constantFrom(...things) }, { weight: 1, arbitrary: valid(one, known) })
    const value = fc.oneof({ weight: 20, arbitrary: good }, { weight: 1, arbitrary: junk })
    return fc.tuple(fc.constant(name), fc.option(value, { nil: undefined, freq: required.has(name) ? 30 : 1 }))
  })
  const extra = fc.option(
    fc.tuple(fc.oneof(fc.string(), fc.constantFrom('__proto__', 'constructor', 'toString', 'wallet')), junk),
    { nil: undefined, freq: 1 },
  )
  return fc
    .tuple(
      fc.tuple(...parts),
      fc.oneof({ weight: 12, arbitrary: fc.constant(undefined) }, { weight: 1, arbitrary: extra }),
    )
    .map(([entries, more]) =>
      Object.fromEntries(
        [...entries, ...(more === undefined ? [] : [more])].filter(([, value]) => value !== undefined),
      ),
    )
}
