import type { RatingDirection } from '@ergon/contract'
import { describe, expect, test } from 'vitest'
import type { WalletCaller } from '../caller.ts'
import { linesOf, refusalOf } from '../testing/scripted-deps.ts'
import { publisher, stranger, worker } from '../testing/scripted-offers.ts'
import { rating, ratingStage, told, type RatingGiven } from '../testing/scripted-ratings.ts'
import { prepareRating } from './rate.ts'
import { relayRating } from './relay-rating.ts'

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
      'of who owns no agent now',
      { owner: 'stranger' },
      'publisher_rates_executor',
      publisher,
      ['identity_check_unavailable', { wallet: 'receiver', network: 'localnet' }],
    ],
    [
      'of an agent whose registration may still be undone',
      { isSettled: false },
      'publisher_rates_executor',
      publisher,
      ['RATING_UNAVAILABLE', { task_id: 'task', is_settled: false, retry_after_sec: 10 }],
    ],
    [
      'while the registry cannot be read',
      { owner: 'stranger', owns: 'unread' },
      'publisher_rates_executor',
      publisher,
      ['RATING_UNAVAILABLE', { task_id: 'task' }],
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
  test('of the agent that its ratee owns now', async () => {
    const { deps } = ratingStage({ owner: 'stranger', owns: 8 })
    expect((await prepareRating(deps, publisher, prepared())).agentId).toBe(8)
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
    [
      'waits while its ratee owns no agent',
      { script: { lockRating: due }, owner: 'stranger' },
      [
        false,
        'forgetIdentity {network:localnet,wallet:receiver,from:7,at:now,storedBefore:2026-11-21T11:00:00.000Z}',
        'transaction',
        'lockRating task publisher_rates_executor',
        'endRating rating {status:due,dueAt:2026-11-21T12:00:02.000Z} now',
      ],
    ],
    [
      'waits while the registry cannot be read',
      { script: { lockRating: due }, owner: null, owns: 'unread' },
      [
        false,
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

test('a rating of the agent that its ratee owns is given without a look for it', async () => {
  const due = rating({ status: 'due' })
  const { deps, sent } = ratingStage({ script: { lockRating: due } })
  const find = () => Promise.reject(new Error('asked'))
  expect(await relayRating({ ...deps, ratings: { ...deps.ratings, find } }, due)).toBe(true)
  expect(sent).toHaveLength(1)
})

describe('a rating that came with an approval, of a ratee that has another agent now', () => {
  const due = rating({ status: 'due', attempts: 2, comment: 'Well done.' })
  const moved = { owner: 'stranger', owns: 8 } as const
  const renewed = async (given: RatingGiven) => {
    const one = ratingStage({ ...moved, ...given })
    expect(await relayRating(one.deps, due)).toBe(false)
    expect(one.sent).toEqual([])
    return one
  }
  test('is written anew for that one, and nothing is sent for the one of before', async () => {
    const { of, deps } = await renewed({ script: { lockRating: due } })
    expect(of('endRating').map(([id, end]) => [id, end])).toEqual([['rating', { status: 'refused' }]])
    const [[put, at] = []] = of('putRating')
    expect([put, at]).toEqual([
      {
        ...due,
        ...{
          id: expect.not.stringMatching('rating') as string,
          attempts: 0,
          document: expect.any(Uint8Array) as Uint8Array,
        },
        terms: { ...due.terms, agentId: 8, feedbackHash: deps.ratings.hashOf((put as typeof due).document) },
      },
      deps.clock.now(),
    ])
  })
  test.each<[string, object | null]>([
    ['was confirmed meanwhile', { status: 'confirmed' }],
    ['gave way to another', { id: 'other' }],
    ['is gone', null],
  ])('is left as it is where it %s', async (_what, change) => {
    const { of } = await renewed({ script: { lockRating: change && { ...due, ...change } } })
    expect([of('endRating'), of('putRating')]).toEqual([[], []])
  })
  test('is confirmed where the registry holds it already', async () => {
    const { deps, of, sent } = ratingStage({ ...moved, script: { lockRating: due } })
    const find = () => Promise.resolve({ txHash: '0xrated', blockNumber: 7n })
    expect(await relayRating({ ...deps, ratings: { ...deps.ratings, find } }, due)).toBe(true)
    expect([sent.length, of('putRating')]).toEqual([1, []])
  })
  test('does not hide what is broken', async () => {
    const { deps } = ratingStage({ script: { lockRating: due } })
    const identities = { ...deps.identities, holder: () => Promise.reject(new Error('broken')) }
    await expect(relayRating({ ...deps, identities }, due)).rejects.toThrow('broken')
  })
})
