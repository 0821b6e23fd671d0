import { describe, expect, test } from 'vitest'
import type { Caller } from '../caller.ts'
import { refusalOf, scriptedNow } from '../testing/scripted-deps.ts'
import { disputeStage, operator, ruling, verdict, view, type DisputeCase } from '../testing/scripted-disputes.ts'
import { moved, payment, submission } from '../testing/scripted-money.ts'
import { resolveDispute } from './resolve.ts'

const now = scriptedNow
describe('a dispute is not decided', () => {
  const expired = { ...payment, authorizationExpiry: now.getTime() / 1_000 }
  const notOpen = (details: object) => ['DISPUTE_NOT_OPEN', { dispute_id: 'dispute', ...details }]
  const party = (wallet: string): Caller => ({ kind: 'wallet', wallet, agentId: null, via: 'signature' })
  const soon = new Date(now.getTime() + 1)
  test.each<[string, DisputeCase, unknown]>([
    [
      'one that is not there',
      { input: verdict('release'), script: { dispute: null } },
      ['DISPUTE_NOT_FOUND', { dispute_id: 'dispute' }],
    ],
    [
      'by its publisher',
      { input: verdict('release'), caller: party('payer') },
      ['FORBIDDEN', { dispute_id: 'dispute' }],
    ],
    [
      'by its worker',
      { input: verdict('release'), caller: party('receiver') },
      ['FORBIDDEN', { dispute_id: 'dispute' }],
    ],
    [
      'with a share beside a whole',
      { input: verdict('release', 40) },
      [
        'VALIDATION_FAILED',
        {
          field: 'split_pct',
          constraint: '1 to 99 with the verdict split, and left out with any other',
          received: '40',
        },
      ],
    ],
    [
      'of a task that is gone',
      { input: verdict('release'), task: null },
      ['DISPUTE_NOT_FOUND', { dispute_id: 'dispute' }],
    ],
    [
      'of a submission that is gone',
      { input: verdict('release'), script: { lockSubmission: null } },
      ['DISPUTE_NOT_FOUND', { dispute_id: 'dispute' }],
    ],
    [
      'that is gone meanwhile',
      { input: verdict('release'), script: { lockDispute: null } },
      ['DISPUTE_NOT_FOUND', { dispute_id: 'dispute' }],
    ],
    [
      'while money is under way',
      { input: verdict('release'), script: { hasOpenSettlement: true } },
      ['APPROVAL_IN_FLIGHT', { dispute_id: 'dispute' }],
    ],
    [
      'that is over',
      { input: verdict('release'), script: { lockDispute: view({ status: 'resolved' }) } },
      ['DISPUTE_NOT_OPEN', { dispute_id: 'dispute', status: 'resolved', task_status: 'disputed' }],
    ],
    [
      'of a task that went on',
      { input: verdict('release'), task: { status: 'completed' } },
      ['DISPUTE_NOT_OPEN', { dispute_id: 'dispute', status: 'open', task_status: 'completed' }],
    ],
    [
      'that an arbiter ruled on',
      { input: verdict('release'), script: { lockRulingOf: ruling({ appealUntil: soon }) } },
      notOpen({ ruling_status: 'standing', appeal_until: soon.toISOString() }),
    ],
    [
      'by a ruling that was appealed',
      {
        input: { ...verdict('release'), ruling: ruling() },
        script: { lockRulingOf: ruling({ status: 'appealed', appealUntil: soon }) },
      },
      [
        'DISPUTE_NOT_OPEN',
        { dispute_id: 'dispute', ruling_status: 'appealed', appeal_until: '2026-11-21T12:00:00.001Z' },
      ],
    ],
    [
      'by another ruling',
      { input: { ...verdict('release'), ruling: ruling({ id: 'other' }) }, script: { lockRulingOf: ruling() } },
      [
        'DISPUTE_NOT_OPEN',
        { dispute_id: 'dispute', ruling_status: 'standing', appeal_until: '2026-11-21T12:00:00.000Z' },
      ],
    ],
    [
      'whose money nobody holds',
      { input: verdict('split', 40), task: { escrowStatus: 'none' } },
      ['ESCROW_NOT_RELEASABLE', { task_id: 'task', escrow_status: 'none' }],
    ],
    [
      'whose money nobody holds, for the payer',
      { input: verdict('refund'), task: { escrowStatus: 'releasing' } },
      ['ESCROW_NOT_REFUNDABLE', { task_id: 'task', escrow_status: 'releasing' }],
    ],
    [
      'whose payment no row names',
      { input: verdict('split', 40), script: { escrowPayment: null } },
      ['ESCROW_NOT_RELEASABLE', { task_id: 'task', escrow_status: 'authorized' }],
    ],
    [
      'whose worker was not paid, though it says so',
      { input: verdict('release'), task: { escrowStatus: 'released' }, script: { movements: [moved('authorized')] } },
      ['ESCROW_NOT_RELEASABLE', { task_id: 'task', escrow_status: 'released' }],
    ],
    [
      'whose money can be taken back by now',
      { input: verdict('release'), script: { escrowPayment: expired } },
      ['AUTHORIZATION_EXPIRED', { task_id: 'task' }],
    ],
    [
      'whose money another claim moves',
      { input: verdict('release'), script: { claimSettlement: false } },
      ['APPROVAL_IN_FLIGHT', { dispute_id: 'dispute' }],
    ],
    [
      'whose money its payer took back',
      { input: verdict('release'), before: (chain) => chain.reclaim(payment.hash) },
      ['ESCROW_NOT_RELEASABLE', { dispute_id: 'dispute' }],
    ],
  ])('not %s', async (_what, { input, caller = operator, ...rest }, refused) => {
    const { deps, chain } = disputeStage(rest)
    expect(await refusalOf(() => resolveDispute(deps, caller, 'dispute', input))).toEqual(refused)
    expect(chain.landings).toEqual([])
  })

  test.each([
    ['appealed', soon],
    ['standing', now],
  ])('by the operator once its ruling is %s, and not in force any more', async (status, appealUntil) => {
    const { deps, of } = disputeStage({ script: { lockRulingOf: ruling({ status, appealUntil }) } })
    await resolveDispute(deps, operator, 'dispute', verdict('refund'))
    expect(of('endRuling')).toEqual([['ruling', 'overtaken', now]])
  })
  test('by the ruling in force', async () => {
    const { deps, of } = disputeStage({ script: { lockRulingOf: ruling({ appealUntil: soon }) } })
    await resolveDispute(deps, operator, 'dispute', { ...verdict('refund'), ruling: ruling() })
    expect(of('endRuling')).toEqual([])
  })
  test('of a metered task nothing is owed: its channel has paid', async () => {
    const { deps } = disputeStage({ task: { escrowStatus: 'none' }, script: { escrowPayment: null, meterTerms: {} } })
    const decide = () => resolveDispute(deps, operator, 'dispute', verdict('release'))
    expect(await refusalOf(decide)).toEqual([
      'ESCROW_NOT_RELEASABLE',
      { task_id: 'task', escrow_status: 'none', is_metered: true },
    ])
    await expect(decide()).rejects.toThrow('paid by the unit')
  })
  test('what was paid once is not owed again', async () => {
    const { deps } = disputeStage({ task: { escrowStatus: 'none', paymentTx: '0x' }, script: { escrowPayment: null } })
    expect(await refusalOf(() => resolveDispute(deps, operator, 'dispute', verdict('release')))).toEqual([
      'ESCROW_NOT_RELEASABLE',
      { task_id: 'task', escrow_status: 'none' },
    ])
  })
  test('a submission that is decided stays so', async () => {
    const { deps, of } = disputeStage({
      task: { escrowStatus: 'refunded' },
      script: { lockSubmission: submission({ status: 'approved' }) },
    })
    await resolveDispute(deps, operator, 'dispute', verdict('refund'))
    expect(of('decideSubmission')).toEqual([])
  })
})
