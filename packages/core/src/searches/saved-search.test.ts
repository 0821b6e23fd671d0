import { describe, expect, test } from 'vitest'
import { anyFilter as filter } from '../testing/any-filter.ts'
import {
  afterLook,
  askedBy,
  filterData,
  firstIdAt,
  foundData,
  lookUntil,
  newSearch,
  type SavedFilter,
} from './saved-search.ts'

const now = new Date('2026-11-26T12:00:00.000Z')
const later = (minutes: number): Date => new Date(now.getTime() + minutes * 60_000)
const full: SavedFilter = {
  words: 'Camión rojo',
  category: 'research',
  network: 'base',
  target: 'agent',
  minBountyUsd: '0.5',
  maxBountyUsd: '20',
  box: { west: 170, south: -20.5, east: -170, north: 10 },
  allParties: true,
}
const ids = (count: number): string[] => Array.from({ length: count }, (_, index) => String(index))

test('a search hears of what is new from now on, first after ten minutes, and ends after ninety days', () => {
  const of = { wallet: 'w', slot: 1, name: 'Gates', filter, party: 'human' } as const
  expect(newSearch(of, now)).toEqual({
    ...of,
    savedAt: now,
    endsAt: new Date('2027-02-24T12:00:00.000Z'),
    toldAt: null,
    seen: firstIdAt(now),
    dueAt: later(10),
  })
})

test('a task is looked at two minutes after it was published', () => {
  expect(lookUntil(now)).toBe(firstIdAt(later(-2)))
})

test('ids of a moment sort behind those before it and before those after it', () => {
  expect(firstIdAt(now)).toBe('01a217ba-1200-7000-8000-000000000000')
  expect(firstIdAt(new Date(1))).toBe('00000000-0001-7000-8000-000000000000')
  expect(firstIdAt(new Date(-1))).toBe('00000000-0000-7000-8000-000000000000')
})

describe('after a look', () => {
  const until = lookUntil(now)
  const before = { toldAt: later(-60) }
  test('that found nothing the search rests for ten minutes', () => {
    const end = { seen: until, dueAt: later(10), toldAt: later(-60) }
    expect(afterLook(before, { taskIds: [], seen: until }, now)).toEqual(end)
  })
  test('that found nothing and did not come to the end it goes on at once', () => {
    const seen = firstIdAt(later(-5))
    expect(afterLook(before, { taskIds: [], seen }, now)).toEqual({ seen, dueAt: now, toldAt: later(-60) })
  })
  test('that found something it rests for six hours and goes on at the end', () => {
    const look = { taskIds: ['one'], seen: firstIdAt(later(-5)) }
    expect(afterLook(before, look, now)).toEqual({ seen: until, dueAt: later(360), toldAt: now })
  })
})

describe('the owner is told', () => {
  const search = { slot: 2, name: 'Gates', filter }
  const told = (count: number, seen = lookUntil(now)) => foundData(search, { taskIds: ids(count), seen }, now)
  test('of twenty tasks at the most, and whether there are more', () => {
    expect(told(20)).toEqual({ slot: 2, name: 'Gates', filter: filterData(filter), task_ids: ids(20), has_more: false })
    expect(told(21)).toMatchObject({ task_ids: ids(20), has_more: true })
  })
  test('that there may be more where the look did not come to the end', () => {
    expect(told(1, firstIdAt(later(-5)))).toMatchObject({ task_ids: ['0'], has_more: true })
  })
})

test('a filter is shown in the words of the list', () => {
  expect(filterData(full)).toEqual({
    q: 'Camión rojo',
    category: 'research',
    network: 'base',
    target_executor_type: 'agent',
    min_bounty: 0.5,
    max_bounty: 20,
    box: '170,-20.5,-170,10',
    all_parties: true,
  })
  expect(filterData(filter)).toEqual({
    q: null,
    category: null,
    network: null,
    target_executor_type: null,
    min_bounty: null,
    max_bounty: null,
    box: null,
    all_parties: false,
  })
})

test('the tasks are asked as the list asks them, for the party of the owner unless all are wanted', () => {
  const { words, allParties, ...same } = full
  expect([words, allParties]).toEqual(['Camión rojo', true])
  expect(askedBy({ filter: full, party: 'human' })).toEqual({ ...same, words: ['camion', 'rojo'], takenBy: null })
  expect(askedBy({ filter, party: 'robot' })).toMatchObject({ words: null, takenBy: 'robot' })
})
