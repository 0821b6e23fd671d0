import type { RatingDirection } from '@ergon/contract'
import type { WalletCaller } from '../caller.ts'
import { MarketError } from '../errors.ts'
import type { WorkerView } from '../identity/worker.ts'
import { networkNamed } from '../network.ts'
import type { RailAnswer } from '../ports/rail.ts'
import type { RatingRelay, RelayedRating } from '../ports/rating-relay.ts'
import type { TypedData } from '../ports/signatures.ts'
import type { PaidBehind, Rating, RatingTerms } from '../reputation/rating.ts'
import type { Task } from '../tasks/task.ts'
import { heldNow } from './agent-now.ts'
import type { MarketDeps } from './deps.ts'
import { ratingOf } from './rating-document.ts'
import { existingTask, existingWorker } from './read.ts'

export type PreparedRating = RatingTerms & {
  readonly taskId: string
  readonly direction: RatingDirection
  readonly rater: string
  readonly typedData: TypedData
  readonly digest: string
  readonly deadline: number
  readonly nonce: string
  readonly chainId: number
  readonly delegate: string
  readonly delegated: boolean
  readonly accountNonce: number
  readonly raterRole: string
  readonly rateeRole: string
}
export type RatingSubmission = RelayedRating & { readonly taskId: string; readonly direction: RatingDirection }
export type GivenRating = {
  readonly taskId: string
  readonly direction: RatingDirection
  readonly score: number
  readonly network: string
  readonly agentId: number
  readonly txHash: string | null
  readonly feedbackIndex: number | null
  readonly author: string
}

type Sides = {
  readonly task: Task
  readonly worker: WorkerView
  readonly rater: string
  readonly ratee: string
  readonly agentId: number
}

/**
 * Step 1 of a rating its rater signs: the document is stored, the digest handed out, nothing is sent (spec §4
 * reputation).
 */
export async function prepareRating(
  deps: MarketDeps,
  caller: WalletCaller,
  input: {
    readonly taskId: string
    readonly direction: RatingDirection
    readonly score: number
    readonly comment: string | null
  },
): Promise<PreparedRating> {
  const sides = await sidesOf(deps, caller, input.taskId, input.direction)
  const now = deps.clock.now()
  const rating = ratingOf(
    deps,
    { ...sides, direction: input.direction, score: input.score, comment: input.comment },
    now,
  )
  const prepared = await deps.ratings.prepare(rating.terms, sides.rater, now)
  await deps.store.transaction(async (tx) => {
    if (!(await tx.putRating(rating, null, now)))
      throw new MarketError('ALREADY_RATED', { task_id: input.taskId, direction: input.direction })
  })
  return {
    ...rating.terms,
    ...prepared,
    taskId: input.taskId,
    direction: input.direction,
    rater: sides.rater,
    ...rolesOf(input.direction),
  }
}

function rolesOf(direction: RatingDirection): { readonly raterRole: string; readonly rateeRole: string } {
  return direction === 'publisher_rates_executor'
    ? { raterRole: 'publisher', rateeRole: 'executor' }
    : { raterRole: 'executor', rateeRole: 'publisher' }
}

/**
 * The identity that a rating is written to, registered gaslessly when it is first needed: people have none before
 * (decision 0143). Its gas is counted against the wallet that is rated and the address of whoever rates.
 * @throws identity_required, identity_check_unavailable, REGISTRATION_FAILED, RATE_LIMITED, GAS_BUDGET_SPENT
 */
export async function agentIdOf(
  { store, settings, identified }: MarketDeps,
  caller: WalletCaller,
  ratee: string,
): Promise<number> {
  const known = await store.identity(settings.identityNetwork, ratee)
  if (known !== null) return known.agentId
  const { agentId } = await identified({ ...caller, wallet: ratee, agentId: null, owesIdentity: true })
  if (agentId === null) throw new MarketError('identity_required', { wallet: ratee, network: settings.identityNetwork })
  return agentId
}

/** When to ask again for an agent whose registration may still be undone: the fastest network needs half a minute. */
const settlesSec = 10

/**
 * The same as the registry has it now: what is written to a number is for its owner. One that may still change is not
 * rated, and nobody signs for it. @throws as well INVALID_REPUTATION_NETWORK, RATING_UNAVAILABLE
 */
async function ratedAgentOf(deps: MarketDeps, caller: WalletCaller, taskId: string, ratee: string): Promise<number> {
  const { name: network, takesRatings } = networkNamed(deps.networks, deps.settings.identityNetwork)
  if (!takesRatings) throw new MarketError('INVALID_REPUTATION_NETWORK', { network })
  const known = await agentIdOf(deps, caller, ratee)
  const held = await heldNow(deps, network, ratee, known).catch((cause: unknown) => {
    throw cause instanceof MarketError ? new MarketError('RATING_UNAVAILABLE', { task_id: taskId }) : cause
  })
  if (held === null) throw new MarketError('identity_check_unavailable', { wallet: ratee, network })
  if (!held.isSettled)
    throw new MarketError(
      'RATING_UNAVAILABLE',
      { task_id: taskId, is_settled: false, retry_after_sec: settlesSec },
      {
        message: 'The agent to rate was registered a moment ago. It can be rated when that cannot be undone any more.',
      },
    )
  return held.agentId
}

