import type { UseMutationResult } from '@tanstack/react-query'

type Mutate<Input, Output> = (input: Input, then?: { readonly onSuccess: (output: Output) => void }) => void
// Each of its states for itself: what is known in one is not in another.
type With<State, Call> = State extends unknown ? Omit<State, 'mutate'> & { readonly mutate: Call } : never

/** A call that changes something, and what its caller does once it is made. */
export type Change<Input, Output> = With<UseMutationResult<Output, Error, Input>, Mutate<Input, Output>>

/**
 * What was read is asked again before a change is over, and what it says may take its caller off the page: what is
 * said, forgotten and closed then happens all the same.
 */
export function asChange<Input, Output>(mutation: UseMutationResult<Output, Error, Input>): Change<Input, Output> {
  const mutate: Mutate<Input, Output> = (input, then) => {
    mutation.mutateAsync(input).then(then?.onSuccess, () => {
      // The caller shows the error of the mutation.
    })
  }
  return { ...mutation, mutate }
}
