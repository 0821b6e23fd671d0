import { describe, expect, test } from 'vitest'
import type { SplitPayments } from '../ports/split-payments.ts'
import type { Task } from '../tasks/task.ts'
import { refusalOf, type Script } from '../testing/scripted-deps.ts'
import { heldTask, placeOn } from '../testing/scripted-money.ts'
import { requirePayee, splitsOf, splitTermsOf } from './pay-in-one.ts'

const splits = { network: 'localnet' } as unknown as SplitPayments
const unpayable = ['NO_PAYEE_RESOLVED', { task_id: 'task' }]

/** A network that pays worker and fee in one transaction, and a task on it. */
function stage(task: Partial<Task> = {}, script: Script = {}) {
  const own = heldTask({ escrowStatus: 'none', ...task })
  const one = placeOn(own, { payoutAddress: 'address', meterTerms: null, ...script })
  return { ...one, deps: { ...one.deps, splits }, task: own }
}
const elsewhere = { bounty: { atomic: 1n, asset: { symbol: 'USDC', network: 'other', decimals: 6 } } }

describe('a bounty is paid in one transaction', () => {
  test('on its network, where nothing is locked', () => {
    const { deps, task } = stage()
    expect(splitsOf(deps, task)).toBe(splits)
  })
  test.each<[string, Partial<Task>]>([
    ['on another network', elsewhere],
    ['where it is locked', { escrowStatus: 'authorized' }],
  ])('not %s', (_where, change) => {
    const { deps, task } = stage(change)
    expect(splitsOf(deps, task)).toBe(undefined)
  })
  test('nowhere, where there is no such network', () => {
    const { task } = stage()
    expect(splitsOf(placeOn(task).deps, task)).toBe(undefined)
  })

  const of = { submissionId: 'submission', executorId: 'executor' }
  test('87 to the worker and 13 to the operator', async () => {
    const { deps, task, of: asked } = stage()
    const { asset } = task.bounty
    expect(await splitTermsOf(deps, task, of)).toEqual({
      submissionId: 'submission',
      worker: 'address',
      payout: { atomic: 8_700_000n, asset },
      fee: { atomic: 1_300_000n, asset },
    })
    expect(asked('payoutAddress')).toEqual([['executor']])
  })
  test('not where the worker has no address there', async () => {
    const { deps, task } = stage({}, { payoutAddress: null })
    expect(await refusalOf(() => splitTermsOf(deps, task, of))).toEqual(unpayable)
  })
  test('not where nothing is left for the worker', async () => {
    const { asset } = heldTask().bounty
    const { deps, task } = stage({ bounty: { atomic: 0n, asset } })
    expect(await refusalOf(() => splitTermsOf(deps, task, of))).toEqual(['PAYOUT_NON_POSITIVE', { task_id: 'task' }])
  })
})

describe('a worker without an address does not take what is paid so', () => {
  test.each<[string, Partial<Task>, Script, unknown]>([
    ['a bounty in one transaction', {}, {}, unpayable],
    ['what is paid by the unit, out of a channel', {}, { meterTerms: {} }, null],
    ['what is locked', { escrowStatus: 'authorized' }, {}, null],
    ['what is paid on another network', elsewhere, {}, null],
    ['a bounty, with an address', {}, { payoutAddress: 'address' }, null],
  ])('%s', async (_what, change, script, refused) => {
    const { deps, task } = stage(change, { payoutAddress: null, ...script })
    expect(await refusalOf(() => requirePayee(deps, task, 'executor'))).toEqual(refused)
  })
})
