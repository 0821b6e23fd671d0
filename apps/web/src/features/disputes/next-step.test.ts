import { expect, test } from 'vitest'
import { nextStep } from './next-step.ts'

const moving = { next_action: null }
const owed = { next_action: { what: 'pay' } } as const
const release = { status: 'resolving', verdict: 'release', payment_tx: null } as const
const split = { status: 'resolving', verdict: 'split', payment_tx: '0xabc' } as const

test.each([
  ['that is open says so, or what was ruled', { ...release, status: 'open' }, moving, null, 'open'],
  ['an arbiter ruled on', { ...release, status: 'open' }, moving, 'standing', 'standing'],
  ['one side appealed', { ...release, status: 'open' }, undefined, 'appealed', 'appealed'],
  ['whose money moves', release, moving, null, 'resolving'],
  ['whose publisher has to pay first', release, owed, null, 'owed'],
  ['whose task cannot be read promises no money', release, undefined, null, 'unread'],
  ['of which half is paid', split, moving, null, 'half'],
  ['of which half is paid, whatever the task', split, undefined, null, 'half'],
  ['that is over', { ...release, status: 'resolved' }, undefined, null, 'resolved'],
] as const)('a dispute %s', (_, dispute, task, ruling, step) => {
  expect(nextStep(dispute, task, ruling)).toBe(step)
})
