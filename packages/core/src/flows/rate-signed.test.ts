import { describe, expect, test } from 'vitest'
import type { WalletCaller } from '../caller.ts'
import type { Rating } from '../reputation/rating.ts'
import { linesOf, refusalOf } from '../testing/scripted-deps.ts'
import { publisher, worker } from '../testing/scripted-offers.ts'
import { rating, ratingStage, seconds, terms, told, type RatingGiven } from '../testing/scripted-ratings.ts'
import { prepareAgain, ratingSubmitted, submitRating, type RatingSubmission } from './rate.ts'

const signed = (change: Partial<RatingSubmission> = {}): RatingSubmission => ({
  ...terms,
  taskId: 'task',
  direction: 'publisher_rates_executor',
  rater: 'payer',
  deadline: seconds + 600,
  nonce: '0x01',
  signature: '0x',
  ...change,
})

/** The rating is prepared when it is claimed, and this afterwards. */
const then = (after: Partial<Rating>) => {
  let asked = 0
  return { lockRating: () => ((asked += 1) === 1 ? rating() : rating(after)) }
}

describe('a rating that its rater signed', () => {
  test.each<[string, RatingGiven, Partial<RatingSubmission>, WalletCaller, readonly unknown[]]>([
    [
      'of the worker is relayed',
      {},
      {},
      publisher,
      [
        'answer {taskId:task,direction:publisher_rates_executor,score:90,network:localnet,agentId:7,txHash:0xrated,feedbackIndex:3,author:payer}',
        '{network:localnet,agentId:7,score:90,tag1:worker_rating,tag2:simple_action,endpoint:,feedbackUri:http://localhost/feedback/task?direction=publisher_rates_executor,feedbackHash:hash,taskId:task,direction:publisher_rates_executor,rater:payer,deadline:1795263000,nonce:0x01,signature:0x,paid:{txHash:0xpaid,asset:USDC,payer:payer,payee:receiver,payment:hash}} rating:rating:0x01',
        'transaction',
        'lockRating task publisher_rates_executor',
        'endRating rating {status:sending,landsUntil:2026-11-21T12:10:00.000Z} now',
        'transaction',
        'lockRating task publisher_rates_executor',
        'endRating rating {status:confirmed,txHash:0xrated,feedbackIndex:3} now',
        'addEvent {id:#1,type:reputation.updated,taskId:task,at:now,data:{task_id:task,agent_id:7,score:90,tx_hash:0xrated}}',
        'countedRatings localnet 7 publisher_rates_executor',
        'putScore {network:localnet,agentId:7,role:worker,wallet:receiver,mean:90,count:2,at:now}',
      ],
    ],
    [
      'of the publisher is relayed',
      { script: { lockRating: rating({ direction: 'executor_rates_publisher', rater: 'receiver', ratee: 'payer' }) } },
      { direction: 'executor_rates_publisher', rater: 'receiver' },
      worker,
      [
        'answer {taskId:task,direction:executor_rates_publisher,score:90,network:localnet,agentId:7,txHash:0xrated,feedbackIndex:3,author:receiver}',
        '{network:localnet,agentId:7,score:90,tag1:worker_rating,tag2:simple_action,endpoint:,feedbackUri:http://localhost/feedback/task?direction=publisher_rates_executor,feedbackHash:hash,taskId:task,direction:executor_rates_publisher,rater:receiver,deadline:1795263000,nonce:0x01,signature:0x,paid:{txHash:0xpaid,asset:USDC,payer:payer,payee:receiver,payment:hash}} rating:rating:0x01',
        'transaction',
        'lockRating task executor_rates_publisher',
        'endRating rating {status:sending,landsUntil:2026-11-21T12:10:00.000Z} now',
        'transaction',
        'lockRating task executor_rates_publisher',
        'endRating rating {status:confirmed,txHash:0xrated,feedbackIndex:3} now',
        'addEvent {id:#1,type:reputation.updated,taskId:task,at:now,data:{task_id:task,agent_id:7,score:90,tx_hash:0xrated}}',
        'countedRatings localnet 7 executor_rates_publisher',
        'putScore {network:localnet,agentId:7,role:publisher,wallet:payer,mean:90,count:2,at:now}',
      ],
    ],
    [
      'is relayed again',
      { script: { lockRating: rating({ status: 'sending' }) } },
      { deadline: seconds + 1_200 },
      publisher,
      [
        'answer {taskId:task,direction:publisher_rates_executor,score:90,network:localnet,agentId:7,txHash:0xrated,feedbackIndex:3,author:payer}',
        '{network:localnet,agentId:7,score:90,tag1:worker_rating,tag2:simple_action,endpoint:,feedbackUri:http://localhost/feedback/task?direction=publisher_rates_executor,feedbackHash:hash,taskId:task,direction:publisher_rates_executor,rater:payer,deadline:1795263600,nonce:0x01,signature:0x,paid:{txHash:0xpaid,asset:USDC,payer:payer,payee:receiver,payment:hash}} rating:rating:0x01',
        'transaction',
        'lockRating task publisher_rates_executor',
        'endRating rating {status:sending,landsUntil:2026-11-21T12:20:00.000Z} now',
        'transaction',
        'lockRating task publisher_rates_executor',
        'endRating rating {status:confirmed,txHash:0xrated,feedbackIndex:3} now',
        'addEvent {id:#1,type:reputation.updated,taskId:task,at:now,data:{task_id:task,agent_id:7,score:90,tx_hash:0xrated}}',
        'countedRatings localnet 7 publisher_rates_executor',
        'putScore {network:localnet,agentId:7,role:worker,wallet:receiver,mean:90,count:2,at:now}',
      ],
    ],
    [
      'was confirmed by a duty meanwhile',
      {
        script: () => then({ status: 'confirmed' }),
      },
      {},
      publisher,
      [
        'answer {taskId:task,direction:publisher_rates_executor,score:90,network:localnet,agentId:7,txHash:0xrated,feedbackIndex:3,author:payer}',
        '{network:localnet,agentId:7,score:90,tag1:worker_rating,tag2:simple_action,endpoint:,feedbackUri:http://localhost/feedback/task?direction=publisher_rates_executor,feedbackHash:hash,taskId:task,direction:publisher_rates_executor,rater:payer,deadline:1795263000,nonce:0x01,signature:0x,paid:{txHash:0xpaid,asset:USDC,payer:payer,payee:receiver,payment:hash}} rating:rating:0x01',
        'transaction',
        'lockRating task publisher_rates_executor',
        'endRating rating {status:sending,landsUntil:2026-11-21T12:10:00.000Z} now',
        'transaction',
        'lockRating task publisher_rates_executor',
        'countedRatings localnet 7 publisher_rates_executor',
        'putScore {network:localnet,agentId:7,role:worker,wallet:receiver,mean:90,count:2,at:now}',
      ],
    ],
    [
      'lands without an index',
      { answer: { outcome: 'settled', txHash: '0xrated', blockNumber: 7n, logIndex: 1 } },
      {},
      publisher,
      [
        'answer {taskId:task,direction:publisher_rates_executor,score:90,network:localnet,agentId:7,txHash:0xrated,feedbackIndex:null,author:payer}',
        '{network:localnet,agentId:7,score:90,tag1:worker_rating,tag2:simple_action,endpoint:,feedbackUri:http://localhost/feedback/task?direction=publisher_rates_executor,feedbackHash:hash,taskId:task,direction:publisher_rates_executor,rater:payer,deadline:1795263000,nonce:0x01,signature:0x,paid:{txHash:0xpaid,asset:USDC,payer:payer,payee:receiver,payment:hash}} rating:rating:0x01',
        'transaction',
        'lockRating task publisher_rates_executor',
        'endRating rating {status:sending,landsUntil:2026-11-21T12:10:00.000Z} now',
        'transaction',
        'lockRating task publisher_rates_executor',
        'endRating rating {status:confirmed,txHash:0xrated} now',
        'addEvent {id:#1,type:reputation.updated,taskId:task,at:now,data:{task_id:task,agent_id:7,score:90,tx_hash:0xrated}}',
        'countedRatings localnet 7 publisher_rates_executor',
        'putScore {network:localnet,agentId:7,role:worker,wallet:receiver,mean:90,count:2,at:now}',
      ],
    ],
  ])('%s', async (_what, given, change, by, done) => {
    const { deps, asked, sent } = ratingStage(given)
    const answer = await submitRating(deps, by, signed(change))
    expect([
      told(['answer', answer]),
      ...sent.map(told),
      ...linesOf(asked).filter((line) => !/^(task|worker|identity|escrowPayment) /.test(line)),
    ]).toEqual(done)
  })
  test.each<[string, RatingGiven, Partial<RatingSubmission>, unknown, readonly string[]]>([
    [
      'of the agent that its ratee had',
      { owner: 'stranger', owns: 8 },
      {},
      ['RATING_REFUSED', { task_id: 'task', constraint: 'the agent that the ratee has now' }],
      [],
    ],
    [
      'of an agent whose registration may still be undone',
      { isSettled: false },
      {},
      ['RATING_UNAVAILABLE', { task_id: 'task', is_settled: false, retry_after_sec: 10 }],
      [],
    ],
    ['for another', {}, { rater: 'other' }, ['FORBIDDEN', { rater_wallet: 'other' }], []],
    ['before anything was paid', { task: { paymentTx: null } }, {}, ['RATING_UNAVAILABLE', { task_id: 'task' }], []],
    [
      'for longer than prepared',
      {},
      { deadline: seconds + 1_201 },
      ['RATING_REFUSED', { task_id: 'task', constraint: 'the deadline that prepare gave' }],
      [],
    ],
    [
      'until a time that is none',
      {},
      { deadline: Number.NaN },
      ['RATING_REFUSED', { task_id: 'task', constraint: 'the deadline that prepare gave' }],
      [],
    ],
    [
      'before it was prepared',
      { script: { lockRating: null } },
      {},
      ['RATING_REFUSED', { task_id: 'task', constraint: 'prepared first' }],
      [],
    ],
    [
      'that is confirmed',
      { script: { lockRating: rating({ status: 'confirmed' }) } },
      {},
      ['ALREADY_RATED', { task_id: 'task', direction: 'publisher_rates_executor' }],
      [],
    ],
    [
      'that is ours to give',
      { script: { lockRating: rating({ status: 'due' }) } },
      {},
      ['ALREADY_RATED', { task_id: 'task', direction: 'publisher_rates_executor' }],
      [],
    ],
    [
      'over another score',
      {},
      { score: 10 },
      ['RATING_REFUSED', { task_id: 'task', constraint: 'the terms that prepare gave' }],
      [],
    ],
    [
      'over another document',
      {},
      { feedbackHash: 'other' },
      ['RATING_REFUSED', { task_id: 'task', constraint: 'the terms that prepare gave' }],
      [],
    ],
    [
      'over another tag',
      {},
      { tag2: 'other' },
      ['RATING_REFUSED', { task_id: 'task', constraint: 'the terms that prepare gave' }],
      [],
    ],
    [
      'that is refused for good',
      {
        answer: {
          outcome: 'refused',
          code: 'RATING_REFUSED',
          final: true,
          at: null,
          details: { why: 'no' },
          message: 'No.',
        },
        script: () => then({ status: 'sending', attempts: 1 }),
      },
      {},
      ['RATING_REFUSED', { why: 'no', task_id: 'task' }],
      [
        'endRating rating {status:sending,landsUntil:2026-11-21T12:10:00.000Z} now',
        'endRating rating {status:prepared} now',
      ],
    ],
    [
      'that is refused for now',
      { answer: { outcome: 'refused', code: 'RATING_REFUSED', final: false, at: null } },
      {},
      ['RATING_REFUSED', { task_id: 'task' }],
      ['endRating rating {status:sending,landsUntil:2026-11-21T12:10:00.000Z} now'],
    ],
    [
      'that may still land',
      { answer: { outcome: 'unavailable', sent: true } },
      {},
      ['RATING_UNAVAILABLE', { task_id: 'task' }],
      ['endRating rating {status:sending,landsUntil:2026-11-21T12:10:00.000Z} now'],
    ],
    [
      'whose gas nobody pays any more today',
      { answer: { outcome: 'unavailable', sent: true, spentForSec: 7_200 } },
      {},
      ['GAS_BUDGET_SPENT', { task_id: 'task', retry_after_sec: 7_200 }],
      ['endRating rating {status:sending,landsUntil:2026-11-21T12:10:00.000Z} now'],
    ],
    [
      'that was not sent',
      {
        answer: { outcome: 'unavailable', sent: false },
        script: () => then({ status: 'sending', attempts: 1 }),
      },
      {},
      ['RATING_UNAVAILABLE', { task_id: 'task' }],
      [
        'endRating rating {status:sending,landsUntil:2026-11-21T12:10:00.000Z} now',
        'endRating rating {status:prepared} now',
      ],
    ],
    [
      'that was not sent, beside one that may land',
      { answer: { outcome: 'unavailable', sent: false }, script: { lockRating: rating({ status: 'sending' }) } },
      {},
      ['RATING_UNAVAILABLE', { task_id: 'task' }],
      ['endRating rating {status:sending,landsUntil:2026-11-21T12:10:00.000Z} now'],
    ],
    [
      'that was not sent, and was sent again since',
      {
        answer: { outcome: 'unavailable', sent: false },
        script: () => then({ status: 'sending', attempts: 2 }),
      },
      {},
      ['RATING_UNAVAILABLE', { task_id: 'task' }],
      ['endRating rating {status:sending,landsUntil:2026-11-21T12:10:00.000Z} now'],
    ],
    [
      'of which nobody knows',
      { answer: { outcome: 'unknown' } },
      {},
      ['RATING_UNAVAILABLE', { task_id: 'task' }],
      ['endRating rating {status:sending,landsUntil:2026-11-21T12:10:00.000Z} now'],
    ],
  ])('but not one %s', async (_what, given, change, refused, lines) => {
    const { deps, asked } = ratingStage(given)
    expect(await refusalOf(() => submitRating(deps, publisher, signed(change)))).toEqual(refused)
    expect(linesOf(asked).filter((line) => line.startsWith('endRating'))).toEqual(lines)
  })
  test.each<[string, Partial<Rating> | null, string, string]>([
    [
      'is there',
      { status: 'confirmed', txHash: '0xrated', feedbackIndex: 3 },
      'hash',
      'answer {taskId:task,direction:publisher_rates_executor,score:90,network:localnet,agentId:7,txHash:0xrated,feedbackIndex:3,author:payer}',
    ],
    ['is on its way', { status: 'sending' }, 'hash', 'answer null'],
    ['is of another', { status: 'confirmed', rater: 'other' }, 'hash', 'answer null'],
    ['is another document', { status: 'confirmed' }, 'other', 'answer null'],
    ['is not there', null, 'hash', 'answer null'],
  ])('%s', async (_what, change, feedbackHash, answer) => {
    const { deps } = ratingStage({ script: { rating: change === null ? null : rating(change) } })
    const asked = { taskId: 'task', direction: 'publisher_rates_executor', feedbackHash } as const
    expect(told(['answer', await ratingSubmitted(deps, publisher, asked)])).toEqual(answer)
  })
})

test.each<[string, Partial<Rating> | null, boolean]>([
  ['nothing of it can land', {}, true],
  ['it gave way to another', { id: 'other' }, false],
  ['it was confirmed', { status: 'confirmed' }, false],
  ['it was sent again', { attempts: 1 }, false],
  ['it is gone', null, false],
])('a rating may be prepared again where %s', async (_what, change, may) => {
  const sending = rating({ status: 'sending' })
  const { deps, of } = ratingStage({ script: { lockRating: change && { ...sending, ...change } } })
  expect(await prepareAgain(deps, sending, deps.clock.now())).toBe(may)
  expect(of('endRating')).toHaveLength(may ? 1 : 0)
})
