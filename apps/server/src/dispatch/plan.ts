import { limits, pathFields, type Operation, type RestBinding } from '@ergon/contract'
import { cutText, MarketError } from '@ergon/core'
import { isStorable, readJsonObject, type JsonObject } from './json-text.ts'
import type { RawRequest } from './request.ts'
import { compileSchemaCheck, type SchemaCheck } from './schema-check.ts'

/** The fields of a call, gathered and not yet checked, with the source text of its decimals (decision 0009). */
export type Gathered = { readonly input: Record<string, unknown>; readonly decimals: Readonly<Record<string, string>> }

/** One binding of an operation, prepared at start: nothing is worked out about schemas while requests wait. */
export type Plan = {
  readonly name: string
  readonly operation: Operation
  readonly takesBody: boolean
  /** Whether an idempotency key is kept for it here. */
  readonly takesKey: boolean
  readonly check: SchemaCheck
  /** @throws MALFORMED_BODY, UNSUPPORTED_MEDIA_TYPE, UNKNOWN_FIELD, VALIDATION_FAILED */
  gather(request: RawRequest, path: Readonly<Record<string, string>>): Gathered
}

/** Without a prototype, so that any name that is sent is only a name. */
const blank = <T>(): Record<string, T> => Object.create(null) as Record<string, T> // Object.create is untyped

type FieldKind = 'text' | 'number' | 'boolean'

/** Prepares a binding of an operation. */
export type Planner = (name: string, operation: Operation, binding: RestBinding) => Plan

/** One for a service: every transport and every alias of an operation share its compiled check. */
export function createPlanner(): Planner {
  const checks = new Map<string, SchemaCheck>()
  return (name, operation, binding) => {
    const check = checks.get(name) ?? compileSchemaCheck(operation.input, operation.errors.includes('INVALID_BOUNTY'))
    checks.set(name, check)
    const takesBody = binding.method !== 'GET' && binding.method !== 'DELETE'
    const takesKey = operation.resend === 'again' || operation.resend === 'recovered'
    const gather = createGather(operation, binding, takesBody)
    if (!takesKey) return { name, operation, takesBody, takesKey, check, gather }
    return {
      name,
      operation,
      takesBody,
      takesKey,
      check,
      gather(request, path) {
        idempotencyKeyOf(request) // refused with the fields, before anything is spent
        return gather(request, path)
      },
    }
  }
}

function createGather(operation: Operation, binding: RestBinding, takesBody: boolean): Plan['gather'] {
  const properties = Object.entries(operation.input.properties)
  const kinds = new Map(properties.map(([field, schema]) => [field, kindOf(schema)]))
  const lists = new Set(properties.filter(([, schema]) => 'items' in schema).map(([field]) => field))
  const decimalFields = new Set(properties.filter(([, schema]) => 'x-decimal' in schema).map(([field]) => field))
  const inPath = pathFields(binding.path)
  const inHeader = new Map(
    Object.entries(binding.headers ?? {}).map(([field, header]) => [header.toLowerCase(), field]),
  )
  const elsewhere = new Set([...inPath, ...inHeader.values()])
  return (request, path) => {
    const body = takesBody ? readBody(request, decimalFields) : { value: noFields, sources: noFields }
    const query = readQuery(request.target, takesBody ? noLists : lists)
    const strays = takesBody ? Object.keys(query) : []
    const misplaced = [
      ...strays,
      ...Object.keys(takesBody ? body.value : query).filter((field) => elsewhere.has(field)),
    ]
    if (misplaced.length > 0)
      throw new MarketError(
        'UNKNOWN_FIELD',
        { fields: misplaced.slice(0, 20) },
        {
          message: `These fields are in the wrong part of the request: ${cutText(misplaced.slice(0, 20).join(', '), 400)}.`,
        },
      )
    if (takesBody) {
      // A fresh object of JSON.parse, owned by this call.
      const input = body.value as Record<string, unknown>
      for (const field of inPath) input[field] = fromText(path[field] ?? '', kinds.get(field))
      addHeaders(input, request, inHeader)
      return { input, decimals: body.sources }
    }
    const input: Record<string, unknown> = blank()
    const decimals: Record<string, string> = {}
    for (const [field, text] of Object.entries(query)) {
      input[field] = typeof text === 'string' ? fromText(text, kinds.get(field)) : text.map(textOf)
      if (decimalFields.has(field) && typeof text === 'string') decimals[field] = text
    }
    for (const field of inPath) input[field] = fromText(path[field] ?? '', kinds.get(field))
    addHeaders(input, request, inHeader)
    return { input, decimals }
  }
}

