import { expect, test } from 'vitest'
import { isClockFarOff, readinessOf, type Sight } from './readiness.ts'

const well: Sight = {
  database: { silentMs: 100, refusedMs: 0, isWritable: true, clockAheadMs: 3 },
  wentBack: false,
  eventsLateMs: 200,
  reached: { facilitator: true, networks: { base: true } },
  isContradicted: false,
  unwrittenMs: 2_000,
  takesFiles: true,
  isEvidenceMissing: false,
  isMailRefused: false,
}

test.each([
  ['all is well', {}, 'ready', []],
  ['nothing is known yet', { reached: null, database: { ...well.database, clockAheadMs: null } }, 'ready', []],
  ['the database is silent', { database: { ...well.database, silentMs: 9_000 } }, 'not_ready', ['database_silent']],
  ['it takes in nobody new', { database: { ...well.database, refusedMs: 9_000 } }, 'degraded', ['connections_refused']],
  [
    'a silent one takes in nobody either',
    { database: { ...well.database, silentMs: 9_000, refusedMs: 9_000 } },
    'not_ready',
    ['database_silent'],
  ],
  ['it takes no writes', { database: { ...well.database, isWritable: false } }, 'not_ready', ['database_read_only']],
  ['a clock is two seconds slow', { database: { ...well.database, clockAheadMs: -2_000 } }, 'degraded', ['clock_off']],
  ['or a minute fast', { database: { ...well.database, clockAheadMs: 60_000 } }, 'not_ready', ['clock_far_off']],
  ['the facilitator is another one', { isContradicted: true }, 'not_ready', ['settings_contradict']],
  ['it answers reads alone', { unwrittenMs: 13_000 }, 'not_ready', ['database_unwritable']],
  ['it may have forgotten what it told', { wentBack: true }, 'degraded', ['database_went_back']],
  ['no file can be stored', { takesFiles: false }, 'degraded', ['storage_unwritable']],
  ['what was handed in is elsewhere', { isEvidenceMissing: true }, 'degraded', ['evidence_missing']],
  ['nobody is mailed', { isMailRefused: true }, 'degraded', ['mail_refused']],
  ['events are late', { eventsLateMs: 11_000 }, 'degraded', ['events_late']],
  [
    'payments wait',
    { reached: { facilitator: false, networks: { base: true, polygon: false } } },
    'degraded',
    ['facilitator_unreachable', 'chain_unreachable:polygon'],
  ],
] as const)('when %s', (_when, change, status, reasons) => {
  expect(readinessOf({ ...well, ...change })).toEqual({ status, reasons })
})

test('ten seconds are far off, either way; the unknown is not', () => {
  expect([10_001, -10_001, 10_000, 0, null].map(isClockFarOff)).toEqual([true, true, false, false, false])
})
