import { describe, expect, test } from 'vitest'
import type { WalletCaller } from '../caller.ts'
import { linesOf, refusalOf, scriptedNow } from '../testing/scripted-deps.ts'
import { offer } from '../testing/scripted-money.ts'
import { offerStage, publisher, stranger, worker, type OfferGiven } from '../testing/scripted-offers.ts'
import { closeOffer, expireOffers, offers, readOffer } from './end-offer.ts'

const now = scriptedNow

describe('an offer ends', () => {
  test.each<[string, OfferGiven, WalletCaller, readonly string[]]>([
    [
      'withdrawn by its side',
      {},
      worker,
      [
        'lockTask task',
        'lockOffer offer',
        'endOffer offer withdrawn null now',
        'addEvent {id:#1,type:settlement.closed,taskId:task,at:now,data:{task_id:task,offer_id:offer,outcome:withdrawn}}',
        'lockOffers task',
        'changeTask task {turn:null} now',
      ],
    ],
    [
      'refused by the other, whose turn it was',
      { script: { lockOffers: [offer({ id: 'other', status: 'open' })] } },
      publisher,
      [
        'lockTask task',
        'lockOffer offer',
        'endOffer offer refused null now',
        'addEvent {id:#1,type:settlement.closed,taskId:task,at:now,data:{task_id:task,offer_id:offer,outcome:refused}}',
        'lockOffers task',
        'changeTask task {turn:{kind:offer,of:publisher,untilMs:1795266000000}} now',
        'putTimer task offer_end 2026-11-21T13:00:00.000Z',
      ],
    ],
    [
      'while its publisher owes',
      { task: { turn: { kind: 'owed' } as never } },
      publisher,
      [
        'lockTask task',
        'lockOffer offer',
        'endOffer offer refused null now',
        'addEvent {id:#1,type:settlement.closed,taskId:task,at:now,data:{task_id:task,offer_id:offer,outcome:refused}}',
      ],
    ],
    [
      'while a ruling is in force',
      { task: { turn: { kind: 'ruling', untilMs: 1 } as never } },
      publisher,
      [
        'lockTask task',
        'lockOffer offer',
        'endOffer offer refused null now',
        'addEvent {id:#1,type:settlement.closed,taskId:task,at:now,data:{task_id:task,offer_id:offer,outcome:refused}}',
      ],
    ],
  ])('%s', async (_what, given, by, lines) => {
    const { deps, asked } = offerStage(given)
    const ended = await closeOffer(deps, by, 'offer')
    expect([ended.status, ended.endedAt]).toEqual([by === worker ? 'withdrawn' : 'refused', now])
    expect(linesOf(asked.slice(asked.findIndex(([name]) => name === 'transaction') + 1))).toEqual(lines)
  })
  test.each<[string, OfferGiven, WalletCaller, unknown]>([
    ['by a stranger', {}, stranger, ['FORBIDDEN', { task_id: 'task' }]],
    ['that is not there', { script: { offer: null } }, worker, ['OFFER_NOT_FOUND', { offer_id: 'offer' }]],
    ['that went meanwhile', { script: { lockOffer: null } }, worker, ['OFFER_NOT_FOUND', { offer_id: 'offer' }]],
    ['of a task that went meanwhile', { current: null }, worker, ['OFFER_NOT_FOUND', { offer_id: 'offer' }]],
    [
      'that was accepted',
      { offer: { status: 'accepted' } },
      worker,
      ['OFFER_NOT_OPEN', { offer_id: 'offer', status: 'accepted' }],
    ],
    [
      'whose time is over',
      { offer: { expiresAt: now } },
      worker,
      ['OFFER_NOT_OPEN', { offer_id: 'offer', status: 'expired' }],
    ],
  ])('but not one %s', async (_what, given, by, refused) => {
    expect(await refusalOf(() => closeOffer(offerStage(given).deps, by, 'offer'))).toEqual(refused)
  })
  test('by itself, when nobody answers in time', async () => {
    const lockOffers = [
      offer({ id: 'over', status: 'open', expiresAt: now }),
      offer({ id: 'open', status: 'open' }),
      offer({ id: 'done', expiresAt: now }),
    ]
    const { deps, asked } = offerStage({ script: { lockOffers } })
    await expireOffers(deps, { taskId: 'task', kind: 'offer_end' } as never)
    expect(linesOf(asked)).toEqual([
      'transaction',
      'lockTask task',
      'lockOffers task',
      'endOffer over expired null now',
      'addEvent {id:#1,type:settlement.closed,taskId:task,at:now,data:{task_id:task,offer_id:over,outcome:expired}}',
      'dropTimer {taskId:task,kind:offer_end}',
      'lockOffers task',
      'changeTask task {turn:{kind:offer,of:publisher,untilMs:1795266000000}} now',
      'putTimer task offer_end 2026-11-21T13:00:00.000Z',
    ])
  })
  test('with its timer, where the task is gone', async () => {
    const gone = offerStage({ current: null })
    await expireOffers(gone.deps, { taskId: 'task', kind: 'offer_end' } as never)
    expect(gone.of('dropTimer')).toEqual([[{ taskId: 'task', kind: 'offer_end' }]])
  })
  test('as its sides read it', async () => {
    const { deps } = offerStage({ offer: { expiresAt: now } })
    expect([
      (await readOffer(deps, worker, 'offer')).status,
      (await offers(deps, publisher, 'task')).map(({ status }) => status),
    ]).toEqual(['expired', ['expired']])
    expect(await refusalOf(() => readOffer(deps, stranger, 'offer'))).toEqual(['FORBIDDEN', { task_id: 'task' }])
    const open = offerStage({ task: { status: 'published', executorId: null } }).deps
    expect(await offers(open, publisher, 'task')).toHaveLength(1)
    expect(await refusalOf(() => offers(open, worker, 'task'))).toEqual(['FORBIDDEN', { task_id: 'task' }])
    expect(await refusalOf(() => offers(deps, stranger, 'task'))).toEqual(['FORBIDDEN', { task_id: 'task' }])
  })
})
