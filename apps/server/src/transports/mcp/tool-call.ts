import {
  argumentOf,
  operations,
  toolDocument,
  toolInput,
  tools,
  type Operation,
  type Tool,
  type ToolDocument,
} from '@ergon/contract'
import { refusal } from '../../dispatch/refusal.ts'
import { idempotencyKeyOf, headerOf } from '../../dispatch/plan.ts'
import type { Served } from '../../dispatch/dispatch.ts'
import { compileSchemaCheck, type SchemaCheck } from '../../dispatch/schema-check.ts'
import type { RawRequest } from '../../dispatch/request.ts'
import type { InnerCall, Sender } from './inner-call.ts'
import { createLeaveOut } from './left-out.ts'

type Fields = Readonly<Record<string, unknown>>
/** Source text of decimal arguments, exactly as sent (decision 0009). */
export type Sources = Readonly<Record<string, string>>

/** A tool made ready at start. */
export type PreparedTool = {
  readonly name: string
  readonly tool: Tool
  readonly document: ToolDocument
  readonly check: SchemaCheck
  /** What was given, without what says nothing. */
  readonly leaveOut: ReturnType<typeof createLeaveOut>
  readonly ownsKey: boolean
  /** Whether it answers a page of rows. */
  readonly isList: boolean
}

export function prepareTools(): ReadonlyMap<string, PreparedTool> {
  return new Map(
    Object.entries<Tool>(tools).map(([name, tool]) => {
      const operation: Operation = operations[tool.operation]
      const input = toolInput(tool)
      const check = compileSchemaCheck(input, operation.errors.includes('INVALID_BOUNTY'))
      return [
        name,
        {
          name,
          tool,
          document: toolDocument(name, tool),
          check,
          leaveOut: createLeaveOut(input),
          ownsKey: 'idempotency_key' in operation.input.properties,
          isList: 'limit' in input.properties,
        },
      ]
    }),
  )
}

/** Names of arguments whose exact text counts. */
export const decimalArguments: ReadonlySet<string> = new Set(
  Object.values<Tool>(tools).flatMap((tool) =>
    Object.entries((operations[tool.operation] as Operation).input.properties)
      .filter(([, schema]) => 'x-decimal' in schema)
      .map(([field]) => argumentOf(tool, field)),
  ),
)

/** Calls a tool as its operation (spec §4 tool protocol): same limits, same checks, same keys, same errors. */
export async function callTool(
  calls: InnerCall,
  prepared: PreparedTool,
  sender: Sender,
  given: Fields,
  sources: Sources,
): Promise<Served> {
  const { tool, ownsKey } = prepared
  const { idempotency_key: key, ...rest } = given
  const request = ownsKey || typeof key !== 'string' ? sender.request : withKey(sender.request, key)
  return calls.run(tool.operation, { ...sender, request }, () => {
    const known = withHeaders(tool, sender.request, given)
    prepared.check(known)
    idempotencyKeyOf(request)
    const named = Object.entries(ownsKey ? known : { ...rest, ...headerFields(tool, sender.request) })
    return {
      input: {
        ...tool.fixed,
        ...Object.fromEntries(named.map(([name, value]) => [tool.named?.[name] ?? name, value])),
      },
      decimals: sources,
    }
  })
}

/** The key travels where every key does, so that the two transports share what they remember. */
function withKey(request: RawRequest, key: string): RawRequest {
  return {
    ...request,
    headers: [
      ...request.headers.filter(([name]) => name.toLowerCase() !== 'x-idempotency-key'),
      ['x-idempotency-key', key],
    ],
  }
}

function headerFields({ headers = {} }: Tool, request: RawRequest): Fields {
  return Object.fromEntries(
    Object.entries(headers).flatMap(([field, header]) => {
      const value = headerOf(request, header.toLowerCase())
      return value === undefined ? [] : [[field, value]]
    }),
  )
}

/** A header the request signature covers and an argument may both be there; they must say the same (decision 0004). */
function withHeaders(tool: Tool, request: RawRequest, given: Fields): Fields {
  const fields = headerFields(tool, request)
  for (const [field, value] of Object.entries(fields)) {
    const said = given[field]
    if (said !== undefined && said !== value)
      throw refusal('VALIDATION_FAILED', { field, constraint: `the same as the ${tool.headers?.[field] ?? ''} header` })
  }
  return { ...given, ...fields }
}
