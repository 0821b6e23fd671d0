import { describe, expect, test } from 'vitest'
import type { WalletCaller } from '../caller.ts'
import { MarketError } from '../errors.ts'
import type { Rating } from '../reputation/rating.ts'
import { linesOf, refusalOf, scriptedNow, type Script } from '../testing/scripted-deps.ts'
import { publisher, stranger, worker } from '../testing/scripted-offers.ts'
import { rating, ratingStage, told, type RatingGiven } from '../testing/scripted-ratings.ts'
import { giveRating, ratingGiven, type DirectRatingInput } from './give-rating.ts'

const now = scriptedNow
const direction = 'publisher_rates_executor'
const input = (change: Partial<DirectRatingInput> = {}): DirectRatingInput => ({
  taskId: 'task',
  direction,
  score: 90,
  comment: 'Well done.',
  workerWallet: null,
  agentId: null,
  proofTx: null,
  ...change,
})
const due = { lockRating: (_task: string, _direction: string) => rating({ id: first, status: 'due' }) }
const first = '01950000-0000-7000-8000-0000000f4241'

/** What is written of it, without its document. */
function written(asked: Parameters<typeof linesOf>[0]): readonly string[] {
  return linesOf(asked).filter((line) => /^(endRating|addEvent|putScore)/.test(line))
}
const onItsWay = { state: 'on its way', txHash: null, feedbackIndex: null, network: 'localnet', author: null }

describe('a rating is given in the name of the service', () => {
  test('at once, where the registry takes it', async () => {
    const { deps, asked, of, sent } = ratingStage({ script: due })
    expect(await giveRating(deps, publisher, input())).toEqual({
      state: 'given',
      txHash: '0xrated',
      feedbackIndex: 3,
      network: 'localnet',
      author: null,
    })
    const [[put, ...when] = []] = of('putRating')
    const own = { taskId: 'task', direction, rater: 'payer', ratee: 'receiver', comment: 'Well done.', status: 'due' }
    expect(put).toMatchObject(own)
    // Beyond what a relay takes, the duty goes on with it.
    expect(when).toEqual([new Date(now.getTime() + 60_000), now])
    expect(told(['sent', sent[0]?.[1]])).toBe('sent rating:#1')
    expect(written(asked)).toEqual([
      'endRating #1 {status:confirmed,txHash:0xrated,feedbackIndex:3} now',
      'addEvent {id:#2,type:reputation.updated,taskId:task,at:now,' +
        'data:{task_id:task,agent_id:7,score:90,tx_hash:0xrated}}',
      'putScore {network:localnet,agentId:7,role:worker,wallet:receiver,mean:90,count:2,at:now}',
    ])
  })
  test('with its author and without an index, as the registry says', async () => {
    const answer = { outcome: 'settled', txHash: '0xrated', author: '0xservice' }
    const { deps } = ratingStage({ script: due, answer })
    expect(await giveRating(deps, publisher, input())).toMatchObject({ author: '0xservice', feedbackIndex: null })
  })
  test('by the worker, too', async () => {
    const { deps, of } = ratingStage({ script: due })
    await giveRating(deps, worker, input({ direction: 'executor_rates_publisher' }))
    expect(of('putRating')[0]?.[0]).toMatchObject({ rater: 'receiver', ratee: 'payer' })
  })

  test.each<[string, object]>([
    ['is not known to have landed', { outcome: 'unknown' }],
    ['could not be sent', { outcome: 'unavailable', sent: false }],
    ['was refused for now', { outcome: 'refused', final: false, code: 'RATING_REFUSED', details: {} }],
  ])('later, where it %s', async (_what, answer) => {
    const { deps, asked } = ratingStage({ script: due, answer })
    expect(await giveRating(deps, publisher, input())).toEqual(onItsWay)
    expect(written(asked)).toEqual([])
  })
  test('never, where it was refused for good, and the rater hears why', async () => {
    const refused = { outcome: 'refused', final: true, code: 'RATING_REFUSED', details: { why: 'so' } }
    const { deps, asked } = ratingStage({ script: due, answer: { ...refused, message: 'It is not taken.' } })
    await expect(giveRating(deps, publisher, input())).rejects.toMatchObject({
      code: 'RATING_REFUSED',
      message: 'It is not taken.',
      details: { why: 'so', task_id: 'task' },
    })
    expect(written(asked)).toEqual(['endRating #1 {status:refused} now'])
    const silent = giveRating(ratingStage({ script: due, answer: refused }).deps, publisher, input())
    await expect(silent).rejects.toThrow(new MarketError('RATING_REFUSED').message)
  })

  const not = (field: string, received: string | number) => [
    'VALIDATION_FAILED',
    { field, constraint: 'the same as in the task', received },
  ]
  const elsewhere = { name: 'localnet', takesRatings: false }
  test.each<[string, WalletCaller, Partial<DirectRatingInput>, RatingGiven, unknown]>([
    ['by a stranger', stranger, {}, {}, ['FORBIDDEN', { task_id: 'task', direction }]],
    ['for another worker', publisher, { workerWallet: 'other' }, {}, not('worker_address', 'other')],
    ['for another agent', publisher, { agentId: 8 }, {}, not('agent_id', 8)],
    ['for another payment', publisher, { proofTx: '0xother' }, {}, not('proof_tx', '0xother')],
    [
      'where none is taken',
      publisher,
      {},
      { networks: [elsewhere] },
      ['INVALID_REPUTATION_NETWORK', { network: 'localnet' }],
    ],
    ['twice', publisher, {}, { script: { putRating: false } }, ['ALREADY_RATED', { task_id: 'task', direction }]],
  ])('not %s', async (_what, caller, change, given, refused) => {
    const { deps, sent } = ratingStage(given)
    expect(await refusalOf(() => giveRating(deps, caller, input(change)))).toEqual(refused)
    expect(sent).toEqual([])
  })
  test('with words on the task that are so', async () => {
    const { deps } = ratingStage({ script: due })
    const words = { workerWallet: 'receiver', agentId: 7, proofTx: '0xpaid' }
    expect(await refusalOf(() => giveRating(deps, publisher, input(words)))).toBe(null)
  })
})

describe('a rating that was given is read by who gave it', () => {
  const read = async (found: Partial<Rating> | null, caller = publisher, find: unknown = null) => {
    const script: Script = { rating: found === null ? null : rating(found) }
    const { deps } = ratingStage({ script })
    const ratings = { ...deps.ratings, find: () => Promise.resolve(find) }
    return ratingGiven({ ...deps, ratings } as typeof deps, caller, 'task', direction)
  }
  const confirmed = { status: 'confirmed', txHash: '0xrated', feedbackIndex: 3 } as const
  const given = { state: 'given', txHash: '0xrated', feedbackIndex: 3, network: 'localnet' }

  test('with its author', async () => {
    expect(await read(confirmed, publisher, { author: '0xservice' })).toEqual({ ...given, author: '0xservice' })
  })
  test('without, where the registry does not know it', async () => {
    expect(await read(confirmed)).toEqual({ ...given, author: null })
  })
  test('while it is on its way', async () => {
    expect(await read({ status: 'due' })).toEqual(onItsWay)
  })
  test.each<[string, Partial<Rating> | null, WalletCaller]>([
    ['that is not there', null, publisher],
    ['of another', confirmed, stranger],
    ['that is only prepared', {}, publisher],
    ['that was refused', { status: 'refused' }, publisher],
  ])('but none %s', async (_what, found, caller) => {
    expect(await read(found, caller)).toBe(null)
  })
})
