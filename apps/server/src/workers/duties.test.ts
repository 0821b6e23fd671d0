import type { Market } from '@ergon/core'
import { expect, test } from 'vitest'
import { startDuties, type DutyDeps } from './duties.ts'

type Steps = 'settleApprovals' | 'unnameLostSweeps' | 'forget'

test('what goes in steps of a thousand goes on at once after a full one, and rests after one that was not', async () => {
  const taken: Record<Steps, number[]> = { settleApprovals: [], unnameLostSweeps: [], forget: [] }
  const steps =
    (name: Steps) =>
    async (limit: number): Promise<number> =>
      taken[name].push(limit) < 3 ? limit : limit - 1
  const nothing = async (): Promise<number> => 0
  const deps: DutyDeps = {
    // Whatever duty of the market is asked for has nothing to do.
    duties: new Proxy({}, { get: () => nothing }) as Market['duties'],
    isPaused: () => false,
    settleApprovals: steps('settleApprovals'),
    unnameLostSweeps: steps('unnameLostSweeps'),
    forget: { anything: steps('forget') },
    webhooks: { fanOut: nothing, begin: nothing },
    ...{ takeBackOrders: nothing, pushTasks: nothing, pushNotices: nothing, mailNotices: nothing },
    onError: (name, error) => {
      throw new Error(name, { cause: error })
    },
  }
  await using _ = startDuties(deps)
  const all = [1_000, 1_000, 1_000]
  await expect.poll(() => taken).toEqual({ settleApprovals: all, unnameLostSweeps: all, forget: all })
  await new Promise((resolve) => setTimeout(resolve, 200))
  expect(taken.unnameLostSweeps).toEqual(all)
})
