import { expect, test } from 'vitest'
import { csvOf } from './csv.ts'

test.each([
  [['a', 1, null], 'a,1,\r\n'],
  [['a,b', 'say "x"', 'two\nlines'], '"a,b","say ""x""","two\nlines"\r\n'],
  [['=1+1', '+x', '-x', '@x', '\tx'], "'=1+1,'+x,'-x,'@x,'\tx\r\n"],
  [[-5], '-5\r\n'],
])('a row is written as RFC 4180 says, and no cell runs as a formula: %j', (row, text) => {
  expect(csvOf([row])).toBe(text)
})
