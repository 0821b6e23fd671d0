type Schema = {
  readonly type?: string | readonly string[]
  readonly enum?: readonly unknown[]
  readonly const?: unknown
  readonly anyOf?: readonly Schema[]
  readonly allOf?: readonly Schema[]
  readonly properties?: Readonly<Record<string, Schema>>
  readonly patternProperties?: Readonly<Record<string, Schema>>
  readonly required?: readonly string[]
  readonly minProperties?: number
  readonly items?: Schema
  readonly minItems?: number
  readonly minLength?: number
  readonly maxLength?: number
  readonly minimum?: number
  readonly maximum?: number
  readonly pattern?: string
  readonly format?: string
  readonly default?: unknown
}

/** Values that patterns of this contract admit; the first that fits is shown. */
const words: readonly string[] = [
  '01890a5d-ac96-774b-bcce-b302099a8057',
  '0x52908400098527886e0f7030069857d2e4169ee7',
  `0x${'5f'.repeat(32)}`,
  `0x${'5f'.repeat(65)}`,
  'localnet',
  'USDC',
  '0.25',
  'https://files.example/photo.jpg',
  '2026-11-23',
  'a-key-of-yours-1',
  '12345',
  `0x${'5f'.repeat(4)}`,
  'task.completed',
  '4Nd1mYcyJ4wVbq8kF6kJ9rT2sX3pQ7hZ5uE6gA8cB9d',
  '5'.repeat(88),
  '-3.75,40.38,-3.65,40.45',
  'BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4',
  'BTBZMqHH6r4Tts7J_aSIgg',
  'you@mail.example',
  `${Array(3).fill('01890a5d-ac96-774b-bcce-b302099a8057').join('/')}.jpg`,
]

const aPicture = '/pictures/8f14e45fceea167a5a36dedd4bea2543.jpg'
/** By field, what a reader understands at once. */
const byField: Readonly<Record<string, unknown>> = {
  title: 'Photograph the opening hours of a shop',
  instructions: 'Go to the shop, photograph the sign with its opening hours, and hand in the photo.',
  bounty_usd: 5,
  deadline_hours: 24,
  display_name: 'Ada',
  picture: 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  picture_url: aPicture,
  publisher_picture_url: aPicture,
  executor_picture_url: aPicture,
  seller_picture_url: aPicture,
  photo: 'https://files.example/photo.jpg',
  message: 'I am five minutes away.',
  cover_note: 'I am five minutes away.',
  location_hint: 'Calle Mayor 1, Madrid',
  min_reputation: 0,
  endpoint: 'https://push.example/a-browser-of-yours',
}

/**
 * A value that a schema admits, for documents. Optional fields are left out of what is sent, and nulls are shown where
 * nothing is known yet.
 */
export function exampleOf(schema: object, field = '', withOptional = false): unknown {
  const rules = schema as Schema // every keyword is optional, and read by its name
  if (rules.const !== undefined) return rules.const
  if (rules.enum !== undefined) return rules.enum[0]
  if (rules.anyOf !== undefined) return exampleOf(rules.anyOf[0] ?? {}, field, withOptional)
  if (rules.allOf !== undefined)
    return Object.assign({}, ...rules.allOf.map((one) => exampleOf(one, field, withOptional))) as unknown
  switch (rules.type) {
    case 'object':
      return ofObject(rules, withOptional)
    case 'array':
      return Array.from({ length: Math.max(1, rules.minItems ?? 0) }, () =>
        exampleOf(rules.items ?? {}, field, withOptional),
      )
    case 'string':
      return ofText(rules, field)
    case 'integer':
    case 'number':
      return ofNumber(rules, field)
    case 'boolean':
      return true
    default:
      return byField[field] ?? null
  }
}

function ofObject(
  { properties = {}, required = [], minProperties = 0 }: Schema,
  withOptional: boolean,
): Readonly<Record<string, unknown>> {
  return Object.fromEntries(
    Object.entries(properties).flatMap(([name, one], at) =>
      withOptional || required.includes(name) || at < minProperties ? [[name, exampleOf(one, name, withOptional)]] : [],
    ),
  )
}

function ofText({ format, pattern, minLength = 0, maxLength = Infinity }: Schema, field: string): string {
  if (format === 'date-time') return '2026-11-23T12:00:00.000Z'
  const fits = (text: string): boolean =>
    text.length >= minLength &&
    text.length <= maxLength &&
    (pattern === undefined || new RegExp(pattern, 'u').test(text))
  const own = byField[field]
  if (typeof own === 'string' && fits(own)) return own
  if (pattern !== undefined) return words.find(fits) ?? ''
  const text = field === '' ? 'text' : field.replaceAll('_', ' ')
  return text.padEnd(minLength, '.').slice(0, maxLength)
}

function ofNumber({ minimum, maximum, default: usual }: Schema, field: string): number {
  const own = byField[field]
  const wanted = typeof own === 'number' ? own : typeof usual === 'number' ? usual : 1
  return Math.min(Math.max(wanted, minimum ?? wanted), maximum ?? wanted)
}
