import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { draftKey, dropDrafts, hearDropped, ownDrafts } from './draft-owner.ts'

const [ada, bruno] = ['0xada', '0xbruno']
let kept: Record<string, string>

beforeEach(() => {
  kept = {}
  const methods = {
    getItem: (key: string): string | null => kept[key] ?? null,
    setItem: (key: string, text: string): void => {
      kept[key] = text
    },
    removeItem: (key: string): void => {
      delete kept[key]
    },
  }
  vi.stubGlobal(
    'localStorage',
    new Proxy(kept, { get: (all, key: string) => methods[key as keyof typeof methods] ?? all[key] }),
  )
})
afterEach(() => {
  vi.unstubAllGlobals()
})

test('signing out drops every draft, tells the open forms, and touches nothing else', () => {
  const told = vi.fn()
  const stop = hearDropped(told)
  kept[draftKey('publish')] = '{"title":"A gate"}'
  kept[draftKey('apply.1')] = '{"message":"Hello"}'
  kept['ergon.wallet'] = 'test'
  dropDrafts()
  stop()
  dropDrafts()
  expect(kept).toEqual({ 'ergon.wallet': 'test' })
  expect(told).toHaveBeenCalledTimes(1)
})

test('what a visitor typed becomes theirs who sign in, and outlives a session that ended', () => {
  kept[draftKey('publish')] = '{"title":"A gate"}'
  ownDrafts(ada)
  ownDrafts(ada)
  expect(kept[draftKey('publish')]).toBe('{"title":"A gate"}')
})

test('another wallet finds nothing of what was typed before it', () => {
  ownDrafts(ada)
  kept[draftKey('publish')] = '{"title":"A gate"}'
  ownDrafts(bruno)
  expect(kept).toEqual({ 'ergon.drafts.of': bruno })
})
