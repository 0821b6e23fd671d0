import { expect, test, vi } from 'vitest'
import { createKept } from './kept.ts'

/** As a browser's, with room for so many texts; none: it is forbidden. */
function storageFor(texts: number | 'none'): () => Storage {
  const kept: Record<string, string> = {}
  const methods = {
    getItem: (key: string): string | null => kept[key] ?? null,
    setItem: (key: string, text: string): void => {
      if (!(key in kept) && Object.keys(kept).length === texts) throw new DOMException('full', 'QuotaExceededError')
      kept[key] = text
    },
    removeItem: (key: string): void => {
      delete kept[key]
    },
  }
  const storage = new Proxy(kept, { get: (all, key: string) => methods[key as keyof typeof methods] ?? all[key] })
  return () => {
    if (texts === 'none') throw new DOMException('forbidden', 'SecurityError')
    return storage as unknown as Storage // the part of it that is used
  }
}

test('what a storage has room for outlives the page', () => {
  const kept = createKept(storageFor(1))
  expect(kept.keep('a', '1')).toBe(true)
  expect([kept.read('a'), kept.held(), kept.keys()]).toEqual(['1', [], ['a']])
  kept.forget('a')
  expect(kept.read('a')).toBeNull()
})

test('what it has no room for lives with the page, says so, and is kept once there is room', () => {
  const kept = createKept(storageFor(1))
  const told = vi.fn()
  kept.subscribe(told)
  kept.keep('a', '1')
  expect(kept.keep('b', '2')).toBe(false)
  expect([kept.read('b'), kept.held(), kept.keys()]).toEqual(['2', ['b'], ['b', 'a']])
  kept.forget('a')
  expect(kept.keep('b', '3')).toBe(true)
  expect([kept.read('b'), kept.held()]).toEqual(['3', []])
  expect(told).toHaveBeenCalledTimes(2)
})

test('a storage that is forbidden ends nothing', () => {
  const kept = createKept(storageFor('none'))
  expect([kept.read('a'), kept.keys(), kept.keep('a', '1'), kept.read('a'), kept.held()]).toEqual([
    null,
    [],
    false,
    '1',
    ['a'],
  ])
  kept.forget('a')
  expect([kept.read('a'), kept.held()]).toEqual([null, []])
})
