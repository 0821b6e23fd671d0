/** The same object; whatever else is asked of it says that it is not simulated. */
export function elseNotSimulated<T extends object>(simulated: Partial<T>): T {
  // The missing methods throw, which the type of the port allows for any of them.
  return Object.setPrototypeOf(simulated, nothingElse) as T
}

const nothingElse = new Proxy(Object.create(null) as object, {
  get(_target, name): unknown {
    // A promise is asked for `then` by whoever awaits it, and this is none.
    if (typeof name !== 'string' || name === 'then' || name === 'toJSON') return undefined
    return () => Promise.reject(new Error(`not simulated: ${name}`))
  },
})
