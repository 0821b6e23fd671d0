import { createMemoryHistory } from '@tanstack/react-router'
import { expect, test } from 'vitest'
import { isPageBelow, isSamePage, rememberWay } from './way-back.ts'

const at = (pathname: string, search: Readonly<Record<string, string>> = {}): Parameters<typeof isPageBelow>[0] => ({
  pathname,
  search,
})

test.each([
  ['the page it was opened on', at('/t'), at('/t', { choose: '1' }), at('/t'), true],
  ['the same page of another slice', at('/t', { offset: '20' }), at('/t', { dialog: 'new' }), at('/t'), true],
  [
    'the page before its submission was named',
    at('/r'),
    at('/r', { submission: '1', do: 'approve' }),
    at('/r', { submission: '1' }),
    true,
  ],
  ['another page', at('/sign-in'), at('/t', { apply: '1' }), at('/t'), false],
  ['the page with the dialog open', at('/t', { apply: '1' }), at('/t', { apply: '1' }), at('/t'), false],
  ['where nothing is open', at('/t', { offset: '20' }), at('/t'), at('/t'), false],
])('below a dialog is the page without it: %s', (_, before, open, closed, is) => {
  expect(isPageBelow(before, open, closed)).toBe(is)
})

test('an entry of the history remembers the one before it, also once it is replaced or gone to twice', async () => {
  const history = createMemoryHistory({ initialEntries: ['/'] })
  rememberWay(history)
  history.push('/a', {})
  expect(history.location.state.cameFrom).toBe('/')
  history.replace('/a?x=1', {})
  expect(history.location.state.cameFrom).toBe('/')
  history.push('/a?x=1', {})
  expect([history.length, history.location.state.cameFrom]).toEqual([2, '/'])
})

test('an entry of the history knows how many of its own page are right before it', () => {
  const history = createMemoryHistory({ initialEntries: ['/'] })
  rememberWay(history)
  const before = (): number | undefined => history.location.state.samePageBefore
  history.push('/publish', {})
  expect(before()).toBe(0)
  history.push('/publish?step=proof', {})
  history.push('/publish?step=money#top', {})
  expect(before()).toBe(2)
  history.replace('/publish?step=check', {})
  expect(before()).toBe(2)
  history.push('/tasks/1', {})
  expect(before()).toBe(0)
  history.push('/tasks/1?apply=1', {})
  history.replace('/work', {})
  expect(before()).toBe(0)
})

test.each([
  ['/t', '/t', true],
  ['/t/', '/t', true],
  ['/', '/', true],
  ['/', '/t', false],
  ['/find', '/t', false],
])('a dialog of %s is closed on %s: %s', (here, page, is) => {
  expect(isSamePage(at(here), at(page))).toBe(is)
})
