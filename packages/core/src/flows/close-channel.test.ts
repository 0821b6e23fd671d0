import { describe, expect, test } from 'vitest'
import { channel, closing, endStage, ended, leaving, type EndGiven } from '../testing/scripted-channel-ends.ts'
import { linesOf, refusalOf, scriptedNow, type Script } from '../testing/scripted-deps.ts'
import { heldTask, placeOn, submission } from '../testing/scripted-money.ts'
import { publisher, stranger, worker } from '../testing/scripted-offers.ts'
import { approveMetered } from './approve-metered.ts'
import { closeChannel, settleChannel } from './close-channel.ts'

const now = scriptedNow

describe('a party ends the pay', () => {
  const closed = { channelOf: channel({ status: 'settled', end: { ...ended, at: now } }) }
  const openedFirst = (): Script => {
    let asked = 0
    return { ...closed, lockChannel: () => ((asked += 1) === 1 ? channel() : leaving) }
  }
  test.each([
    ['its worker', worker, 'worker'],
    ['its publisher', publisher, 'publisher'],
  ] as const)('%s', async (_who, by, reason) => {
    const { deps, of, woken } = endStage({ script: openedFirst })
    expect((await closeChannel(deps, by, 'task')).state).toBe('settled')
    expect(of('closeChannel')).toEqual([
      ['channel', { ...closing, reason, attempts: 0 }, new Date(now.getTime() + 30_000)],
    ])
    expect(woken).toEqual([])
  })
  test('and waits for its end, which is under way', async () => {
    const { deps, of, woken, asked } = endStage({ fate: { state: 'unknown' } })
    expect((await closeChannel(deps, worker, 'task')).state).toBe('closing')
    expect((await settleChannel(deps, publisher, 'task')).state).toBe('closing')
    expect(of('closeChannel')).toEqual([])
    expect(woken).toEqual(['settlements', 'settlements'])
    expect(asked).toContainEqual(['fate', 1_000])
  })
  test('but nobody else does, and none where there is none', async () => {
    const none = endStage({ script: { channelOf: null, lockChannel: null } })
    expect(await refusalOf(() => closeChannel(endStage({}).deps, stranger, 'task'))).toEqual([
      'FORBIDDEN',
      { task_id: 'task' },
    ])
    expect(await refusalOf(() => settleChannel(endStage({}).deps, stranger, 'task'))).toEqual([
      'FORBIDDEN',
      { task_id: 'task' },
    ])
    expect(await refusalOf(() => closeChannel(none.deps, worker, 'task'))).toEqual([
      'no_channel_bound',
      { task_id: 'task' },
    ])
    expect(await refusalOf(() => settleChannel(none.deps, worker, 'task'))).toEqual([
      'no_channel_bound',
      { task_id: 'task' },
    ])
    expect(await refusalOf(() => closeChannel(placeOn(heldTask()).deps, worker, 'task'))).toEqual(['NOT_WIRED', {}])
  })
})

describe('metered work is approved', () => {
  const said = { rating: null, feedback: ' Well done. ' }
  const over = channel({ status: 'settled', end: { ...ended, at: now } })
  test.each<[string, EndGiven, string, readonly string[]]>([
    [
      'and its channel closes for it',
      { script: { lockChannel: channel() }, fate: { state: 'unknown' } },
      'answer {state:approving,taskId:task,submissionId:submission,paymentTx:null,feeTx:null,gross:{atomic:600n,asset:{symbol:USDC,network:solana,decimals:6}},payout:{atomic:522n,asset:{symbol:USDC,network:solana,decimals:6}},fee:{atomic:78n,asset:{symbol:USDC,network:solana,decimals:6}}}',
      [
        'transaction',
        'lockTask task',
        'lockSubmission submission',
        'hasOpenSettlement task',
        'lockChannel task',
        'putTaskWords task {kind:approve,author:payer,executorId:executor,text: Well done. ,at:now}',
        'closeChannel channel {submissionId:submission,rating:null,attempts:0,at:now,reason:approve} 2026-11-21T12:00:30.000Z',
        'openOrder channel',
        'transaction',
        'lockChannel task',
        'transaction',
        'channelDueAt channel closing 2026-11-21T12:00:00.500Z',
        'channelOf task',
      ],
    ],
    [
      'for what was paid before',
      { script: { lockChannel: over, channelOf: over } },
      'answer {state:approved,taskId:task,submissionId:submission,paymentTx:0xended,feeTx:0xended,gross:{atomic:600n,asset:{symbol:USDC,network:solana,decimals:6}},payout:{atomic:522n,asset:{symbol:USDC,network:solana,decimals:6}},fee:{atomic:78n,asset:{symbol:USDC,network:solana,decimals:6}}}',
      [
        'transaction',
        'lockTask task',
        'lockSubmission submission',
        'hasOpenSettlement task',
        'lockChannel task',
        'putTaskWords task {kind:approve,author:payer,executorId:executor,text: Well done. ,at:now}',
        'moveTask task completed now {escrowStatus:none,paymentTx:0xended,paymentBlock:8n,captured:600n}',
        'decideSubmission submission {status:approved,at:now,paymentTx:0xended}',
        'countCompleted executor',
        'addEvent {id:#1,taskId:task,at:now,type:submission.approved,data:{task_id:task,submission_id:submission,payment_tx:0xended}}',
        'addEvent {id:#2,taskId:task,at:now,type:task.completed,data:{task_id:task,executor_id:executor,bounty_usd:0.0006,payment:{chain:solana,token:USDC,tx_hash:0xended}}}',
        'channelOf task',
      ],
    ],
  ])('%s', async (_what, given, answer, lines) => {
    const { deps, asked } = endStage(given)
    expect(linesOf([['answer', await approveMetered(deps, submission(), said)]])[0]).toEqual(answer)
    expect(linesOf(asked)).toEqual(lines)
  })
  test.each<[string, EndGiven, unknown]>([
    ['of a task that went', { script: { lockTask: null } }, ['SUBMISSION_NOT_FOUND', { submission_id: 'submission' }]],
    ['that went', { script: { lockSubmission: null } }, ['SUBMISSION_NOT_FOUND', { submission_id: 'submission' }]],
    [
      'while money is under way',
      { script: { hasOpenSettlement: true } },
      ['APPROVAL_IN_FLIGHT', { submission_id: 'submission' }],
    ],
    [
      'that is decided',
      { script: { lockSubmission: submission({ status: 'approved' }) } },
      ['SUBMISSION_NOT_REVIEWABLE', { submission_id: 'submission', status: 'approved', task_status: 'verifying' }],
    ],
    ['without a channel', { script: { lockChannel: null } }, ['no_channel_bound', { task_id: 'task' }]],
    [
      'of which none was accepted',
      { script: { lockChannel: channel({ cumulative: 0n }) } },
      ['PAYOUT_NON_POSITIVE', { task_id: 'task' }],
    ],
  ])('but not work %s', async (_what, given, refused) => {
    expect(await refusalOf(() => approveMetered(endStage(given).deps, submission(), said))).toEqual(refused)
  })
})
