import { MarketError } from '../errors.ts'
import type { Rating } from '../reputation/rating.ts'
import type { Task } from '../tasks/task.ts'
import { createPlainRatings } from './fake-ports.ts'
import { linesOf, scriptedNow, type Script } from './scripted-deps.ts'
import { heldTask, placeOn } from './scripted-money.ts'

/** A task that was paid, and the ratings of its two sides, over a script. */

const now = scriptedNow
export const seconds = now.getTime() / 1_000
export const terms = {
  network: 'localnet',
  agentId: 7,
  score: 90,
  tag1: 'worker_rating',
  tag2: 'simple_action',
  endpoint: '',
  feedbackUri: 'http://localhost/feedback/task?direction=publisher_rates_executor',
  feedbackHash: 'hash',
}
export const rating = (change: Partial<Rating> = {}): Rating => ({
  id: 'rating',
  taskId: 'task',
  direction: 'publisher_rates_executor',
  rater: 'payer',
  ratee: 'receiver',
  terms,
  comment: null,
  document: Uint8Array.of(123, 125),
  status: 'prepared',
  txHash: null,
  feedbackIndex: null,
  attempts: 0,
  ...change,
})

export type RatingGiven = {
  readonly task?: Partial<Task>
  /** Made anew for each case where what it answers changes on the way. */
  readonly script?: Script | (() => Script)
  readonly answer?: object
  readonly networks?: readonly object[]
  /** Who owns an agent by the registry, and what a wallet owns; left out, whoever is rated owns the agent 7. */
  readonly owner?: string | null
  readonly owns?: number | null | 'unread'
  /** False while the registration may still be undone. */
  readonly isSettled?: boolean
}

export function ratingStage(given: RatingGiven) {
  const { task = {}, script = {}, answer, networks, owner, owns = null, isSettled = true } = given
  const own = heldTask({ status: 'completed', escrowStatus: 'released', paymentTx: '0xpaid', ...task })
  const one = placeOn(own, {
    task: own,
    worker: { id: 'executor', wallet: 'receiver' },
    identity: { agentId: 7 },
    putRating: true,
    lockRating: rating(),
    countedRatings: { mean: 90, count: 2 },
    ...(typeof script === 'function' ? script() : script),
  })
  const sent: unknown[][] = []
  const plain = createPlainRatings()
  const settled = { outcome: 'settled', txHash: '0xrated', blockNumber: 7n, logIndex: 1, feedbackIndex: 3 }
  const send = (...of: unknown[]) => {
    sent.push(of)
    return Promise.resolve(answer ?? settled)
  }
  const ratings = { ...plain, relay: send, give: send }
  const identities = {
    holder() {
      const ratee = one.of('identity').at(-1)?.[1] ?? 'receiver'
      return Promise.resolve(owner === null ? null : { owner: owner ?? ratee, isSettled })
    },
    lookup: () =>
      owns === 'unread' ? Promise.reject(new MarketError('identity_check_unavailable')) : Promise.resolve(owns),
  }
  const deps = {
    ...one.deps,
    identities,
    ratings,
    ...(networks === undefined ? {} : { networks }),
  } as unknown as typeof one.deps
  return { ...one, deps, sent }
}
export const told = (words: readonly unknown[]): string => linesOf([words as never])[0] ?? ''
