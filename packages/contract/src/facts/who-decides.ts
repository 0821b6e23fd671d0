/** `named`: the arbiter of the task; `any`: whoever of the list; the operator may decide beside them all. */
export type Deciders = 'named' | 'any' | 'operator'

type Known = {
  /** Whom the policy of the task names alone. */
  readonly named: string | null
  /** Whom the operator names; lower case, as all addresses here. */
  readonly arbiters: readonly string[]
  /** Whoever is known to be a party. */
  readonly sides: readonly string[]
}

/**
 * Who may decide a dispute that nobody has ruled on. An arbiter is never a side, and one whom the operator no longer
 * names rules no more (decision 0168).
 */
export function whoDecides({ named, arbiters, sides }: Known): Deciders {
  const others = arbiters.filter((one) => !sides.includes(one))
  if (named !== null) return others.includes(named) ? 'named' : 'operator'
  return others.length > 0 ? 'any' : 'operator'
}
