/** What is told under one name, in the words of Prometheus. */
export type Figure = {
  readonly type: 'gauge' | 'counter' | 'histogram'
  readonly says: string
  /** What tells its samples apart. Each has a bounded number of values: no wallets, no ids. */
  readonly labels?: readonly string[]
}
/** Figures by their names, in the order in which they are told. */
export type Figures = Readonly<Record<string, Figure>>

export type Sample = {
  readonly labels?: Readonly<Record<string, string>>
  readonly value: number
  /** Of a histogram. */
  readonly part?: '_bucket' | '_sum' | '_count'
}

/** A number, or one for each of its labels; null where nobody knows it now: then it is left out. */
export type Told = number | null | readonly Sample[]

/** What is known of some figures. */
export type ToldOf<Of extends Figures> = { readonly [Name in keyof Of]?: Told }

/** One sample for each entry, under the one label that the figure has. */
export function samplesBy(label: string, values: Iterable<readonly [string, number]>): readonly Sample[] {
  return Array.from(values, ([key, value]) => ({ labels: { [label]: key }, value }))
}

/** A condition as a number. */
export function oneIf(isSo: boolean): 0 | 1 {
  return isSo ? 1 : 0
}
