import { expect, test } from 'vitest'
import { askedOf, readFilters } from './filters.ts'
import { targetOfFound } from './target-of-found.ts'
import { addressOf, freeSlot, losesSome, savedOf } from './saved-filter.ts'

const nothing = {
  q: null,
  category: null,
  network: null,
  target_executor_type: null,
  min_bounty: null,
  max_bounty: null,
  box: null,
  all_parties: false,
}

test('what the list asks the service for is saved, and opens the same list again', () => {
  const search = {
    q: 'gate',
    category: 'research',
    min: '0.5',
    max: '20',
    for: 'agent',
    box: '16.000,48.000,17.000,49.000',
  }
  const saved = savedOf({ ...search, sort: 'bounty' })
  expect(saved).toEqual({
    q: 'gate',
    category: 'research',
    min_bounty: 0.5,
    max_bounty: 20,
    box: search.box,
    target_executor_type: 'agent',
    all_parties: true,
  })
  expect(addressOf({ ...nothing, ...saved, box: '16,48,17,49', all_parties: true })).toEqual(search)
  expect(addressOf(nothing)).toEqual({})
  expect(addressOf({ ...nothing, all_parties: true })).toEqual({ for: 'all' })
})

test('a distance around a place is saved as the box around it', () => {
  expect(savedOf({ near: '48.2,16.3', within: '10' }).box).toBe('16.165,48.110,16.435,48.290')
})

test.each([
  [{ evidence: 'photo' }, true],
  [{ near: '48.2,16.3' }, true],
  [{ near: '48.2,16.3', within: '10' }, false],
  [{ q: 'gate' }, false],
])('%j loses something by being saved: %s', (search, loses) => {
  expect(losesSome(search)).toBe(loses)
})

test('the first free place is taken', () => {
  expect(freeSlot([{ slot: 1 }, { slot: 3 }], 3)).toBe(2)
  expect(freeSlot([{ slot: 1 }, { slot: 2 }], 2)).toBeUndefined()
})

test('one new task is shown itself, several by the list of the search', () => {
  expect(targetOfFound({ task_ids: ['one'], filter: nothing })).toEqual({
    to: '/tasks/$taskId',
    params: { taskId: 'one' },
  })
  expect(targetOfFound({ task_ids: ['one', 'other'], filter: { ...nothing, q: 'gate' } })).toMatchObject({
    to: '/find',
    search: { q: 'gate' },
  })
})

test.each([
  {},
  { q: 'two words', min: '1', for: 'all' },
  { category: 'nonsense', min: 'ten', max: '1e3', for: 'any', box: '1,2,3' },
  { for: 'robot', box: '170,-20.5,-170,10' },
])('%j is read as the list reads it', (search) => {
  expect(savedOf(search)).toEqual(askedOf(readFilters(search)))
})
