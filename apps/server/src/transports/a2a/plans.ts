import { headerNames, operations, type Access, type Operation, type OperationName } from '@ergon/contract'
import * as Type from 'typebox'
import type { TObject } from 'typebox'
import { numberSources, type JsonObject } from '../../dispatch/json-text.ts'
import { idempotencyKeyOf, type Gathered, type Plan, type Planner } from '../../dispatch/plan.ts'
import { compileSchemaCheck } from '../../dispatch/schema-check.ts'

/** A call of an operation whose fields came as the parameters of a method: everything else is as over REST. */
export type OperationPlans = (name: OperationName, params: JsonObject, body: Uint8Array) => Plan

export function createOperationPlans(planner: Planner): OperationPlans {
  const bases = new Map<
    OperationName,
    { readonly plan: Plan; readonly keyField: string | undefined; readonly decimals: ReadonlySet<string> }
  >()
  const baseOf = (name: OperationName) => {
    const known = bases.get(name)
    if (known !== undefined) return known
    const operation: Operation = operations[name]
    const binding = operation.rest[0]
    if (binding === undefined) throw new Error(`${name} has no route`)
    const keyField = Object.entries(binding.headers ?? {}).find(
      ([, header]) => header === headerNames.idempotencyKey,
    )?.[0]
    const decimals = new Set(
      Object.entries(operation.input.properties)
        .filter(([, schema]) => 'x-decimal' in schema)
        .map(([field]) => field),
    )
    const base = { plan: planner(name, operation, binding), keyField, decimals }
    bases.set(name, base)
    return base
  }
  return (name, params, body) => {
    const { plan, keyField, decimals } = baseOf(name)
    return {
      ...plan,
      gather(request) {
        const key = plan.takesKey || keyField !== undefined ? idempotencyKeyOf(request) : undefined
        // Object.create is untyped.
        const input: Record<string, unknown> = Object.assign(Object.create(null) as Record<string, unknown>, params)
        if (keyField !== undefined && key !== undefined) input[keyField] ??= key
        return { input, decimals: sourcesOf(body, input, decimals) }
      },
    }
  }
}

/** The text of decimals as it was sent, wherever in the body the parameters stand (decision 0009). */
function sourcesOf(body: Uint8Array, input: JsonObject, fields: ReadonlySet<string>): Gathered['decimals'] {
  const asked = [...fields].filter((field) => typeof input[field] === 'number')
  if (asked.length === 0) return {}
  return Object.fromEntries(numberSources(body, fields).filter(([name, source]) => Number(source) === input[name]))
}

/** A method that is no operation of the market, as dispatch takes it. */
export type MethodPlans = (name: string, params: JsonObject) => Plan

export function createMethodPlans(
  methods: Readonly<
    Record<string, { readonly access: 'anyone' | 'signed'; readonly params?: TObject; readonly summary: string }>
  >,
): MethodPlans {
  const bases = new Map(
    Object.entries(methods).map(([name, { access, params, summary }]) => {
      const input = params ?? Type.Object({})
      const operation: Operation = {
        section: 'a2a',
        summary,
        access: accesses[access],
        input,
        output: Type.Unknown(),
        success: 200,
        errors: [],
        rest: [],
      }
      return [
        name,
        { name: `a2a ${name}`, operation, takesBody: true, takesKey: false, check: compileSchemaCheck(input, false) },
      ]
    }),
  )
  return (name, params) => {
    const base = bases.get(name)
    if (base === undefined) throw new Error(`${name} is no method`)
    return { ...base, gather: () => ({ input: { ...params }, decimals: {} }) }
  }
}

const accesses: Readonly<Record<'anyone' | 'signed', Access>> = {
  anyone: { by: 'anyone' },
  signed: { by: 'wallet', scope: null, unsigned: 401 },
}

/** A call that is refused as soon as it is known who made it. */
export function refusalPlan(error: unknown): Plan {
  const operation: Operation = {
    section: 'a2a',
    summary: '',
    access: accesses.anyone,
    input: Type.Object({}),
    output: Type.Unknown(),
    success: 200,
    errors: [],
    rest: [],
  }
  return {
    name: 'a2a',
    operation,
    takesBody: true,
    takesKey: false,
    check: () => undefined,
    gather: () => {
      throw error
    },
  }
}
