import type { RatingDirection } from '@ergon/contract'
import { describe, expect, test } from 'vitest'
import type { WalletCaller } from '../caller.ts'
import { linesOf, refusalOf } from '../testing/scripted-deps.ts'
import { publisher, stranger, worker } from '../testing/scripted-offers.ts'
import { rating, ratingStage, told, type RatingGiven } from '../testing/scripted-ratings.ts'
import { prepareRating, relayRating } from './rate.ts'

const prepared = (direction: RatingDirection = 'publisher_rates_executor') => ({
  taskId: 'task',
  direction,
  score: 90,
  comment: 'Well done.',
})
describe('a rating is prepared', () => {
  test.each<[RatingDirection, WalletCaller, string, readonly string[]]>([
    [
      'publisher_rates_executor',
      publisher,
      'answer {network:localnet,agentId:7,score:90,tag1:worker_rating,tag2:simple_action,endpoint:,feedbackUri:http://localhost/feedback/task?direction=publisher_rates_executor,typedData:{},digest:0x,deadline:1795263000,nonce:0x01,chainId:31337,delegate:0x,delegated:true,accountNonce:0,taskId:task,direction:publisher_rates_executor,rater:payer,raterRole:publisher,rateeRole:executor}',
      ['task task', 'worker executor', 'identity localnet receiver', 'transaction'],
    ],
    [
      'executor_rates_publisher',
      worker,
      'answer {network:localnet,agentId:7,score:90,tag1:publisher_rating,tag2:simple_action,endpoint:,feedbackUri:http://localhost/feedback/task?direction=executor_rates_publisher,typedData:{},digest:0x,deadline:1795263000,nonce:0x01,chainId:31337,delegate:0x,delegated:true,accountNonce:0,taskId:task,direction:executor_rates_publisher,rater:receiver,raterRole:executor,rateeRole:publisher}',
      ['task task', 'worker executor', 'identity localnet payer', 'transaction'],
    ],
  ])('%s', async (direction, by, answer, lines) => {
    const { deps, asked } = ratingStage({})
    const { feedbackHash: _hash, ...rest } = await prepareRating(deps, by, prepared(direction))
    expect(told(['answer', rest])).toEqual(answer)
    expect(linesOf(asked).filter((line) => !line.startsWith('putRating'))).toEqual(lines)
  })
  test.each<[string, RatingGiven, RatingDirection, WalletCaller, unknown]>([
    [
      'by a stranger',
      {},
      'publisher_rates_executor',
      stranger,
      ['FORBIDDEN', { task_id: 'task', direction: 'publisher_rates_executor' }],
    ],
    [
      'by the other side',
      {},
      'executor_rates_publisher',
      publisher,
      ['FORBIDDEN', { task_id: 'task', direction: 'executor_rates_publisher' }],
    ],
    [
      'of a task that nobody has',
      { task: { executorId: null } },
      'publisher_rates_executor',
      publisher,
      ['TASK_NOT_RATEABLE', { task_id: 'task', status: 'completed' }],
    ],
    [
      'of a task that goes on',
      { task: { status: 'verifying' } },
      'publisher_rates_executor',
      publisher,
      ['TASK_NOT_RATEABLE', { task_id: 'task', status: 'verifying' }],
    ],
    [
      'twice',
      { script: { putRating: false } },
      'publisher_rates_executor',
      publisher,
      ['ALREADY_RATED', { task_id: 'task', direction: 'publisher_rates_executor' }],
    ],
    [
      'of who can have no identity',
      { script: { identity: null } },
      'publisher_rates_executor',
      publisher,
      ['identity_required', { wallet: 'receiver', network: 'localnet' }],
    ],
    [
      'where none are taken',
      { networks: [{ name: 'localnet', takesRatings: false }] },
      'publisher_rates_executor',
      publisher,
      ['INVALID_REPUTATION_NETWORK', { network: 'localnet' }],
    ],
  ])('but not %s', async (_what, given, direction, by, refused) => {
    expect(await refusalOf(() => prepareRating(ratingStage(given).deps, by, prepared(direction)))).toEqual(refused)
  })
  test('of who is given an identity for it', async () => {
    const { deps } = ratingStage({ script: { identity: null } })
    const asked: unknown[] = []
    const identified = (caller: WalletCaller) => {
      asked.push(caller)
      return Promise.resolve({ ...caller, agentId: 12 })
    }
    expect((await prepareRating({ ...deps, identified }, publisher, prepared())).agentId).toBe(12)
    expect(asked).toEqual([{ ...publisher, wallet: 'receiver', agentId: null, owesIdentity: true }])
  })
})

