import type { Kept } from '../machine/close-platform.ts'
import type { FaultFilter } from '../world/faults.ts'
import { replay, type OpenWorld, type Run } from './drive.ts'

/**
 * The shortest story of a failure: as few of its first faults as still make the seed fail, and of those only the ones
 * that it needs. Runs the seed again and again.
 */
export async function shorten(
  failed: Run,
  open: OpenWorld,
  kept: Kept,
): Promise<{ readonly filter: FaultFilter; readonly run: Run }> {
  const fails = async (filter: FaultFilter): Promise<boolean> =>
    (await replay(failed.seed, open, kept, filter, false)).violation !== null
  let first = failed.faults.length === 0 ? 0 : (failed.faults.at(-1)?.index ?? 0) + 1
  // Faults are few: from the left, the first number that is enough.
  for (let fewer = 0; fewer < first; fewer += 1) {
    if (await fails({ first: fewer })) {
      first = fewer
      break
    }
  }
  const without = new Set<number>()
  for (let index = 0; index < first; index += 1) {
    if (await fails({ first, without: new Set([...without, index]) })) without.add(index)
  }
  const filter = { first, without }
  return { filter, run: await replay(failed.seed, open, kept, filter, true) }
}