/** Both sides of a task that may be rated, for the one who may rate. */
export async function sidesOf(
  deps: MarketDeps,
  caller: WalletCaller,
  taskId: string,
  direction: RatingDirection,
): Promise<Sides> {
  const task = await existingTask(deps, taskId)
  const worker = task.executorId === null ? null : await existingWorker(deps, task.executorId)
  const isRater =
    direction === 'publisher_rates_executor' ? caller.wallet === task.publisherWallet : caller.wallet === worker?.wallet
  if (!isRater) throw new MarketError('FORBIDDEN', { task_id: taskId, direction })
  if (worker === null || task.status !== 'completed')
    throw new MarketError('TASK_NOT_RATEABLE', { task_id: taskId, status: task.status })
  const ratee = direction === 'publisher_rates_executor' ? worker.wallet : task.publisherWallet
  return { task, worker, rater: caller.wallet, ratee, agentId: await ratedAgentOf(deps, caller, taskId, ratee) }
}

/** Step 2: relays what the rater signed. One rating a task and direction; the author on chain is the rater. */
export async function submitRating(
  deps: MarketDeps,
  caller: WalletCaller,
  input: RatingSubmission,
): Promise<GivenRating> {
  const sides = await sidesOf(deps, caller, input.taskId, input.direction)
  if (input.rater !== caller.wallet) throw new MarketError('FORBIDDEN', { rater_wallet: input.rater })
  if (input.agentId !== sides.agentId)
    throw new MarketError('RATING_REFUSED', { task_id: input.taskId, constraint: 'the agent that the ratee has now' })
  const paid = await paidBehind(deps, { ...sides, ...input })
  if (paid === null) throw new MarketError('RATING_UNAVAILABLE', { task_id: input.taskId })
  const claim = await claimRating(deps, input)
  const answer = await deps.ratings.relay(
    { ...input, ...claim.rating.terms, paid },
    `rating:${claim.rating.id}:${input.nonce}`,
  )
  return concludeRating(deps, claim, answer, caller.wallet)
}

/**
 * The state of a rating that its rater signed. One that is still on its way is not answered here: sending the same
 * again is harmless.
 */
export async function ratingSubmitted(
  deps: MarketDeps,
  caller: WalletCaller,
  { taskId, direction, feedbackHash }: Pick<RatingSubmission, 'taskId' | 'direction' | 'feedbackHash'>,
): Promise<GivenRating | null> {
  const rating = await deps.store.rating(taskId, direction)
  if (rating?.status !== 'confirmed' || rating.rater !== caller.wallet || rating.terms.feedbackHash !== feedbackHash)
    return null
  return givenRating(rating, rating, caller.wallet)
}

function givenRating(
  { taskId, direction, terms: { score, network, agentId } }: Rating,
  landed: { readonly txHash: string | null; readonly feedbackIndex?: number | null },
  author: string,
): GivenRating {
  return {
    taskId,
    direction,
    score,
    network,
    agentId,
    txHash: landed.txHash,
    feedbackIndex: landed.feedbackIndex ?? null,
    author,
  }
}

/** `isOnly`: nothing that was sent before can still be on its way. */
type Claim = { readonly rating: Rating; readonly isOnly: boolean }

/** How far ahead a signature may reach, and how far the chain's clock may be behind ours. */
const landsWithinMs = 20 * 60_000

async function claimRating(deps: MarketDeps, input: RatingSubmission): Promise<Claim> {
  const now = deps.clock.now()
  const landsUntil = new Date(input.deadline * 1_000)
  // A deadline that is no date is beyond every limit.
  if (!(landsUntil.getTime() <= now.getTime() + landsWithinMs))
    throw new MarketError('RATING_REFUSED', { task_id: input.taskId, constraint: 'the deadline that prepare gave' })
  return deps.store.transaction(async (tx) => {
    const rating = await tx.lockRating(input.taskId, input.direction)
    if (rating === null)
      throw new MarketError('RATING_REFUSED', { task_id: input.taskId, constraint: 'prepared first' })
    if (rating.status === 'confirmed' || rating.status === 'due')
      throw new MarketError('ALREADY_RATED', { task_id: input.taskId, direction: input.direction })
    if (!sameTerms(rating.terms, input))
      throw new MarketError('RATING_REFUSED', { task_id: input.taskId, constraint: 'the terms that prepare gave' })
    await tx.endRating(rating.id, { status: 'sending', landsUntil }, now)
    return { rating: { ...rating, attempts: rating.attempts + 1 }, isOnly: rating.status !== 'sending' }
  })
}

const termNames = [
  'network',
  'agentId',
  'score',
  'tag1',
  'tag2',
  'endpoint',
  'feedbackUri',
  'feedbackHash',
] as const satisfies readonly (keyof RatingTerms)[]

function sameTerms(stored: RatingTerms, given: RatingTerms): boolean {
  return termNames.every((name) => stored[name] === given[name])
}

