import { oneIf, samplesBy, type Figures, type Told, type ToldOf } from './figure.ts'

export const sourceFigures = {
  ergon_database_up: {
    type: 'gauge',
    says: '1 where the database answered at least one of the questions for this page, 0 where it answered none.',
  },
  ergon_source_up: {
    type: 'gauge',
    says: '1 where the figures of this source were read for this page; where it is 0 they are left out.',
    labels: ['source'],
  },
} as const

/** Figures that are asked for, each from a place that may be silent. */
export type Sources<Of extends Figures> = Readonly<Record<string, () => Promise<ToldOf<Of>>>>

/** A page is read within a second, whatever hangs. */
const patienceMs = 1_000

/**
 * Asks all sources at once. One that fails or takes longer than a second keeps only its own figures from being told. It
 * is not asked again while it still owes an answer, so a silent database has one question of each open.
 */
export function createSources<Of extends Figures>(
  sources: Sources<Of>,
  waitMs = patienceMs,
): () => Promise<ToldOf<Of & typeof sourceFigures>> {
  const asked = Object.entries(sources).map(([name, read]) => [name, askedOnce(read)] as const)
  return async () => {
    const answers = await Promise.all(asked.map(async ([name, read]) => [name, await within(read(), waitMs)] as const))
    const isUp = answers.map(([name, answer]) => [name, oneIf(answer !== undefined)] as const)
    const told = answers.map(([, answer]) => answer ?? {})
    const sourcesUp: Readonly<Record<string, Told>> = {
      ergon_database_up: oneIf(isUp.some(([, up]) => up === 1)),
      ergon_source_up: samplesBy('source', isUp),
    }
    // Each source names figures of this table, and these two are of the other.
    return Object.assign({}, ...told, sourcesUp) as ToldOf<Of & typeof sourceFigures>
  }
}

/** Undefined for a failure. Whoever comes while it is asked is given the same answer. */
function askedOnce<T>(read: () => Promise<T>): () => Promise<T | undefined> {
  let open: Promise<T | undefined> | undefined
  return () => {
    open ??= read()
      .catch(() => undefined)
      .finally(() => {
        open = undefined
      })
    return open
  }
}

async function within<T>(answer: Promise<T | undefined>, ms: number): Promise<T | undefined> {
  const { promise: late, resolve } = Promise.withResolvers<undefined>()
  const timer = setTimeout(() => {
    resolve(undefined)
  }, ms)
  return Promise.race([answer, late]).finally(() => {
    clearTimeout(timer)
  })
}
