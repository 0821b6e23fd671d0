import { MarketError } from '../errors.ts'
import type { RailAnswer } from '../ports/rail.ts'
import type { RailOrder } from '../settlements/order.ts'
import { isOpen, retryAfterMs, type Refusal, type Settlement } from '../settlements/settlement.ts'
import { confirmSettlement } from './confirm.ts'
import type { MarketDeps } from './deps.ts'
import { giveBack } from './give-back.ts'
import { leftOtherwise } from './left-otherwise.ts'

/** How a settlement stands after an attempt. `open`: the reconciler goes on with it. */
export type Ending = { readonly state: 'confirmed'; readonly txHash: string } | { readonly state: 'refused'; readonly refusal: Refusal } | { readonly state: 'open' }

/** Nothing was sent: the chain or the facilitator is away. */
const away: Refusal = { code: 'SETTLEMENT_FAILED', message: 'The settlement could not be sent; the money is untouched. Retry with backoff.' }

/**
 * Sends the order of a claimed settlement and writes down how it ended. The claim is already committed and no
 * transaction is open here: the database never waits for a chain.
 */
export async function attempt(deps: MarketDeps, settlement: Settlement): Promise<Ending> {
  const answer = await deps.rails(networkOf(settlement.order)).send(settlement.order, deps.settings.settleWaitMs)
  return conclude(deps, settlement, answer)
}

/** Goes on with a settlement somebody left: what is on chain is confirmed, what is not is sent again under its key. */
export async function resume(deps: MarketDeps, settlement: Settlement): Promise<Ending> {
  const found = await look(deps, settlement)
  if (found === 'unreadable') return postpone(deps, settlement)
  if (found !== null) return conclude(deps, settlement, found)
  return isDead(settlement.order, deps.clock.now()) ? refused(deps, settlement, expired) : attempt(deps, settlement)
}

const expired: Refusal = { code: 'AUTHORIZATION_EXPIRED', message: 'The authorization ran out before it was on chain; the money is untouched.' }
/** How far the clock of a chain may be behind ours. */
const chainClockSec = 300

/** Whether the chain itself will take the order no more, so that absent means never. */
function isDead(order: RailOrder, now: Date): boolean {
  const last = order.kind === 'authorize' ? order.authorization.validBefore : order.kind === 'charge' ? order.transfer.validBefore : null
  return last !== null && BigInt(Math.floor(now.getTime() / 1_000)) > last + BigInt(chainClockSec)
}

/**
 * A payment that failed gives the claim back; one that succeeded never does. Nothing is given back before the chain
 * was read, except after a first attempt of which nothing left the house.
 */
async function conclude(deps: MarketDeps, settlement: Settlement, answer: RailAnswer): Promise<Ending> {
  switch (answer.outcome) {
    case 'settled':
      return confirmed(deps, settlement, answer)
    case 'unknown':
      return postpone(deps, settlement, answer.txHash)
    case 'unavailable':
      return settlement.attempts === 0 && !settlement.mustLand ? refused(deps, settlement, away) : postpone(deps, settlement)
    case 'refused': {
      const found = await look(deps, settlement)
      if (found === 'unreadable') return postpone(deps, settlement)
      if (found !== null) return confirmed(deps, settlement, found)
      if (settlement.order.kind === 'void' && (await leftOtherwise(deps, settlement))) return { state: 'refused', refusal: answer }
      return settlement.mustLand ? postpone(deps, settlement, undefined, answer.code) : refused(deps, settlement, answer)
    }
  }
}

async function confirmed(deps: MarketDeps, settlement: Settlement, landed: { readonly txHash: string; readonly blockNumber: bigint }): Promise<Ending> {
  await confirmSettlement(deps, settlement, landed)
  return { state: 'confirmed', txHash: landed.txHash }
}

async function refused(deps: MarketDeps, settlement: Settlement, refusal: Refusal): Promise<Ending> {
  const given = await giveBack(deps, settlement, refusal)
  return given ? { state: 'refused', refusal } : { state: 'open' }
}

async function look(deps: MarketDeps, settlement: Settlement): Promise<Extract<RailAnswer, { outcome: 'settled' }> | null | 'unreadable'> {
  try {
    const found = await deps.rails(networkOf(settlement.order)).find(settlement.order)
    return found.state === 'landed' ? { outcome: 'settled', txHash: found.txHash, blockNumber: found.blockNumber } : null
  } catch (error) {
    if (error instanceof MarketError && error.code === 'CHAIN_UNAVAILABLE') return 'unreadable'
    throw error
  }
}

/** `code`: why it was refused last; it is tried again, for the refusal need not be the last word. */
async function postpone(deps: MarketDeps, settlement: Settlement, txHash?: string, code?: string): Promise<Ending> {
  const now = deps.clock.now()
  await deps.store.transaction(async (tx) => {
    const current = await tx.lockSettlement(settlement.id)
    if (current === null || !isOpen(current)) return
    const dueAt = new Date(now.getTime() + retryAfterMs(current.attempts))
    await tx.endSettlement(settlement.id, { status: 'in_doubt', dueAt, ...(txHash === undefined ? {} : { txHash }), ...(code === undefined ? {} : { code }) }, now)
  })
  return { state: 'open' }
}

function networkOf(order: RailOrder): string {
  return order.kind === 'charge' ? order.transfer.network : order.payment.network
}