describe('a rating that came with an approval', () => {
  const due = rating({ status: 'due', attempts: 2 })
  const refused = (final: boolean) => ({ outcome: 'refused', code: 'RATING_REFUSED', final, at: null })
  test.each<[string, RatingGiven, unknown]>([
    [
      'is given in our name',
      { script: { lockRating: due } },
      [
        true,
        '{network:localnet,agentId:7,score:90,tag1:worker_rating,tag2:simple_action,endpoint:,feedbackUri:http://localhost/feedback/task?direction=publisher_rates_executor,feedbackHash:hash} rating:rating {txHash:0xpaid,asset:USDC,payer:payer,payee:receiver,payment:hash}',
        'task task',
        'escrowPayment task',
        'transaction',
        'lockRating task publisher_rates_executor',
        'endRating rating {status:confirmed,txHash:0xrated,feedbackIndex:3} now',
        'addEvent {id:#1,type:reputation.updated,taskId:task,at:now,data:{task_id:task,agent_id:7,score:90,tx_hash:0xrated}}',
        'countedRatings localnet 7 publisher_rates_executor',
        'putScore {network:localnet,agentId:7,role:worker,wallet:receiver,mean:90,count:2,at:now}',
      ],
    ],
    [
      'is refused for good',
      { script: { lockRating: due }, answer: refused(true) },
      [
        true,
        '{network:localnet,agentId:7,score:90,tag1:worker_rating,tag2:simple_action,endpoint:,feedbackUri:http://localhost/feedback/task?direction=publisher_rates_executor,feedbackHash:hash} rating:rating {txHash:0xpaid,asset:USDC,payer:payer,payee:receiver,payment:hash}',
        'task task',
        'escrowPayment task',
        'transaction',
        'lockRating task publisher_rates_executor',
        'endRating rating {status:refused} now',
      ],
    ],
    [
      'is refused for now',
      { script: { lockRating: due }, answer: refused(false) },
      [
        false,
        '{network:localnet,agentId:7,score:90,tag1:worker_rating,tag2:simple_action,endpoint:,feedbackUri:http://localhost/feedback/task?direction=publisher_rates_executor,feedbackHash:hash} rating:rating {txHash:0xpaid,asset:USDC,payer:payer,payee:receiver,payment:hash}',
        'task task',
        'escrowPayment task',
        'transaction',
        'lockRating task publisher_rates_executor',
        'endRating rating {status:due,dueAt:2026-11-21T12:00:02.000Z} now',
      ],
    ],
    [
      'is refused, and was confirmed meanwhile',
      { script: { lockRating: rating({ status: 'confirmed' }) }, answer: refused(true) },
      [
        true,
        '{network:localnet,agentId:7,score:90,tag1:worker_rating,tag2:simple_action,endpoint:,feedbackUri:http://localhost/feedback/task?direction=publisher_rates_executor,feedbackHash:hash} rating:rating {txHash:0xpaid,asset:USDC,payer:payer,payee:receiver,payment:hash}',
        'task task',
        'escrowPayment task',
        'transaction',
        'lockRating task publisher_rates_executor',
      ],
    ],
    [
      'waits until something was paid',
      { script: { lockRating: due }, task: { paymentTx: null } },
      [
        false,
        'task task',
        'escrowPayment task',
        'transaction',
        'lockRating task publisher_rates_executor',
        'endRating rating {status:due,dueAt:2026-11-21T12:00:02.000Z} now',
      ],
    ],
  ])('%s', async (_what, given, done) => {
    const { deps, asked, sent } = ratingStage(given)
    const isDone = await relayRating(deps, due)
    expect([isDone, ...sent.map(told), ...linesOf(asked)]).toEqual(done)
  })
})
