import { MutationObserver, QueryClient, type UseMutationResult } from '@tanstack/react-query'
import { expect, test, vi } from 'vitest'
import { asChange, type Finding } from './change.ts'

/** A change as a component holds it; `leaves` while what was read is asked again. */
function changing(
  fails: boolean,
  finding?: Finding<string>,
): { readonly change: ReturnType<typeof asChange<string, string>>; leave: () => void } {
  const leaving = Promise.withResolvers<undefined>()
  const observer = new MutationObserver<string, Error, string>(new QueryClient(), {
    mutationFn: (said) => (fails ? Promise.reject(new Error(said)) : Promise.resolve(said)),
    onSettled: () => leaving.promise,
  })
  const unmount = observer.subscribe(() => undefined)
  const { mutate: mutateAsync, ...state } = observer.getCurrentResult()
  // What `useMutation` makes of an observer.
  const mutation = { ...state, mutate: () => undefined, mutateAsync } as UseMutationResult<string, Error, string>
  return {
    change: asChange(mutation, finding),
    leave: () => {
      unmount()
      leaving.resolve(undefined)
    },
  }
}

test('what follows a change happens also where its caller is gone by then', async () => {
  const then = vi.fn()
  const { change, leave } = changing(false)
  change.mutate('sent', { onSuccess: then })
  leave()
  await vi.waitFor(() => {
    expect(then).toHaveBeenCalledExactlyOnceWith('sent')
  })
})

test('what follows a change does not follow one that failed', async () => {
  const then = vi.fn()
  const { change, leave } = changing(true)
  change.mutate('refused', { onSuccess: then })
  leave()
  await new Promise((resolve) => setTimeout(resolve, 20))
  expect(then).not.toHaveBeenCalled()
})

test('what is learned of a lost call follows as if it had been answered, unless there was a later call', async () => {
  const answers = [Promise.withResolvers<{ answer: string }>(), Promise.withResolvers<{ answer: string }>()]
  const calls = { current: 0 }
  let asked = 0
  const { change, leave } = changing(true, {
    calls,
    learn: () => answers[asked++]?.promise ?? Promise.resolve(undefined),
  })
  const [first, second] = [vi.fn(), vi.fn()]
  leave()
  change.mutate('first', { onSuccess: first })
  await vi.waitFor(() => expect(asked).toBe(1))
  change.mutate('second', { onSuccess: second })
  await vi.waitFor(() => expect(asked).toBe(2))
  for (const [at, { resolve }] of answers.entries()) resolve({ answer: String(at) })
  await vi.waitFor(() => expect(second).toHaveBeenCalledExactlyOnceWith('1'))
  expect(first).not.toHaveBeenCalled()
})
