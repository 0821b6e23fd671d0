import type { UseMutationResult } from '@tanstack/react-query'
import type { Learned } from './lost-answer.ts'

type Then<Output> = {
  readonly onSuccess?: (output: Output) => void
  readonly onError?: (error: unknown) => void
}
type Mutate<Input, Output> = (input: Input, then?: Then<Output>) => void
// Each of its states for itself: what is known in one is not in another.
type With<State, Call> = State extends unknown ? Omit<State, 'mutate'> & { readonly mutate: Call } : never

/** A call that changes something, and what its caller does once it is made. */
export type Change<Input, Output> = With<UseMutationResult<Output, Error, Input>, Mutate<Input, Output>>

/** How it is found out what became of a call whose answer was lost. */
export type Finding<Input> = {
  readonly learn: (error: unknown, input: Input) => Promise<Learned | undefined>
  /** How often this caller has called: what is learned of an earlier call is of no use to a later one. */
  readonly calls: { current: number }
}

/**
 * What was read is asked again before a change is over, and what it says may take its caller off the page: what is
 * said, forgotten and closed then happens all the same. It happens as well where it is learned later that the change
 * was made (decision 0334).
 */
export function asChange<Input, Output>(
  mutation: UseMutationResult<Output, Error, Input>,
  finding?: Finding<Input>,
): Change<Input, Output> {
  const mutate: Mutate<Input, Output> = (input, then) => {
    const call = finding === undefined ? 0 : (finding.calls.current += 1)
    mutation.mutateAsync(input).then(then?.onSuccess, async (error: unknown) => {
      // The caller shows the error of the mutation.
      then?.onError?.(error)
      const learned = await finding?.learn(error, input)
      if (learned === undefined || finding?.calls.current !== call) return
      mutation.reset()
      // What the service kept under the key is the answer of this very call.
      then?.onSuccess?.(learned.answer as Output)
    })
  }
  return { ...mutation, mutate }
}
