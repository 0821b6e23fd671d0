import { platform } from './surroundings/platform.ts'

/** Service managers kill a process that takes longer. */
export const stopLimitMs = 20_000

/** Whether it ended in time. @throws what disposing of it throws */
export async function endsWithin(limitMs: number, owner: AsyncDisposable): Promise<boolean> {
  const { promise: late, resolve } = Promise.withResolvers<false>()
  const cancel = platform.after(limitMs, () => {
    resolve(false)
  })
  const ended = Promise.resolve(owner[Symbol.asyncDispose]()).then(() => true as const)
  return Promise.race([ended, late]).finally(cancel)
}
