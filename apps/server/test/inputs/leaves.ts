import { operations, type Operation, type RestBinding } from '@ergon/contract'
import { Compile } from 'typebox/compile'
import type { Request } from '../tour/journal.ts'

type Schema = Readonly<Record<string, unknown>>
/** One field of an operation's input; fields inside of objects are fields of their own, entries of a list are not. */
export type Leaf = { readonly operation: string; readonly path: readonly string[]; readonly schema: Schema }

const isSchema = (value: unknown): value is Schema => typeof value === 'object' && value !== null
const isObject = (schema: Schema): boolean => schema['type'] === 'object' && isSchema(schema['properties'])

function descend(operation: string, schema: Schema, path: readonly string[]): readonly Leaf[] {
  const alternatives = Array.isArray(schema['anyOf']) ? (schema['anyOf'] as readonly Schema[]) : [schema] // JSON Schema
  const object = alternatives.find(isObject)
  if (object === undefined) return [{ operation, path, schema }]
  return Object.entries(object['properties'] as Readonly<Record<string, Schema>>).flatMap(([name, one]) =>
    // an object's
    descend(operation, one, [...path, name]),
  )
}

export const leaves: readonly Leaf[] = Object.entries<Operation>(operations).flatMap(
  ([name, { input }]) => descend(name, input as unknown as Schema, []), // a schema of TypeBox is JSON Schema
)

/** As the table of exceptions names it. */
export const nameOf = ({ operation, path }: Leaf): string => `${operation} ${path.join('.')}`

/** Whether it is text in the words of whoever calls, which a canary may be added to. */
export const isFreeText = (schema: Schema): boolean =>
  schema['type'] === 'string' &&
  !('pattern' in schema) &&
  !('format' in schema) &&
  !('enum' in schema) &&
  Number(schema['maxLength'] ?? 0) >= 40

type Bound = { readonly binding: RestBinding; readonly request: Request }

/** The value that a request carries for a leaf, wherever it travels; undefined where it carries none. */
export function read({ binding, request }: Bound, { path }: Leaf): unknown {
  const [first = '', ...rest] = path
  const header = binding.headers?.[first]
  if (header !== undefined && rest.length === 0) return lowercased(request.headers)[header.toLowerCase()]
  const { pathname, searchParams } = urlOf(request)
  const place = binding.path.split('/').indexOf(`{${first}}`)
  if (place >= 0) return decodeURIComponent(pathname.split('/')[place] ?? '')
  if (isInQuery(request)) return searchParams.get(first) ?? undefined
  let value: unknown = request.body
  for (const name of path) value = isSchema(value) ? value[name] : undefined
  return value
}

/** The same request with another value of one leaf. */
export function change({ binding, request }: Bound, { path }: Leaf, value: unknown): Request {
  const [first = '', ...rest] = path
  const header = binding.headers?.[first]
  if (header !== undefined && rest.length === 0)
    return { ...request, headers: { ...lowercased(request.headers), [header.toLowerCase()]: String(value) } }
  const url = urlOf(request)
  const parts = url.pathname.split('/')
  const place = binding.path.split('/').indexOf(`{${first}}`)
  if (place >= 0) {
    parts[place] = encodeURIComponent(String(value))
    return { ...request, target: parts.join('/') + url.search }
  }
  if (isInQuery(request)) {
    url.searchParams.set(first, String(value))
    return { ...request, target: url.pathname + url.search }
  }
  return { ...request, body: put(request.body, path, value) }
}

function put(body: unknown, path: readonly string[], value: unknown): unknown {
  const [first, ...rest] = path
  if (first === undefined) return value
  const object = isSchema(body) ? body : {}
  return { ...object, [first]: put(object[first], rest, value) }
}

const isInQuery = ({ method }: Request): boolean => method === 'GET' || method === 'DELETE'
const urlOf = ({ target }: Request): URL => new URL(target, 'http://here')
const lowercased = (headers: Readonly<Record<string, string>> = {}): Record<string, string> =>
  Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]))

/** Other values that the schema of a leaf admits. */
export function otherValues({ schema }: Leaf, current: unknown): readonly unknown[] {
  const admits = Compile(schema as never) // JSON Schema, as TypeBox wrote it
  const typed = typeof current === 'string' && schema['type'] !== 'string' ? Number(current) : current
  return valuesOf(schema, typed).filter((value) => admits.Check(value) && String(value) !== String(current))
}

function valuesOf(schema: Schema, current: unknown): readonly unknown[] {
  if (Array.isArray(schema['enum'])) return schema['enum']
  if (Array.isArray(schema['anyOf']))
    return (schema['anyOf'] as readonly Schema[]).flatMap((one) => valuesOf(one, current)) // JSON Schema
  if (schema['type'] === 'boolean') return [true, false]
  if (schema['type'] === 'integer' || schema['type'] === 'number')
    return [1, Number(current) + 1, Number(current) - 1, 99, schema['minimum'], schema['maximum']].filter(
      (value) => value !== undefined,
    )
  if (schema['type'] === 'array') {
    const items = isSchema(schema['items'])
      ? valuesOf(schema['items'], Array.isArray(current) ? current[0] : undefined)
      : []
    return [[], ...items.map((item) => [item])]
  }
  if (schema['type'] === 'object') return [{}, { other: 1 }]
  const digits = (count: number): string => `0x${'7'.repeat(count)}`
  return [
    ...(typeof current === 'string' ? [tampered(current)] : []),
    '77777777-7777-4777-8777-777777777777',
    digits(40),
    digits(64),
    'another-value',
    'OTHER',
    '7777',
    'nothing to find',
    '2020-01-01T00:00:00Z',
    'https://elsewhere.example/there',
  ]
}

/** Something signed with one digit of it changed, or a text with another end. */
export function tampered(text: string): string {
  const signature = /0x[0-9a-f]{64,}/i.exec(text)?.[0]
  const target = signature ?? text
  const end = target.at(-3) === '1' ? '2' : '1'
  return text.replace(target, () => `${target.slice(0, -3)}${end}${target.slice(-2)}`)
}
