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
    ...{ networks: ['localnet'], unserved: [] },
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

test('a network whose rounds never end keeps no other network from its rounds, and its faults slow no other down', async () => {
  const rounds = new Map<string, number>()
  const nothing = async (): Promise<number> => 0
  const onNetwork = async (...given: readonly unknown[]): Promise<number> => {
    const network = String(given.at(-1))
    rounds.set(network, (rounds.get(network) ?? 0) + 1)
    if (network === 'silent' || network === 'left') return new Promise(() => undefined)
    if (network === 'broken') throw new Error('broken')
    return 1
  }
  const faults: string[] = []
  const chained = ['reconcile', 'finishCashOuts', 'watchRefused', 'disburseFees', 'relayRatings', 'followChains']
  const timed = ['expire', 'runTimers', 'checkIdentities']
  const duties = new Proxy(
    {},
    { get: (_of, name) => ([...chained, ...timed].includes(String(name)) ? onNetwork : nothing) },
  )
  startDuties({
    duties: duties as Market['duties'],
    ...{ networks: ['silent', 'broken', 'healthy'], unserved: ['left'] },
    isPaused: () => false,
    settleApprovals: nothing,
    unnameLostSweeps: nothing,
    forget: {},
    webhooks: { fanOut: nothing, begin: nothing },
    ...{ takeBackOrders: nothing, pushTasks: nothing, pushNotices: nothing, mailNotices: nothing },
    onError: (name) => faults.push(name),
  })
  await expect.poll(() => rounds.get('healthy')).toBeGreaterThan(30)
  expect(rounds.get('silent')).toBe(chained.length + timed.length)
  // Of what is not served, the deadlines pass and the orders are in doubt; nothing else is asked of its chain.
  expect(rounds.get('left')).toBe(['reconcile', 'expire', 'runTimers'].length)
  expect(rounds.get('broken')).toBeLessThan(20)
  expect(faults).toContain('reconcile:broken')
})
