import { describe, expect, test } from 'vitest'
import type { DueSearch } from '../ports/store-searches.ts'
import { filterData, firstIdAt, lookUntil } from '../searches/saved-search.ts'
import { anyFilter as filter } from '../testing/any-filter.ts'
import { scriptedDeps, scriptedNow as now, type Script } from '../testing/scripted-deps.ts'
import { runSearches } from './run-searches.ts'

const later = (ms: number): Date => new Date(now.getTime() + ms)
const heldUntil = later(30_000)
const due = (wallet: string, more: Partial<DueSearch> = {}): DueSearch => ({
  wallet,
  slot: 1,
  name: 'Gates',
  filter,
  party: 'agent',
  savedAt: now,
  endsAt: later(1e9),
  toldAt: null,
  seen: firstIdAt(later(-3_600_000)),
  dueAt: heldUntil,
  heldUntil,
  isBanned: false,
  ...more,
})
const until = lookUntil(now)
const rests = (wallet: string) => ({ wallet, slot: 1, heldUntil, seen: until, dueAt: later(600_000), toldAt: null })

async function ran(searches: readonly DueSearch[], script: Script = {}) {
  const one = scriptedDeps({
    leaseSearches: searches,
    newTasks: { taskIds: [], seen: until },
    endLook: true,
    ...script,
  })
  return { looks: await runSearches(one.deps), of: one.of, asked: one.asked }
}

describe('a round of saved searches', () => {
  test('forgets what ended, and takes fifty', async () => {
    const { looks, of } = await ran([])
    expect([looks, of('forgetSearches'), of('leaseSearches')]).toEqual([0, [[now, 50]], [[now, heldUntil, 50]]])
    expect(of('restSearches')).toEqual([])
  })

  test('looks behind where each search was, and ends all that found nothing in one statement', async () => {
    const { looks, of } = await ran([due('a'), due('b')])
    expect(looks).toBe(2)
    const { allParties: _all, ...asked } = filter
    const window = { after: firstIdAt(later(-3_600_000)), until, wallet: 'a' }
    expect(of('newTasks')[0]).toEqual([{ ...asked, takenBy: 'agent' }, window, 20, now])
    expect(of('restSearches')).toEqual([[[rests('a'), rests('b')]]])
    expect(of('tellWallet')).toEqual([])
  })

  test('tells what it found in the commit that ends the look', async () => {
    const { of, asked } = await ran([due('a')], { newTasks: { taskIds: ['task'], seen: until } })
    expect(asked.map(([method]) => method)).toEqual([
      'forgetSearches',
      'leaseSearches',
      'newTasks',
      'transaction',
      'endLook',
      'tellWallet',
    ])
    const end = { seen: until, dueAt: later(6 * 3_600_000), toldAt: now }
    expect(of('endLook')).toEqual([[due('a'), end]])
    const data = { slot: 1, name: 'Gates', filter: filterData(filter), task_ids: ['task'], has_more: false }
    expect(of('tellWallet')).toEqual([['a', { id: expect.any(String) as string, type: 'search.found', at: now, data }]])
  })

  test('tells nothing where the search is another by now', async () => {
    const { of } = await ran([due('a')], { newTasks: { taskIds: ['task'], seen: until }, endLook: false })
    expect([of('endLook').length, of('tellWallet'), of('restSearches')]).toEqual([1, [], []])
  })

  test('looks for nothing for whoever is banned', async () => {
    const { of } = await ran([due('a', { isBanned: true })])
    expect([of('newTasks'), of('restSearches')]).toEqual([[], [[[rests('a')]]]])
  })

  test('ends the others where one look fails, and says so', async () => {
    const newTasks = (_filter: unknown, { wallet }: { readonly wallet: string }) => {
      if (wallet === 'broken') throw new Error('down')
      return { taskIds: [], seen: until }
    }
    const one = scriptedDeps({ leaseSearches: [due('broken'), due('b')], newTasks })
    await expect(runSearches(one.deps)).rejects.toThrow('down')
    expect(one.of('restSearches')).toEqual([[[rests('b')]]])
  })
})
