import type { Terms, Ticket } from '../chain/draft.ts'
import { finalRefusal, keyConflict } from '../chain/recognise.ts'
import { notSent, pending, Refusal, Unavailable } from '../errors.ts'
import type { Networks } from '../network/served-network.ts'
import type { Bound, IntentStore, Outcome, StoredRefusal } from '../store/intents.ts'
import type { Log } from '../log.ts'
import { seconds } from '../surroundings/surroundings.ts'
import { awaitOutcome, type Patience } from './await-outcome.ts'
import { orderExpired } from './deadline.ts'

export type CarryOutDeps = Patience & { readonly intents: IntentStore; readonly networks: Networks; readonly log: Log }

/**
 * Runs an order to its outcome. However it ends, the answer is proven: a refusal under a key is bound to the key before
 * it is told, and "not sent" is said only when the key is bound to nothing. What cannot be proven is pending.
 */
export async function carryOut(terms: Terms, deps: CarryOutDeps, attempt: () => Promise<Ticket>): Promise<Outcome> {
  try {
    demandTimely(terms, deps)
    return await awaitOutcome(await attempt(), deps)
  } catch (error) {
    return conclude(terms, deps, error)
  }
}

/** @throws Refusal for a deadline that is past, or so far ahead that nobody could keep what was refused under it */
export function demandTimely(terms: Terms, deps: Patience): void {
  if (isPast(terms, deps)) throw orderExpired()
  if (isTooFar(terms, deps)) throw new Refusal('invalid_payload', 'Settle-Before may be at most a day ahead')
}

/** What the key is bound to already: undefined when it is free. */
export async function findBound(terms: Terms, deps: CarryOutDeps): Promise<Ticket | undefined> {
  if (terms.idempotencyKey === undefined) return undefined
  const { bound } = await deps.intents.find('', [], [terms.idempotencyKey])
  return bound[0] === undefined ? undefined : ticketOf(bound[0], terms, deps)
}

export function isPast({ settleBefore }: Terms, { surroundings }: Patience): boolean {
  return settleBefore !== undefined && seconds(surroundings) >= settleBefore
}

/** A refusal is kept until its deadline is long past, so a deadline has to be near. */
function isTooFar({ settleBefore }: Terms, { surroundings }: Patience): boolean {
  return settleBefore !== undefined && settleBefore * 1000 > surroundings.now() + dayMs
}

async function conclude(terms: Terms, deps: CarryOutDeps, error: unknown): Promise<Outcome> {
  if (error instanceof Refusal) return concludeRefusal(terms, deps, error)
  if (!(error instanceof Unavailable)) {
    deps.log.error({ err: error }, 'an order failed unexpectedly')
    throw pending({}, error)
  }
  if (error.code === 'settlement_pending') throw error
  // A store that did not answer may hold anything.
  if (error.code === 'store_unavailable') throw pending({}, error)
  const earlier = await proven(() => findBound(terms, deps))
  if (earlier !== undefined) return awaitOutcome(earlier, deps)
  throw error.details['broadcast'] === false ? error : notSent(error.message, error)
}

async function concludeRefusal(terms: Terms, deps: CarryOutDeps, refusal: Refusal): Promise<Outcome> {
  const { idempotencyKey: key, requestHash } = terms
  if (key === undefined || refusal.details['final'] === true || refusal.isPassing || neverBound.has(refusal.code))
    throw refusal
  const stored: StoredRefusal = {
    status: refusal.status,
    code: refusal.code,
    message: refusal.message,
    details: refusal.details,
  }
  const bound = await proven(() => deps.intents.bind(key, requestHash, stored, keepMs(terms, deps)))
  return awaitOutcome(ticketOf(bound, terms, deps), deps)
}

/** What may be put right or may yet be seen, and a key that is bound to another body. */
const neverBound = new Set([
  'invalid_payload',
  'invalid_x402_version',
  'proof_transaction_not_found',
  'idempotency_key_conflict',
])

async function proven<T>(ask: () => Promise<T>): Promise<T> {
  try {
    return await ask()
  } catch (error) {
    if (error instanceof Refusal) throw error
    throw pending({}, error)
  }
}

/** Follows the transaction that the key is bound to; throws if that is a refusal. */
function ticketOf(bound: Bound, terms: Terms, deps: CarryOutDeps): Ticket {
  const { intent } = bound
  if (bound.requestHash !== terms.requestHash) throw keyConflict(bound)
  if (intent === null) throw finalRefusal(bound.refusal)
  const tracker = deps.networks.all.find(({ name }) => name === intent.network)?.tracker
  const outcome = intent.outcome === null ? tracker?.follow(intent) : Promise.resolve(intent.outcome)
  // A network that is not served now: its transaction may have landed.
  if (outcome === undefined) throw pending({ transaction: intent.transactions.at(-1)?.hash })
  return { outcome, transaction: () => intent.transactions.at(-1)?.hash, cancel: () => false }
}

const dayMs = 86_400_000

/** A day past the deadline, no copy of the order can be under way; without a deadline, a week after the answer. */
export function keepMs({ settleBefore }: Terms, { surroundings }: Patience): number {
  return settleBefore === undefined ? 7 * dayMs : Math.max(0, settleBefore * 1000 - surroundings.now()) + dayMs
}
