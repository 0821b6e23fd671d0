import type { LogPlace } from '../escrow/movement.ts'
import type { Found, Landed, RailAnswer } from '../ports/rail.ts'
import { networkOf, reissued } from '../settlements/order.ts'
import type { SettlementEnd } from '../ports/store.ts'
import { isOpen, retryAfterMs, sendBefore, type Refusal, type Settlement } from '../settlements/settlement.ts'
import { confirmSettlement } from './confirm.ts'
import { isDead } from './dead.ts'
import type { MarketDeps } from './deps.ts'
import { giveBack } from './give-back.ts'
import { readable } from './readable.ts'
import { settleRest } from './settle-rest.ts'

/**
 * How a settlement is after an attempt. `open`: the reconciler goes on with it. `elsewhere`: others moved the money on
 * chain, and the task says what came of it; without a transaction, its lock was undone and nothing was ever held.
 */
export type Ending =
  | { readonly state: 'confirmed'; readonly txHash: string }
  | { readonly state: 'elsewhere'; readonly txHash: string | null }
  | { readonly state: 'refused'; readonly refusal: Refusal }
  | { readonly state: 'open' }

/** Nothing was sent: the chain or the facilitator is away. */
const away: Refusal = {
  code: 'SETTLEMENT_FAILED',
  message: 'The settlement could not be sent; the money is untouched. Retry with backoff.',
}
const expired: Refusal = {
  code: 'AUTHORIZATION_EXPIRED',
  message: 'The authorization ran out before it was on chain; the money is untouched.',
}
const usedOtherwise: Refusal = {
  code: 'LOCK_REVERTED',
  message: 'The signature was used on chain for something else. Sign a new one.',
}

/**
 * Sends the order of a claimed settlement and writes down how it ended. The claim is already committed and no
 * transaction is open here: the database never waits for a chain.
 */
export async function attempt(deps: MarketDeps, settlement: Settlement): Promise<Ending> {
  return deps.held.during(settlement, async () => {
    const { order, sentUntil } = settlement
    const before = sentUntil ?? sendBefore(deps.clock.now())
    const sent = (): Promise<RailAnswer> => deps.rails(networkOf(order)).send(order, deps.settings.settleWaitMs, before)
    // A network that was left behind takes no order, and nobody knows of the copies of this one.
    return conclude(deps, settlement, (await readable(sent)) ?? { outcome: 'unknown' })
  })
}

/**
 * The least a copy needs to arrive in; what has less is left to the reconciler, which sends it with a deadline of its
 * own.
 */
const leastTravelMs = 5_000

/** Sends what was claimed beside another settlement, while its deadline allows. */
export async function attemptInTime(deps: MarketDeps, settlement: Settlement): Promise<Ending> {
  const left = (settlement.sentUntil?.getTime() ?? 0) - deps.clock.now().getTime()
  return left < leastTravelMs ? { state: 'open' } : attempt(deps, settlement)
}

/** Goes on with a settlement that was left: what is on chain is confirmed, what is not is sent again under its key. */
export async function resume(deps: MarketDeps, settlement: Settlement): Promise<Ending> {
  return deps.held.during(settlement, async () => {
    const { order } = settlement
    const dead = await isDead(deps, order)
    const found = await look(deps, settlement)
    if (found === null) return postpone(deps, settlement)
    if (found.state === 'landed') return confirmed(deps, settlement, found)
    if (order.kind === 'capture' || order.kind === 'void') {
      const { capturable = order.amount.atomic } = found
      const fits = order.kind === 'void' ? capturable === order.amount.atomic : capturable >= order.amount.atomic
      if (!fits) return rest(deps, settlement, capturable)
    }
    if (found.isDead === true) return refused(deps, settlement, usedOtherwise)
    return dead ? refused(deps, settlement, expired) : attempt(deps, settlement)
  })
}

async function conclude(deps: MarketDeps, settlement: Settlement, answer: RailAnswer): Promise<Ending> {
  switch (answer.outcome) {
    case 'settled':
      return confirmed(deps, settlement, answer)
    case 'unknown':
      return postpone(deps, settlement, answer.txHash === undefined ? {} : { txHash: answer.txHash })
    case 'unavailable':
      // The first attempt was not carried out, and no copy of it is under way: the one case that needs no look at the
      // chain.
      if (settlement.attempts > 0 || settlement.mustLand || answer.sent) return postpone(deps, settlement)
      return refused(deps, settlement, away)
    case 'refused':
      return weigh(deps, settlement, answer)
  }
}

