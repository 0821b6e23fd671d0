import { operations, tools, type OperationName, type Tool } from '@ergon/contract'
import type { Bearers } from '../../dispatch/bearers.ts'
import { demandScope } from '../../dispatch/demand-scope.ts'
import type { Message } from './fixtures.ts'
import type { Sender } from './inner-call.ts'
import { taskOf } from './resources.ts'

/**
 * Refuses what a token does not reach before the protocol begins its answer: the status and the header of a step-up are
 * those of HTTP, and a tool's result has neither (spec §5, OAuth 8). Dispatch asks the same again.
 * @throws bearer_not_allowed, insufficient_scope
 */
export function demandStep({ principal: { grant } }: Sender, message: Message, bearers: StepDeps): void {
  if (grant === undefined) return
  const name = operationBehind(message)
  if (name === undefined) return
  try {
    demandScope(grant, operations[name])
  } catch (refused) {
    bearers?.stepUp(grant, refused)
    throw refused
  }
}

/** Null while the rail for delegated tokens is off. */
type StepDeps = Pick<Bearers, 'stepUp'> | null

const known: Readonly<Record<string, Tool>> = tools

/** The operation that a message asks for; undefined where it asks for none, or for one that nobody knows. */
function operationBehind({ method, params }: Message): OperationName | undefined {
  const { name, uri } = params
  if (method === 'tools/call' && typeof name === 'string' && Object.hasOwn(known, name)) return known[name]?.operation
  // Nothing but tasks changes, so whoever listens reads them.
  if (method === 'subscriptions/listen') return 'tasks.get'
  if (method === 'resources/read' && typeof uri === 'string' && taskOf(uri) !== undefined) return 'tasks.get'
  return undefined
}
