import { expect, test } from 'vitest'
import { readStormOptions } from './options.ts'
import { recoveryOf, spread } from './report.ts'
import { runStorm } from './storm.ts'

test('a short storm loses nothing, pays nothing twice, books everything and leaves nothing in doubt', async () => {
  const report = await runStorm({ jobs: 16, seconds: 30, seed: 7, faults: [] })
  const { ok, findings, lost, doubled, unbooked, in_doubt, events, deaths } = report
  expect({ ok, findings, lost, doubled, unbooked, in_doubt, events, deaths }).toEqual({
    ok: true,
    findings: [],
    lost: 0,
    doubled: 0,
    unbooked: 0,
    in_doubt: 0,
    events: 0,
    deaths: 0,
  })
  expect(report.faults).toBeGreaterThan(20)
  expect(report.points.answer_lost).toBeGreaterThan(7)
}, 300_000)

test('the options of the command are read, and what it does not know is refused', () => {
  expect(readStormOptions(['--jobs', '5', '--seed', '3', '--faults', 'lose@intents-insert,kill', '--json'])).toEqual({
    jobs: 5,
    seconds: 120,
    seed: 3,
    faults: ['lose@intents-insert', 'kill'],
    json: true,
    help: false,
  })
  for (const words of [['--faults', 'bite'], ['--jobs', 'x'], ['--seconds', '999999'], ['stray']])
    expect(() => readStormOptions(words)).toThrow()
})

test('a fault has recovered when the last settlement that was open during it has ended', () => {
  const openings = new Map([
    ['before', { from: 0, to: 900 }],
    ['during', { from: 950, to: 4_000 }],
    ['after', { from: 2_000, to: 9_000 }],
  ])
  expect(recoveryOf({ name: 'kill server-a', from: 1_000, to: 1_200 }, openings)).toBe(3_000)
  expect(recoveryOf({ name: 'kill server-a', from: 910, to: 920 }, openings)).toBeUndefined()
  expect(spread([1_000, 2_000, 9_000])).toEqual({ median: 2, p99: 9, max: 9 })
})
