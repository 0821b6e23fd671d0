import type { Surroundings } from './surroundings.ts'

/** Reads at most once in `ms`, however many ask: whoever asks meanwhile is given what was read, or is being read. */
export function remembered<T>(
  surroundings: Pick<Surroundings, 'monotonic'>,
  ms: number,
  read: () => Promise<T>,
): () => Promise<T> {
  let known: { readonly answer: Promise<T>; readonly until: number } | undefined
  return () => {
    if (known === undefined || known.until <= surroundings.monotonic())
      known = { answer: read(), until: surroundings.monotonic() + ms }
    return known.answer
  }
}
