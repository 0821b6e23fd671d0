import fc from 'fast-check'
import { expect, test } from 'vitest'
import { bucketOf, decisionHours, historyOf, noDecisions, type Decisions } from './decisions.ts'

const hourMs = 3_600_000
const after = (...hours: readonly number[]): Decisions => {
  const counts = [...noDecisions.hours]
  for (const each of hours) counts[bucketOf(each * hourMs)] = (counts[bucketOf(each * hourMs)] ?? 0) + 1
  return { ...noDecisions, decided: hours.length, hours: counts }
}

test('a publisher without a history has none, and no share of nothing', () => {
  expect(historyOf(noDecisions)).toEqual({ handedIn: 0, medianHours: null, rejectedShare: null, silentShare: null })
})

test('there is a bucket for each end, and one for what took longer', () => {
  expect(noDecisions.hours).toEqual([0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0])
})

test.each([
  [0, 0],
  [1, 0],
  [1.01, 1],
  [336, 10],
  [337, 11],
])('%d hours are counted in bucket %d', (hours, bucket) => {
  expect(bucketOf(hours * hourMs)).toBe(bucket)
})

test('the median is the upper end of the bucket that holds it', () => {
  expect(historyOf(after(0.5, 3, 70)).medianHours).toBe(4)
  expect(historyOf(after(400)).medianHours).toBeNull()
})

test('shares are of what was decided and what lapsed together', () => {
  expect(historyOf({ ...after(1, 1, 1), rejected: 1, silent: 1 })).toMatchObject({
    handedIn: 4,
    rejectedShare: 0.25,
    silentShare: 0.25,
  })
})

test('the median never is below half of the times', () => {
  fc.assert(
    fc.property(fc.array(fc.integer({ min: 0, max: 330 }), { minLength: 1, maxLength: 40 }), (hours) => {
      const { medianHours } = historyOf(after(...hours))
      expect(hours.filter((each) => each <= (medianHours ?? 0)).length * 2).toBeGreaterThanOrEqual(hours.length)
      expect(decisionHours).toContain(medianHours)
    }),
  )
})
