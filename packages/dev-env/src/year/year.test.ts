import { describe, expect, test } from 'vitest'
import { moved, paidJob, payee, payer } from '../storm/proof/paid-job.ts'
import { findingsOf } from '../storm/proof/verdict.ts'
import { wrongIn } from './audit.ts'
import { yearFaults } from './faults.ts'
import { readYearOptions } from './options.ts'
import { linesOf, yearReportOf, type Part, type YearHappened } from './report.ts'

/** A year of one job that went well. */
function goodYear(): { world: ReturnType<typeof paidJob>; happened: YearHappened } {
  const world = paidJob()
  return { world, happened: yearOf(world) }
}

const part: Part = {
  name: 'load',
  what: 'whole jobs, nothing breaks',
  fault: undefined,
  played: [],
  seconds: 2,
  said: [],
  findings: [],
  failure: undefined,
}

function yearOf({ chain, tables, played }: ReturnType<typeof paidJob>): YearHappened {
  return {
    history: 1,
    historySeconds: 1,
    parts: [
      { ...part, played: [played] },
      { ...part, name: 'kill-server-a', fault: { name: 'kill-server-a', from: 1_000, to: 1_100 } },
    ],
    audit: [],
    findings: findingsOf({ chain, tables, played: [played] }),
    openings: new Map([['one', { from: 900, to: 3_000 }]]),
    deaths: 0,
    seconds: 3,
  }
}

describe('the report of a year', () => {
  test('is well when every job ended once and the audit agrees', () => {
    const report = yearReportOf(goodYear().happened)
    expect(report).toMatchObject({ ok: true, jobs: 1, completed: 1, faults: 1, lost: 0, doubled: 0, findings: [] })
    expect(report.rows[1]).toMatchObject({ part: 'kill-server-a', recovery_seconds: 2 })
    expect(linesOf(report).join('\n')).toContain('kill-server-a')
  })

  test('is not well when a job was paid twice', () => {
    const { world } = goodYear()
    world.chain.transfers.push(moved(payer, payee, 870_000n, 9))
    expect(yearReportOf(yearOf(world))).toMatchObject({ ok: false, doubled: 2, lost: 0 })
  })

  test('is not well when the money of a job never arrived, or it did not end', () => {
    const { world } = goodYear()
    world.chain.transfers.splice(2, 1)
    expect(yearReportOf(yearOf(world))).toMatchObject({ ok: false, doubled: 0, lost: 1 })
    const other = goodYear().world
    other.played.isDone = false
    expect(yearReportOf(yearOf(other))).toMatchObject({ ok: false, completed: 0, lost: 1 })
  })

  test.each<[string, Partial<YearHappened>]>([
    ['nothing was done', { parts: [] }],
    ['a part was not reached', { parts: [...goodYear().happened.parts, { ...part, failure: 'no time' }] }],
    [
      'something was wrong after one fault and was gone in the end',
      { parts: [...goodYear().happened.parts, { ...part, findings: [{ kind: 'lost', text: 'for a while' }] }] },
    ],
    ['the audit of the service disagrees', { audit: ['the ledger does not balance'] }],
    ['a server ended by itself', { deaths: 1 }],
  ])('is not well when %s', (_, change) => {
    expect(yearReportOf({ ...goodYear().happened, ...change }).ok).toBe(false)
  })
})

test('what the audit says is wrong is repeated in words', () => {
  const well = {
    status: 'healthy',
    in_flight: 0,
    in_doubt: 0,
    ledger_balanced: true,
    findings: { stuck: 0 },
    audited_at: '',
  }
  expect(wrongIn(well)).toEqual([])
  expect(wrongIn({ ...well, ledger_balanced: false, in_doubt: 2, findings: { stuck: 0, orphaned: 1 } })).toEqual([
    'the ledger does not balance',
    '2 settlements are open',
    '1 findings of the kind orphaned',
  ])
  expect(wrongIn(undefined)).toHaveLength(1)
})

test('the options of the command are read, and what it does not know is refused', () => {
  expect(readYearOptions(['--short', '--faults', 'moved-clock,full-disk', '--load', '2', '--json'])).toMatchObject({
    history: 5_000,
    load: 2,
    faults: ['moved-clock', 'full-disk'],
    isUnhurried: false,
    json: true,
  })
  expect(readYearOptions([]).faults).toEqual(Object.keys(yearFaults))
  expect(readYearOptions([]).seconds).toBeLessThanOrEqual(15 * 60)
  expect(readYearOptions(['--short']).seconds).toBeLessThanOrEqual(4 * 60)
  for (const words of [
    ['--faults', 'bite'],
    ['--jobs', '1'],
    ['--load', 'x'],
  ])
    expect(() => readYearOptions(words)).toThrow()
})
