import { expect, test } from 'vitest'
import { webLink } from './web-link.ts'

test.each([
  ['https://example.org/a', 'https://example.org/a'],
  ['http://127.0.0.1:4020/x?y=1', 'http://127.0.0.1:4020/x?y=1'],
  ['javascript:alert(1)', undefined],
  [' JaVaScRiPt:alert(1)', undefined],
  ['data:text/html,<script>', undefined],
  ['https://bank@evil.example/', undefined],
  ['//example.org', undefined],
  ['nothing', undefined],
  [null, undefined],
])('a link from data is followed only to a page: %s', (text, link) => {
  expect(webLink(text)).toBe(link)
})
