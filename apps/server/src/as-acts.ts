import { operations, writes, type Operation } from '@ergon/contract'
import { asOneAct, asOneRead } from './adapters/postgres/index.ts'
import type { AnyHandler } from './dispatch/handlers.ts'

/**
 * Each call is one act: what fails after it wrote says so. What only reads may be repeated, whatever was noted beside
 * it.
 */
export function asActs(handlers: Readonly<Record<string, AnyHandler>>): Readonly<Record<string, AnyHandler>> {
  return Object.fromEntries(
    Object.entries(handlers).map(([name, handler]): [string, AnyHandler] => {
      const definition = definitions[name]
      const act = definition !== undefined && !writes(definition) ? asOneRead : asOneAct
      return [name, (call, input) => act(() => handler(call, input))]
    }),
  )
}

const definitions: Readonly<Record<string, Operation>> = operations
