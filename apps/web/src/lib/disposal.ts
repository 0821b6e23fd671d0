/** Safari has no such symbols as of its version 26; every `[Symbol.dispose]` would be a property called `undefined`. */
export function provideDisposal(): void {
  for (const name of ['dispose', 'asyncDispose'] as const)
    if (!(name in Symbol)) Object.defineProperty(Symbol, name, { value: Symbol.for(`Symbol.${name}`) })
}
