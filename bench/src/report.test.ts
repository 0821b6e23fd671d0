import { expect, test } from 'vitest'
import { reportTable, rounded } from './report.ts'

test.each([
  ['signature_ratio', 20, 'reached (at least 20)'],
  ['signature_ratio', 19.99, 'missed  (at least 20)'],
  ['list_share', 0.69, 'missed  (at least 0.7)'],
  ['ready_seconds', 4, 'reached (at most 4)'],
  ['rss_mib', 301, 'missed  (at most 300)'],
])('%s of %d is told as %s', (name, value, verdict) => {
  expect(reportTable({ [name]: value })).toContain(verdict)
})

test('a figure without a target is printed by itself', () => {
  expect(reportTable({ publish_cpu_us: 186.71 })).toBe('  publish_cpu_us       186.7')
})

test('four digits are kept', () => {
  expect(rounded({ a: 15_491.806, b: 0.613_97 })).toEqual({ a: 15_490, b: 0.614 })
})