const noFields: Readonly<Record<string, string>> = Object.freeze({})
const jsonType = /^application\/json\s*(?:;\s*charset=("?)utf-8\1\s*)?$/i

function readBody(
  request: RawRequest,
  decimalFields: ReadonlySet<string>,
): { readonly value: JsonObject; readonly sources: Readonly<Record<string, string>> } {
  // An operation whose fields are all optional may be called with no body at all.
  if (request.body.length === 0) return { value: {}, sources: noFields }
  if (request.body.length > limits.bodyBytes)
    throw new MarketError('request_body_too_large', { max_bytes: limits.bodyBytes })
  if (!isJson(request)) throw new MarketError('UNSUPPORTED_MEDIA_TYPE')
  return readJsonObject(request.body, decimalFields)
}

/** Whether the request says that its body is plain JSON. */
export function isJson(request: Pick<RawRequest, 'headers'>): boolean {
  return jsonType.test(headerOf(request, 'content-type') ?? '') && headerOf(request, 'content-encoding') === undefined
}

/** The one value of a header, or undefined. @throws VALIDATION_FAILED when it is sent twice */
export function headerOf(request: Pick<RawRequest, 'headers'>, name: string): string | undefined {
  let found: string | undefined
  for (const [header, value] of request.headers) {
    if (header.length !== name.length || header.toLowerCase() !== name) continue
    if (found !== undefined)
      throw new MarketError('VALIDATION_FAILED', { field: name, constraint: 'one header line', received: 'several' })
    found = value
  }
  return found
}

const keyShape = /^[\x21-\x7e]+$/

/** The key of a request (decision 0050). @throws VALIDATION_FAILED */
export function idempotencyKeyOf(request: Pick<RawRequest, 'headers'>): string | undefined {
  const key = headerOf(request, 'x-idempotency-key')
  if (key === undefined || (key.length <= limits.idempotencyKeyMax && keyShape.test(key))) return key
  throw new MarketError('VALIDATION_FAILED', {
    field: 'x-idempotency-key',
    constraint: `1 to ${String(limits.idempotencyKeyMax)} printable ASCII characters without blanks`,
  })
}

function addHeaders(input: Record<string, unknown>, request: RawRequest, fields: ReadonlyMap<string, string>): void {
  for (const [header, field] of fields) {
    const value = headerOf(request, header)
    if (value !== undefined) input[field] = value
  }
}

type Query = Readonly<Record<string, string | readonly string[]>>
const noLists: ReadonlySet<string> = new Set()

/** What follows `?`; only a list may be given more than once, one entry each time. */
function readQuery(target: string, lists: ReadonlySet<string>): Query {
  const mark = target.indexOf('?')
  if (mark < 0 || mark === target.length - 1) return noFields
  const fields: Record<string, string | string[]> = blank()
  for (const [name, value] of new URLSearchParams(target.slice(mark + 1))) {
    const known = fields[name]
    if (lists.has(name)) {
      if (Array.isArray(known)) known.push(value)
      else fields[name] = [value]
      continue
    }
    if (name in fields)
      throw new MarketError('VALIDATION_FAILED', {
        field: cutText(name, 100),
        constraint: 'given once',
        received: 'several values',
      })
    fields[name] = value
  }
  return fields
}

function kindOf(schema: object): FieldKind {
  const type = 'type' in schema ? schema.type : undefined
  return type === 'number' || type === 'integer' ? 'number' : type === 'boolean' ? 'boolean' : 'text'
}

const numberText = /^-?(?:0|[1-9][0-9]{0,15})(?:\.[0-9]{1,18})?$/

/** Text that does not read as the declared type stays text and fails the schema, which then names the rule. */
function fromText(given: string, kind: FieldKind | undefined): unknown {
  const text = textOf(given)
  if (kind === 'number') return numberText.test(text) ? Number(text) : text
  if (kind === 'boolean') return text === 'true' ? true : text === 'false' ? false : text
  return text
}

function textOf(text: string): string {
  if (!isStorable(text)) throw new MarketError('VALIDATION_FAILED', { constraint: 'text without NUL characters' })
  return text
}
