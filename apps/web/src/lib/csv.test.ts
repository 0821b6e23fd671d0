import { resolveObjectURL } from 'node:buffer'
import { afterEach, expect, test, vi } from 'vitest'
import { csvOf, saveAs } from './csv.ts'

afterEach(() => {
  vi.useRealTimers()
  vi.unstubAllGlobals()
})

test.each([
  [['a', 1, null], 'a,1,\r\n'],
  [['a,b', 'say "x"', 'two\nlines'], '"a,b","say ""x""","two\nlines"\r\n'],
  [['=1+1', '+x', '-x', '@x', '\tx'], "'=1+1,'+x,'-x,'@x,'\tx\r\n"],
  [[-5], '-5\r\n'],
])('a row is written as RFC 4180 says, and no cell runs as a formula: %j', (row, text) => {
  expect(csvOf([row])).toBe(text)
})

test('a person whose phone asks before it saves has a minute to say yes, and the file is let go later', async () => {
  vi.useFakeTimers()
  const link = { href: '', download: '', click: vi.fn() }
  vi.stubGlobal('document', { createElement: () => link })
  saveAs('spending.csv', 'a,1', 'text/csv')
  expect(link).toMatchObject({ download: 'spending.csv' })
  expect(link.click).toHaveBeenCalledOnce()
  vi.advanceTimersByTime(60_000)
  expect(await resolveObjectURL(link.href)?.text()).toBe('a,1')
  vi.advanceTimersByTime(600_000)
  expect(resolveObjectURL(link.href)).toBeUndefined()
})
