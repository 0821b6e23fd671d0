/** Whether it ended in time. @throws what disposing of it throws */
export async function endsWithin(limitMs: number, owner: AsyncDisposable): Promise<boolean> {
  const { promise: late, resolve } = Promise.withResolvers<false>()
  const limit = setTimeout(() => {
    resolve(false)
  }, limitMs)
  const ended = Promise.resolve(owner[Symbol.asyncDispose]()).then(() => true as const)
  return Promise.race([ended, late]).finally(() => {
    clearTimeout(limit)
  })
}
