import { Compile } from 'typebox/schema'
import type { Schema } from '../http/schema-arbitrary.ts'
import type { Answer, Printed } from './printed.ts'

/** An answer as it came over the wire. */
export type Raw = { readonly status: number; readonly type: string | undefined; readonly text: string }

export type Judge = (operation: Printed, answer: Raw) => string | undefined

/**
 * Holds answers against the printed document: the status by its own number (`default` declares nothing), the type of
 * its content, and its body, whose every field the schema has to name.
 */
export function createJudge(): Judge {
  const checks = new Map<Schema, ReturnType<typeof Compile>>()
  const checkOf = (schema: Schema): ReturnType<typeof Compile> => {
    const known = checks.get(schema) ?? Compile(closed(schema) as Schema)
    checks.set(schema, known)
    return known
  }
  return ({ answers }, { status, type, text }) => {
    const declared = answers.get(String(status))
    if (declared === undefined) return `status ${String(status)}: ${text.slice(0, 300)}`
    if (declared.size === 0) return text === '' ? undefined : `a body with ${String(status)}`
    const [found, schema] = contentOf(declared, type)
    if (found === undefined || schema === undefined) return `${String(status)} of type ${type ?? 'none'}`
    if (found !== 'application/json') return undefined
    const body = parsed(text)
    if (body === undefined) return `${String(status)} is no JSON: ${text.slice(0, 100)}`
    const [isRight, errors] = checkOf(schema).Errors(body.value)
    return isRight
      ? undefined
      : `${String(status)} ${errors
          .slice(0, 2)
          .map(({ instancePath, message }) => `${instancePath} ${message}`)
          .join(', ')} in ${text.slice(0, 400)}`
  }
}

function contentOf(declared: Answer, type: string | undefined): readonly [string | undefined, Schema | undefined] {
  const plain = type?.split(';', 1)[0]?.trim().toLowerCase()
  const found = [...declared.keys()].find((one) => one === plain || one === '*/*')
  return [found, declared.get(found ?? '')]
}

function parsed(text: string): { readonly value: unknown } | undefined {
  try {
    return { value: JSON.parse(text) }
  } catch {
    return undefined
  }
}

const isSchema = (value: unknown): value is Schema =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** Schemas of answers are open, so that clients survive a new field; here a field that is not printed is a fault. */
function closed(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(closed)
  if (!isSchema(value)) return value
  if (Array.isArray(value['allOf'])) return closed(merged(value))
  const inside = Object.fromEntries(
    Object.entries(value).map(([key, one]) => [
      key,
      key === 'enum' || key === 'examples' || key === 'required'
        ? one
        : key === 'properties'
          ? fieldsOf(one)
          : closed(one),
    ]),
  )
  const isOpen = isSchema(value['properties']) && !('additionalProperties' in value)
  return isOpen ? { ...inside, additionalProperties: false } : inside
}

const fieldsOf = (properties: unknown): unknown =>
  isSchema(properties)
    ? Object.fromEntries(Object.entries(properties).map(([name, one]) => [name, closed(one)]))
    : properties

/** What several schemas ask of one object, as one schema. */
function merged({ allOf, ...rest }: Schema): Schema {
  const parts = [...(allOf as readonly Schema[]), rest].map((one) => ('allOf' in one ? merged(one) : one)) // a keyword
  return parts.reduce<Schema>(
    (all, one) => ({
      ...all,
      ...one,
      properties: { ...(all['properties'] as object), ...(one['properties'] as object) },
      required: [
        ...((all['required'] as readonly string[] | undefined) ?? []),
        ...((one['required'] as readonly string[] | undefined) ?? []),
      ],
    }),
    {},
  )
}
