import * as Type from 'typebox'
import type { TObject, TSchema } from 'typebox'
import type { Operation } from '../operation.ts'
import { takesIdempotencyKey } from '../rest-binding.ts'
import { operations } from '../operations/index.ts'
import { idempotencyKey } from '../schema.ts'
import type { Tool, ToolEffect } from './tool.ts'

type Json = Record<string, unknown>

export type ToolDocument = {
  readonly name: string
  readonly title: string
  readonly description: string
  readonly inputSchema: Json
  readonly outputSchema: Json
  readonly annotations: ToolAnnotations
}
export type ToolAnnotations = {
  readonly readOnlyHint: boolean
  readonly destructiveHint: boolean
  readonly idempotentHint: boolean
  readonly openWorldHint: boolean
}

/**
 * The arguments of a tool: the fields of its operation under the tool's names, and the key where REST has a header for
 * it.
 */
export function toolInput(tool: Tool): TObject {
  const definition: Operation = operations[tool.operation]
  const required = new Set(definition.input.required ?? [])
  const properties = Object.fromEntries(
    Object.entries(definition.input.properties).map(([field, schema]) => {
      const argument = argumentOf(tool, field)
      const given = tool.narrowed?.[argument] ?? schema
      return [argument, required.has(field) ? given : Type.Optional(given)]
    }),
  )
  const takesKey = definition.rest.some((binding) => takesIdempotencyKey(definition, binding))
  return Type.Object(
    { ...properties, ...(takesKey ? { idempotency_key: Type.Optional(idempotencyKey()) } : {}) },
    { additionalProperties: false },
  )
}

/** The name an operation's field goes by among a tool's arguments. */
export function argumentOf(tool: Tool, field: string): string {
  return Object.entries(tool.named ?? {}).find(([, named]) => named === field)?.[0] ?? field
}

/** A tool as `tools/list` shows it: what a model needs to call it, in few tokens; the strict check stays behind it. */
export function toolDocument(name: string, tool: Tool): ToolDocument {
  const input = toolInput(tool)
  const shown = Object.entries(input.properties).filter(([argument]) => !(tool.quiet ?? []).includes(argument))
  const required = (input.required ?? []).filter((argument) => shown.some(([one]) => one === argument))
  return {
    name,
    title: tool.title,
    description: tool.says,
    inputSchema: {
      type: 'object',
      properties: Object.fromEntries(
        shown.map(([argument, schema]) => [
          argument,
          argument === 'idempotency_key' ? keySchema : shortened(tool.shown?.[argument] ?? schema),
        ]),
      ),
      ...(required.length === 0 ? {} : { required }),
    },
    outputSchema: outputOf(operations[tool.operation].output),
    annotations: { ...hints[tool.effect], openWorldHint: false },
  }
}

/** A mark takes nothing away from anybody; what writes may commit to pay, or end something. */
const hints: Readonly<Record<ToolEffect, Omit<ToolAnnotations, 'openWorldHint'>>> = {
  reads: { readOnlyHint: true, destructiveHint: false, idempotentHint: true },
  'marks once': { readOnlyHint: false, destructiveHint: false, idempotentHint: true },
  marks: { readOnlyHint: false, destructiveHint: false, idempotentHint: false },
  writes: { readOnlyHint: false, destructiveHint: true, idempotentHint: false },
  'writes once': { readOnlyHint: false, destructiveHint: true, idempotentHint: true },
}

const keySchema: Json = { type: 'string', description: 'The same value when you retry the same call.' }
const longestEnum = 40

/** Types, bounds of numbers and lists of words stay; patterns and lengths are told when they are broken. */
function shortened(schema: TSchema): Json {
  // A JSON schema, read by key.
  const { type, description, minimum, maximum, default: fallback, properties, items, required, anyOf } = schema as Json
  const { enum: words, format } = schema as Json // as above
  return {
    // Members of a union are schemas.
    ...(Array.isArray(anyOf) ? { anyOf: anyOf.map((one) => shortened(one as TSchema)) } : { type: type ?? 'string' }),
    ...(Array.isArray(words) && words.length <= longestEnum ? { enum: words } : {}),
    // The one format that every provider takes.
    ...(format === 'date-time' ? { format } : {}),
    ...(typeof description === 'string' ? { description } : {}),
    ...(minimum === undefined ? {} : { minimum }),
    ...(maximum === undefined || maximum === Number.MAX_SAFE_INTEGER ? {} : { maximum }),
    ...(fallback === undefined ? {} : { default: fallback }),
    ...(items === undefined ? {} : { items: shortened(items as TSchema) }), // an array's items are a schema
    ...(properties === undefined
      ? {}
      : {
          properties: Object.fromEntries(
            Object.entries(properties as Record<string, TSchema>).map(([name, one]) => [name, shortened(one)]),
          ),
          ...(required === undefined ? {} : { required }),
        }), // an object's properties are schemas
  }
}

/**
 * The fields of an answer with their types, and those that are always there, or else those of an error: some clients
 * hold errors to this schema as well. Answers stay open (decision 0007), and openapi.json says what is inside them.
 */
function outputOf(output: TSchema): Json {
  return {
    type: 'object',
    properties: { ...refusedFields, ...typesOf(output) },
    anyOf: [{ required: requiredOf(output) }, { required: ['code', 'message'] }],
  }
}

/** What every tool answers where the call was refused; the block where a signature of the wallet helps (OAuth 10). */
const refusedFields: Json = {
  code: { type: 'string' },
  message: { type: 'string' },
  wallet_action: { type: 'object' },
}

function typesOf(schema: TSchema): Json {
  const { properties, allOf } = schema as Json // a JSON schema, read by key
  // Members of an intersection are schemas.
  if (Array.isArray(allOf)) return Object.assign({}, ...allOf.map((one) => typesOf(one as TSchema))) as Json
  return Object.fromEntries(
    // An object's properties are schemas.
    Object.entries((properties ?? {}) as Record<string, Json>).map(([name, one]) => [name, typeOf(one)]),
  )
}

/** Types and short lists of words; whatever has several types, or any, says which or nothing. */
function typeOf(schema: Json): Json {
  const types = typesIn(schema)
  const words = schema['enum']
  return {
    ...(types === undefined ? {} : { type: types.length === 1 ? types[0] : types }),
    ...(Array.isArray(words) && words.length <= longestAnswerEnum ? { enum: words } : {}),
  }
}

const longestAnswerEnum = 12

function typesIn({ type, anyOf, enum: words, allOf }: Json): readonly string[] | undefined {
  if (typeof type === 'string') return [type]
  if (Array.isArray(words) && words.every((word) => typeof word === 'string')) return ['string']
  if (Array.isArray(allOf)) return ['object']
  if (!Array.isArray(anyOf)) return undefined
  const all = anyOf.map((one) => typesIn(one as Json)) // members of a union are schemas
  const known = all.filter((one) => one !== undefined)
  return known.length === all.length ? [...new Set(known.flat())] : undefined
}

function requiredOf(schema: TSchema): readonly string[] {
  const { required, allOf } = schema as Json // a JSON schema, read by key
  // Members of an intersection are schemas.
  if (Array.isArray(allOf)) return allOf.flatMap((one) => requiredOf(one as TSchema))
  return Array.isArray(required) ? required.map(String) : []
}
