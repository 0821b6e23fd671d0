import type { Schema } from '../http/schema-arbitrary.ts'

/** An operation as the document that a running service serves describes it, with every reference put in its place. */
export type Printed = {
  readonly id: string
  readonly method: string
  readonly path: string
  readonly tag: string
  readonly parameters: readonly Parameter[]
  readonly body: { readonly type: string; readonly schema: Schema } | undefined
  readonly security: readonly string[]
  /** By status. */
  readonly answers: ReadonlyMap<string, Answer>
}
export type Parameter = {
  readonly name: string
  readonly in: 'path' | 'query' | 'header'
  readonly required: boolean
  readonly schema: Schema
}
/** The schema of each type of content; none where the answer has no body. */
export type Answer = ReadonlyMap<string, Schema>

type Json = Readonly<Record<string, unknown>>

export function readPrinted(document: Json): readonly Printed[] {
  const whole = inPlace(document, document) as {
    readonly paths: Readonly<Record<string, Readonly<Record<string, Json>>>>
  }
  return Object.entries(whole.paths).flatMap(([path, item]) =>
    Object.entries(item).map(([method, operation]) => printedOf(path, method, operation)),
  )
}

// The keywords of OpenAPI 3.1, which redocly's lint holds the document to.
type Content = Readonly<Record<string, { readonly schema: Schema }>>
type Item = {
  readonly operationId: string
  readonly tags: readonly string[]
  readonly parameters?: readonly Parameter[]
  readonly requestBody?: { readonly content: Content }
  readonly security: readonly Json[]
  readonly responses: Readonly<Record<string, { readonly content?: Content }>>
}

function printedOf(path: string, method: string, operation: Json): Printed {
  const { operationId, tags, parameters = [], requestBody, security, responses } = operation as Item
  const [sent] = Object.entries(requestBody?.content ?? {})
  return {
    id: operationId,
    method: method.toUpperCase(),
    path,
    tag: tags[0] ?? '',
    parameters,
    body: sent === undefined ? undefined : { type: sent[0], schema: sent[1].schema },
    security: security.flatMap((way) => Object.keys(way)),
    answers: new Map(
      Object.entries(responses).map(([status, { content = {} }]) => [
        status,
        new Map(Object.entries(content).map(([type, { schema }]) => [type, schema])),
      ]),
    ),
  }
}

const isJson = (value: unknown): value is Json => typeof value === 'object' && value !== null && !Array.isArray(value)

/** The document refers to nothing outside of it, and nothing inside refers to itself. */
function inPlace(document: Json, value: unknown): unknown {
  if (Array.isArray(value)) return value.map((one) => inPlace(document, one))
  if (!isJson(value)) return value
  const { $ref: reference, ...beside } = value
  if (typeof reference !== 'string')
    return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, inPlace(document, one)]))
  const named = reference
    .slice(2)
    .split('/')
    .reduce<unknown>((place, name) => (isJson(place) ? place[name] : undefined), document)
  if (!isJson(named)) throw new Error(`${reference} leads nowhere`)
  return { ...(inPlace(document, named) as Json), ...beside }
}
