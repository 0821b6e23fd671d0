import { expect, test } from 'vitest'
import { noDecision, readDecision, type DecisionDraft } from './decision.ts'

const dispute_id = '0190a5b0-0000-7000-8000-000000000001'
const draft: DecisionDraft = { ...noDecision, verdict: 'split', share: '40', reason: 'Half of it is there.' }

test('a split carries the share of the payer, and every other verdict carries none', () => {
  expect(readDecision(dispute_id, draft)).toEqual({
    input: { dispute_id, verdict: 'split', split_pct: 40, reason: 'Half of it is there.' },
  })
  expect(readDecision(dispute_id, { ...draft, verdict: 'refund', actor: ' Carla ' })).toEqual({
    input: { dispute_id, verdict: 'refund', reason: 'Half of it is there.', actor: 'Carla' },
  })
})

test.each([
  ['nothing chosen', { verdict: '' }, ['verdict']],
  ['a share that is none', { share: '100' }, ['split_pct']],
  ['no share', { share: '' }, ['split_pct']],
  ['no reason', { reason: '  ' }, ['reason']],
  ['nothing at all', noDecision, ['reason', 'verdict']],
] as const)('%s is no decision, and the fields are named', (_name, part, fields) => {
  const read = readDecision(dispute_id, { ...draft, ...part })
  expect('faults' in read ? Object.keys(read.faults).sort() : []).toEqual(fields)
})
