import { operations, type Operation, type OperationName } from '@ergon/contract'
import type { Principal } from '../../dispatch/authenticate.ts'
import type { Dispatch, Served } from '../../dispatch/dispatch.ts'
import type { AnyHandler } from '../../dispatch/handlers.ts'
import type { Gathered, Plan, Planner } from '../../dispatch/plan.ts'
import type { RawRequest } from '../../dispatch/request.ts'

/** Who sent the request that carries a call: proven, counted, and its nonce spent (decision 0063). */
export type Sender = { readonly principal: Principal; readonly request: RawRequest }

export type InnerCall = {
  /** Runs an operation for the sender, with fields that `gather` reads and checks. */
  run(name: OperationName, sender: Sender, gather: () => Gathered): Promise<Served>
  /** The same with fields of our own making. */
  read(name: OperationName, sender: Sender, input: Readonly<Record<string, unknown>>): Promise<Served>
}

/** Calls that travel inside another request, through the dispatch that REST uses. */
export function createInnerCall(
  dispatch: Dispatch,
  handlers: Readonly<Record<string, AnyHandler>>,
  plan: Planner,
): InnerCall {
  const plans = planAll(plan)
  const run: InnerCall['run'] = async (name, { principal, request }, gather) => {
    const plan = plans.get(name)
    const handler = handlers[name]
    if (plan === undefined || handler === undefined) throw new Error(`${name} has no handler`)
    return dispatch({ ...plan, gather, check: () => undefined }, handler, request, {}, principal)
  }
  return {
    run,
    read: (name, sender, input) =>
      run(name, sender, () => {
        plans.get(name)?.check(input)
        return { input: { ...input }, decimals: {} }
      }),
  }
}

/** One plan an operation; where one of its bindings takes a key, the call does. */
function planAll(plan: Planner): ReadonlyMap<string, Plan> {
  return new Map(
    Object.entries<Operation>(operations).map(([name, operation]) => {
      const binding = operation.rest.find(({ method }) => method !== 'GET') ?? operation.rest[0]
      if (binding === undefined) throw new Error(`${name} has no binding`)
      return [name, plan(name, operation, binding)]
    }),
  )
}
