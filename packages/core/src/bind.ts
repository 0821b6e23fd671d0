/** What the market can do: a function of what it depends on, and then of what its caller gives. */
type Flow<D> = (deps: D, ...given: never[]) => unknown

/** The same functions, without what they stand on; their own signatures say what is left. */
export type Bound<F> = {
  readonly [K in keyof F]: F[K] extends (deps: never, ...given: infer Given) => infer Answer
    ? (...given: Given) => Answer
    : never
}

/** Gives every flow what it depends on. Types and arguments are the flow's own, so none can be lost on the way. */
export function bind<D, F extends Readonly<Record<string, Flow<D>>>>(deps: D, flows: F): Bound<F> {
  const bound = Object.entries(flows).map(([name, flow]) => [name, flow.bind(null, deps)] as const)
  // The names are those of `flows`, and `bind` of a function takes its first argument away.
  return Object.fromEntries(bound) as Bound<F>
}

/** These methods of a port, as they are: what the market only passes on. */
export function pick<P extends object, K extends keyof P>(port: P, names: readonly K[]): Pick<P, K> {
  // The names are the keys that were asked for. A port answers closures: there is no `this` to lose.
  return Object.fromEntries(names.map((name) => [name, port[name]])) as Pick<P, K>
}