type Verdict = Extract<RailAnswer, { readonly outcome: 'refused' }>

/**
 * A verdict gives the claim back only where it is proven that nothing came, or will come, of any copy (decision 0082):
 * the chain has nothing, and no copy under way can be carried out any more.
 */
async function weigh(deps: MarketDeps, settlement: Settlement, verdict: Verdict): Promise<Ending> {
  const { order, mustLand } = settlement
  const found = await look(deps, settlement)
  if (found === null) return postpone(deps, settlement)
  if (found.state === 'landed') return confirmed(deps, settlement, found)
  const isMoved = (order.kind === 'capture' || order.kind === 'void') && (found.capturable ?? 0n) < order.amount.atomic
  if (isMoved) return rest(deps, settlement, found.capturable ?? 0n)
  if (mustLand)
    return postpone(deps, settlement, {
      refusal: verdict.code,
      ...(verdict.final ? { order: reissued(order, deps.clock.now()) } : {}),
    })
  if (found.isDead === true || isProven(settlement, verdict)) return refused(deps, settlement, verdict)
  return postpone(deps, settlement, { code: verdict.code })
}

/**
 * No copy can be carried out any more: whoever carries them out says so for good, or says no after the last of them is
 * past its deadline.
 */
function isProven({ order, sentUntil }: Settlement, { final, at }: Verdict): boolean {
  if (final) return true
  // Nothing but the nonce of its signature keeps a direct payment from being made twice, so here the word of a clock is
  // not enough.
  return order.kind !== 'charge' && at !== null && sentUntil !== null && at > sentUntil
}

/** Others moved part of the payment, or all of it: what is left is settled. */
async function rest(deps: MarketDeps, settlement: Settlement, capturable: bigint, past?: LogPlace): Promise<Ending> {
  const left = await settleRest(deps, settlement, capturable, past)
  if (left === 'unreadable') return postpone(deps, settlement)
  if (left === 'taken up') return { state: 'open' }
  if ('landed' in left) return confirmed(deps, settlement, left.landed)
  return 'again' in left ? attempt(deps, left.again) : left.ending
}

async function confirmed(deps: MarketDeps, settlement: Settlement, landed: Landed): Promise<Ending> {
  const as = await confirmSettlement(deps, settlement, landed)
  if (as === 'confirmed') return { state: 'confirmed', txHash: landed.txHash }
  return as === 'for another' ? restBeside(deps, settlement, landed) : { state: 'open' }
}

/** Two settlements of one payment were claimed by looks of different age, and the other one has done what was to do. */
async function restBeside(deps: MarketDeps, settlement: Settlement, landed: Landed): Promise<Ending> {
  const { order } = settlement
  if (order.kind !== 'capture' && order.kind !== 'void') return { state: 'open' }
  const state = await readable(() => deps.rails(networkOf(order)).escrowState(order.payment))
  return state === null ? postpone(deps, settlement) : rest(deps, settlement, state.capturable, landed)
}

/** A lock whose signature the chain was just seen to have used for something else; what that holds is watched. */
export function refuseUsed(deps: MarketDeps, settlement: Settlement): Promise<Ending> {
  return deps.held.during(settlement, () => refused(deps, settlement, usedOtherwise))
}

async function refused(deps: MarketDeps, settlement: Settlement, refusal: Refusal): Promise<Ending> {
  const given = await giveBack(deps, settlement, refusal)
  return given ? { state: 'refused', refusal } : { state: 'open' }
}

/** Null: the chain cannot be read. */
async function look(deps: MarketDeps, { order }: Settlement): Promise<Found | null> {
  return readable(() => deps.rails(networkOf(order)).find(order))
}

async function postpone(
  deps: MarketDeps,
  settlement: Settlement,
  end: Pick<SettlementEnd, 'txHash' | 'code' | 'refusal' | 'order'> = {},
): Promise<Ending> {
  const now = deps.clock.now()
  await deps.store.transaction(async (tx) => {
    const current = await tx.lockSettlement(settlement.id)
    if (current === null || !isOpen(current) || current.attempts !== settlement.attempts) return
    const dueAt = new Date(now.getTime() + retryAfterMs(current.attempts))
    await tx.endSettlement(settlement.id, { status: 'in_doubt', dueAt, ...end }, now)
  })
  return { state: 'open' }
}
