import type { TObject } from 'typebox'
import { fieldWords } from '../../openapi/field-words.ts'
import { pathFields } from '../../rest-binding.ts'
import type { RestBinding } from '../../operation.ts'

type Schema = {
  readonly type?: string
  readonly enum?: readonly unknown[]
  readonly anyOf?: readonly Schema[]
  readonly items?: Schema
  readonly properties?: Readonly<Record<string, Schema>>
  readonly required?: readonly string[]
  readonly minimum?: number
  readonly maximum?: number
  readonly minLength?: number
  readonly maxLength?: number
  readonly minItems?: number
  readonly maxItems?: number
  readonly pattern?: string
  readonly format?: string
  readonly default?: unknown
  readonly description?: string
}

/** Patterns that have a name of their own. */
const forms: readonly (readonly [start: string, words: string])[] = [
  ['^[0-9a-f]{8}-', 'UUID, lowercase'],
  ['^0x[0-9a-fA-F]{40}$', '`0x` and 40 hex digits'],
  ['^0x[0-9a-fA-F]{64}$', '`0x` and 64 hex digits'],
  ['^0x([0-9a-fA-F]{2})+$', '`0x` and hex digits'],
]
/** An object with more members than that is told elsewhere. */
const mostMembers = 8

/** What was printed before, by its text, and in which step. */
export type Earlier = Map<string, string>

/** From this length on a type or a field that was printed before is named and not repeated. */
const longText = 60

/** The fields of an operation with where each travels, its type and its bounds. */
export function fieldList(
  input: TObject,
  binding: RestBinding,
  { step, earlier }: { readonly step: string; readonly earlier: Earlier },
): readonly string[] {
  const schema = input as unknown as Schema // every keyword is optional, and read by its name
  const same = new Map<string, string[]>()
  const lines = Object.entries(schema.properties ?? {}).flatMap(([name, field]) => {
    const isRequired = schema.required?.includes(name) === true
    const line = fieldLine(name, field, placeOf(name, binding) + (isRequired ? ', required' : ''), { step, earlier })
    const before = earlier.get(line)
    if (isRequired || before === undefined) {
      if (line.length > longText) earlier.set(line, step)
      return [line]
    }
    same.set(before, [...(same.get(before) ?? []), name])
    return []
  })
  const repeated = [...same].map(
    ([before, names]) => `- ${names.map((name) => `\`${name}\``).join(', ')}: as in \`${before}\`.`,
  )
  return [...lines, ...repeated]
}

function placeOf(name: string, { method, path, headers = {} }: RestBinding): string {
  if (pathFields(path).includes(name)) return 'path'
  const header = headers[name]
  if (header !== undefined) return `header ${header}`
  return method === 'GET' || method === 'DELETE' ? 'query' : 'body'
}

function fieldLine(
  name: string,
  field: Schema,
  place: string,
  { step, earlier }: { readonly step: string; readonly earlier: Earlier },
): string {
  const type = typeOf(field)
  const words = type.replace(/^list \(.*?\) of /, '')
  const before = earlier.get(words)
  if (before === undefined && words.length > longText) earlier.set(words, `${name}\` of \`${step}`)
  const told = before === undefined ? type : `${type.slice(0, type.length - words.length)}a word of \`${before}\``
  const usual = field.default === undefined ? '' : `, ${JSON.stringify(field.default)} when left out`
  const description = field.description ?? fieldWords[name] ?? ''
  return `- \`${name}\` (${place}): ${told}${usual}.${description === '' ? '' : ` ${description}`}`
}

/** The type of a value and its bounds, in words. */
export function typeOf(schema: Schema): string {
  const { anyOf, items, properties } = schema
  if (schema.enum !== undefined) return schema.enum.map((one) => `\`${String(one)}\``).join(', ')
  if (anyOf !== undefined) return anyOf.map(typeOf).join(' or ')
  switch (schema.type) {
    case 'string':
      return textOf(schema)
    case 'integer':
    case 'number':
      return `${schema.type}${between(schema.minimum, schema.maximum, '')}`
    case 'array':
      return `list${between(schema.minItems, schema.maxItems, 'items')} of ${typeOf(items ?? {})}`
    case 'object':
      return `object${properties === undefined ? '' : membersOf(properties, schema.required ?? [])}`
    default:
      return schema.type ?? 'any JSON'
  }
}

function textOf({ format, pattern = '', minLength, maxLength }: Schema): string {
  if (format === 'date-time') return 'ISO 8601 instant'
  const form = forms.find(([start]) => pattern.startsWith(start))?.[1]
  if (form !== undefined) return form
  return `text${between(minLength, maxLength, 'characters')}${pattern === '' ? '' : ` matching \`${pattern}\``}`
}

function membersOf(properties: Readonly<Record<string, Schema>>, required: readonly string[]): string {
  const names = Object.keys(properties)
  if (names.length > mostMembers) return ', its members below'
  const members = names.map(
    (name) => `\`${name}\`${required.includes(name) ? '' : '?'} ${typeOf(properties[name] ?? {})}`,
  )
  return ` of ${members.join(', ')}`
}

function between(least: number | undefined, most: number | undefined, unit: string): string {
  const plain = (value: number | undefined): value is number => value !== undefined && value < Number.MAX_SAFE_INTEGER
  const lower = plain(least) ? `from ${String(least)}` : ''
  const upper = least === undefined ? `at most ${String(most)}` : `${String(least)} to ${String(most)}`
  const bounds = plain(most) ? upper : lower
  return bounds === '' ? '' : ` (${bounds}${unit === '' ? '' : ` ${unit}`})`
}
