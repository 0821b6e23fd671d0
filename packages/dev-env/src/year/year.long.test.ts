import { expect, test } from 'vitest'
import { createPayerActs } from '../storm/stage/payer-acts.ts'
import { readYearOptions } from './options.ts'
import { runYear } from './year.ts'

const tiny = { ...readYearOptions(['--short']), history: 100, load: 4, beside: 2 }

// The build plays every fault in the short year; this one waits between two of them, as the long year does.
test('an unhurried year with a fast server and a full disk loses and doubles nothing', async () => {
  const report = await runYear({
    ...tiny,
    isUnhurried: true,
    faults: ['moved-clock', 'full-disk'],
  })
  const { ok, rows, findings, audit } = report
  expect({ ok, wrong: rows.flatMap(({ wrong }) => wrong), findings, audit }).toEqual({
    ok: true,
    wrong: [],
    findings: [],
    audit: [],
  })
  expect(rows.map(({ jobs, completed }) => [jobs, completed])).toEqual([[4, 4], ...Array(2).fill([2, 2])])
}, 300_000)

test('money that is moved a second time, or taken from who was paid, is found at the end of a real year', async () => {
  const report = await runYear({
    ...tiny,
    load: 8,
    faults: [],
    tamper: async ({ chain }, played) => {
      const acts = createPayerActs(chain.rpcUrl)
      const [one, other] = played.filter(({ kind }) => kind === 'paid').map(({ job }) => job)
      if (one === undefined || other === undefined) throw new Error('two jobs of these are paid')
      await acts.transfer(one.payer.address, one.payee.address, one.grossAtomic)
      await acts.transfer(other.payee.address, '0x000000000000000000000000000000000000dEaD', 1n)
    },
  })
  expect(report.ok).toBe(false)
  expect(report.doubled).toBeGreaterThan(0)
  expect(report.lost).toBeGreaterThan(0)
}, 180_000)
