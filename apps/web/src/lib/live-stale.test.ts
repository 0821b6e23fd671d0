import { events, operations, type EventName } from '@ergon/contract'
import { expect, test } from 'vitest'
import { staleAfter, staleAfterAnything, staleAfterRoom } from './live-stale.ts'

const types = Object.keys(events) as EventName[] // the keys of the catalogue

test('every event of the catalogue makes something stale, and nothing else does', () => {
  expect(Object.keys(staleAfter).sort()).toEqual(types.toSorted())
  expect(types.filter((type) => staleAfter[type].length === 0)).toEqual([])
})

test('only what reads, and so can be asked again without doing anything, is asked again', () => {
  expect(staleAfterAnything.filter((name) => operations[name].rest.some(({ method }) => method !== 'GET'))).toEqual([])
})

test.each(types)('whatever %s makes stale is asked again by the name its room tells', (type) => {
  expect(staleAfterRoom(events[type].room)).toEqual(expect.arrayContaining([...staleAfter[type], 'events.list']))
})

test('an event of a newer service makes everything stale', () => {
  expect(staleAfterRoom('SomethingNew')).toEqual(staleAfterAnything)
})
