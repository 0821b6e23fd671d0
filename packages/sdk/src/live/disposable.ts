/**
 * Gives it the method that `await using` calls. Safari has no `Symbol.asyncDispose` as of its version 26, and a
 * property of that name would be called `undefined`; what bundlers make of `await using` for it looks for this one.
 */
export function disposable<Part extends object>(part: Part, close: () => void): Part & AsyncDisposable {
  const key = (Symbol as Partial<SymbolConstructor>).asyncDispose ?? Symbol.for('Symbol.asyncDispose')
  const value = (): Promise<void> => {
    close()
    return Promise.resolve()
  }
  return Object.defineProperty(part, key, { value }) as Part & AsyncDisposable // it has the method now
}