type RatingAnswer = RailAnswer & { readonly feedbackIndex?: number }

async function concludeRating(
  deps: MarketDeps,
  { rating, isOnly }: Claim,
  answer: RatingAnswer,
  author: string,
): Promise<GivenRating> {
  const now = deps.clock.now()
  if (answer.outcome === 'settled') {
    await confirmRating(deps, rating, answer, now)
    return givenRating(rating, answer, author)
  }
  // What may still land stays on its way, for another document could land beside it; sending the same again is
  // harmless.
  const isOver = answer.outcome === 'refused' ? answer.final : answer.outcome === 'unavailable' && !answer.sent
  if (isOver && isOnly) await prepareAgain(deps, rating, now)
  if (answer.outcome === 'refused')
    throw new MarketError(
      answer.code,
      { ...answer.details, task_id: rating.taskId },
      answer.message === undefined ? {} : { message: answer.message },
    )
  if (answer.outcome === 'unavailable' && answer.spentForSec !== undefined)
    throw new MarketError(
      'GAS_BUDGET_SPENT',
      { task_id: rating.taskId, retry_after_sec: answer.spentForSec },
      { message: "The facilitator has spent today's gas budget for ratings of this wallet." },
    )
  throw new MarketError('RATING_UNAVAILABLE', { task_id: rating.taskId })
}

/**
 * Nothing of what was signed can land: another document may be made. False when it was sent again, or ended, since it
 * was read.
 */
export async function prepareAgain(deps: MarketDeps, rating: Rating, now: Date): Promise<boolean> {
  return deps.store.transaction(async (tx) => {
    const current = await tx.lockRating(rating.taskId, rating.direction)
    if (current?.id !== rating.id || current.status !== 'sending' || current.attempts !== rating.attempts) return false
    await tx.endRating(rating.id, { status: 'prepared' }, now)
    return true
  })
}

/** How a rating that is ours to relay goes on; one that was confirmed meanwhile stays so. */
export async function endDue(
  deps: MarketDeps,
  rating: Rating,
  end: { readonly status: 'refused' | 'due'; readonly dueAt?: Date },
  now: Date,
): Promise<void> {
  await deps.store.transaction(async (tx) => {
    const current = await tx.lockRating(rating.taskId, rating.direction)
    if (current?.id === rating.id && current.status === 'due') await tx.endRating(rating.id, end, now)
  })
}

/** Writes down that the registry holds the rating, and what the ratee's score is now. */
export async function confirmRating(
  deps: MarketDeps,
  rating: Rating,
  landed: { readonly txHash: string; readonly feedbackIndex?: number },
  now: Date,
): Promise<void> {
  await deps.store.transaction(async (tx) => {
    // A duty may have gone on with it meanwhile; it is told once.
    const current = await tx.lockRating(rating.taskId, rating.direction)
    if (current?.id !== rating.id || current.status === 'confirmed') return
    await tx.endRating(
      rating.id,
      {
        status: 'confirmed',
        txHash: landed.txHash,
        ...(landed.feedbackIndex === undefined ? {} : { feedbackIndex: landed.feedbackIndex }),
      },
      now,
    )
    await tx.addEvent({
      id: deps.ids.next(),
      type: 'reputation.updated',
      taskId: rating.taskId,
      at: now,
      data: {
        task_id: rating.taskId,
        agent_id: rating.terms.agentId,
        score: rating.terms.score,
        tx_hash: landed.txHash,
      },
    })
  })
  await refreshScore(deps, rating, now)
}

/** The score that the ratee's counted ratings make, cached where lists and gates read it. */
async function refreshScore(deps: MarketDeps, rating: Rating, now: Date): Promise<void> {
  const { network, agentId } = rating.terms
  const counted = await deps.store.countedRatings(network, agentId, rating.direction)
  const role = rating.direction === 'publisher_rates_executor' ? 'worker' : 'publisher'
  await deps.store.putScore({ network, agentId, role, wallet: rating.ratee, ...counted, at: now })
}

/** Asks the facilitator to write a rating in its name, with the payment that it is about. */
export async function giveInOurName(deps: MarketDeps, rating: Rating): ReturnType<RatingRelay['give']> {
  const paid = await paidBehind(deps, rating)
  return paid === null
    ? { outcome: 'unavailable', sent: false }
    : deps.ratings.give(rating.terms, `rating:${rating.id}`, paid)
}

/** Null while nothing is known to have moved: a follower took the payment back, and may find it again. */
async function paidBehind(
  deps: MarketDeps,
  rating: Pick<Rating, 'taskId' | 'direction' | 'rater' | 'ratee'>,
): Promise<PaidBehind | null> {
  const [task, payment] = await Promise.all([
    existingTask(deps, rating.taskId),
    deps.store.escrowPayment(rating.taskId),
  ])
  if (task.paymentTx === null) return null
  const [payer, payee] =
    rating.direction === 'publisher_rates_executor' ? [rating.rater, rating.ratee] : [rating.ratee, rating.rater]
  return { txHash: task.paymentTx, asset: task.bounty.asset, payer, payee, payment }
}
