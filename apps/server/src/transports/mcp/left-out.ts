import type { TObject, TSchema } from 'typebox'
import { Check } from 'typebox/value'

type Json = Readonly<Record<string, unknown>>
type LeaveOut = (given: Json) => Json

/**
 * Models say nothing by null or by an empty text, and providers that hold them to a schema make them name every
 * argument (decision 0323). An argument that may be missing is then missing, where its schema takes neither; what
 * has to be there stays, for the check to refuse.
 */
export function createLeaveOut(schema: TObject): LeaveOut {
  const needed = new Set(schema.required ?? [])
  const rules = new Map(
    Object.entries<TSchema>(schema.properties).map(([name, one]) => {
      const inner = isObject(one) ? createLeaveOut(one) : undefined
      return [name, { isMissing: needed.has(name) ? () => false : saysNothing(one), inner }]
    }),
  )
  return (given) => {
    const kept = Object.entries(given).flatMap(([name, value]) => {
      const rule = rules.get(name)
      if (rule?.isMissing(value) === true) return []
      return [[name, rule?.inner !== undefined && isFields(value) ? rule.inner(value) : value]]
    })
    return Object.fromEntries(kept) as Json
  }
}

function saysNothing(schema: TSchema): (value: unknown) => boolean {
  const [isNull, isEmpty] = [!namesNull(schema), !Check(schema, '')]
  return (value) => (value === null && isNull) || (value === '' && isEmpty)
}

/** A schema of anything takes null as well, without meaning it. */
function namesNull(schema: TSchema): boolean {
  const { type, anyOf } = schema as { readonly type?: unknown; readonly anyOf?: readonly TSchema[] } // a JSON schema
  return type === 'null' || anyOf?.some(namesNull) === true
}

const isObject = (schema: TSchema): schema is TObject => 'properties' in schema
const isFields = (value: unknown): value is Json => typeof value === 'object' && value !== null && !Array.isArray(value)
