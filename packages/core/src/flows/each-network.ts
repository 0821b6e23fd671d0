import type { MarketDeps } from './deps.ts'

/**
 * One round of a duty on each of these networks, on all of them where none is named. They go side by side, each with
 * rows of its own, and one that fails keeps no other from ending. Answers what they finished together.
 * @throws what the first network that failed threw, once all have ended
 */
export async function onEach(
  { networks }: Pick<MarketDeps, 'networks'>,
  named: readonly string[] | undefined,
  round: (network: string) => Promise<number>,
): Promise<number> {
  const finished = allOf(await Promise.allSettled((named ?? networks.map(({ name }) => name)).map(round)))
  return finished.reduce((sum, one) => sum + one, 0)
}

/** What each came to. @throws what the first that failed threw */
export function allOf<T>(ended: readonly PromiseSettledResult<T>[]): readonly T[] {
  return ended.map((one) => {
    if (one.status === 'rejected') throw one.reason
    return one.value
  })
}
