import { globSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { alarmRows } from '@ergon/dev-env/testing'
import { expect, test } from 'vitest'
import { readinessOf } from '../../src/live/readiness.ts'

const root = fileURLToPath(new URL('../../../', import.meta.url))

test('each alarm of the guide for operators is provoked by a test that names it, and each such test has its row', () => {
  const provoked = globSync('{server,facilitator,gateway}/test/**/*.test.ts', { cwd: root }).flatMap((file) =>
    [...readFileSync(`${root}${file}`, 'utf8').matchAll(/^\s*'alarm (\w+): |^\s*test\(\s*'alarm (\w+): /gm)].map(
      ([, one, other]) => one ?? other ?? '',
    ),
  )
  expect(alarmRows().length).toBeGreaterThan(10)
  // Two services may have the same alarm.
  expect(alarmRows().toSorted()).toEqual([...new Set(provoked)].toSorted())
})

test('every reason that a server gives is an alarm', () => {
  const worst = {
    silent: { silentMs: 9_000, refusedMs: 0, isWritable: false, clockAheadMs: 60_000 },
    unwritable: { silentMs: 0, refusedMs: 9_000, isWritable: true, clockAheadMs: 2_000 },
  }
  const reasons = Object.values(worst).flatMap(
    (database) =>
      readinessOf({
        database,
        wentBack: true,
        eventsLateMs: 60_000,
        reached: { facilitator: false, networks: { base: false } },
        isContradicted: true,
        unwrittenMs: 60_000,
        takesFiles: false,
        isEvidenceMissing: true,
        isMailRefused: true,
      }).reasons,
  )
  const names = new Set(reasons.map((one) => one.split(':', 1)[0] ?? ''))
  expect([...names].filter((one) => !alarmRows().includes(one))).toEqual([])
})
