/** One raw fix, as the contract takes it. */
export type Fix = {
  readonly lat: number
  readonly lng: number
  readonly accuracy_meters: number
  readonly timestamp: string
}
export type Position = Fix & { readonly samples: readonly Fix[] }

export const enoughFixes = 5
export const enoughMs = 10_000
const mostFixes = 30
const roughMetres = 100

export type Quality = {
  readonly word: 'none' | 'collecting' | 'rough' | 'good'
  readonly count: number
  readonly accuracy: number | null
  readonly share: number
}

/** How good a series of fixes is: enough of them, over long enough, and closer than the radius of the task. */
export function qualityOf(fixes: readonly Fix[], radius: number | null): Quality {
  const [first] = fixes
  const last = fixes.at(-1)
  if (first === undefined || last === undefined) return { word: 'none', count: 0, accuracy: null, share: 0 }
  const accuracy = bestOf(fixes, first).accuracy_meters
  const span = Date.parse(last.timestamp) - Date.parse(first.timestamp)
  const share = Math.min(fixes.length / enoughFixes, Math.max(span, 0) / enoughMs, 1)
  const word = share < 1 ? 'collecting' : accuracy > (radius ?? roughMetres) ? 'rough' : 'good'
  return { word, count: fixes.length, accuracy, share }
}

/** The most accurate fix, with those it comes from in the order they were taken. */
export function positionOf(fixes: readonly Fix[]): Position | undefined {
  const samples = fixes.slice(-mostFixes)
  const [first] = samples
  return first === undefined ? undefined : { ...bestOf(samples, first), samples }
}

const bestOf = (fixes: readonly Fix[], first: Fix): Fix =>
  fixes.reduce((best, fix) => (fix.accuracy_meters < best.accuracy_meters ? fix : best), first)
