import {
  authorizationStateCalldata,
  eventTopic,
  expectAuthorizationSpent,
  expectCollected,
  findEvent,
  findEvents,
  type Hex,
  wordAt,
} from '@ergon/protocols'
import { isAfter, MarketError, type EscrowState, type Found, type RailOrder } from '@ergon/core'
import type { ChainLog } from '../chain/log-search.ts'
import { escrowOf, type ServedNetwork } from '../networks.ts'
import { bookedLogs } from './booked-logs.ts'
import { landedBy } from './confirm.ts'
import { readEscrowState } from './escrow-state.ts'
import { expectedEvents, hex32 } from './expected-events.ts'
import { readMovementLogs } from './movements.ts'

type ChargeOrder = Extract<RailOrder, { readonly kind: 'charge' }>
type AuthorizeOrder = Extract<RailOrder, { readonly kind: 'authorize' }>
type EscrowOrder = Exclude<RailOrder, ChargeOrder>
type SignedOrder = AuthorizeOrder | ChargeOrder

/**
 * Whether an order is on chain. The contract's state says whether it can be, in one call; its log names the
 * transaction.
 * Throws CHAIN_UNAVAILABLE where the two disagree: a node that has lost its logs proves nothing.
 */
export async function findOrder(network: ServedNetwork, order: RailOrder): Promise<Found> {
  return order.kind === 'charge' ? findCharge(network, order) : findEscrowStep(network, order)
}

async function findEscrowStep(network: ServedNetwork, order: EscrowOrder): Promise<Found> {
  const state = await readEscrowState(network, order.payment)
  const absent: Found =
    order.kind === 'authorize' ? { state: 'absent' } : { state: 'absent', capturable: state.capturable }
  if (!canHaveLanded(order, state)) return absent
  if (order.kind === 'authorize')
    return state.capturable === 0n ? findEmptied(network, order) : findCollected(network, order)
  const [expected] = expectedEvents(order, network)
  const log = findEvents(expected, await readMovementLogs(network, order.payment, expected)).at(-1)
  // Another part of the payment was moved, not this order's amount, or not since this order was made.
  if (log === undefined || !isAfter(log, order.after)) return absent
  const feeBps = order.kind === 'capture' ? wordAt(log.data, 1) : undefined
  return { state: 'landed', ...landedBy(log), ...(feeBps === undefined ? {} : { feeBps: Number(feeBps) }) }
}

function canHaveLanded(order: EscrowOrder, state: EscrowState): boolean {
  if (!state.collected) return false
  if (order.kind === 'authorize') return true
  const moved = order.payment.maxAmount - state.capturable
  // What was captured stays refundable, so what left the escrow otherwise went back to the payer.
  return (order.kind === 'capture' ? moved : moved - state.refundable) >= order.amount.atomic
}

/**
 * Collected and emptied: whatever it did, this signature holds nothing any more, and nobody can be assigned on it. Not
 * for good as long as the emptying may be undone.
 */
async function findEmptied(network: ServedNetwork, { payment }: AuthorizeOrder): Promise<Found> {
  const { collected, capturable } = await readEscrowState(network, payment, await network.chain.deepBlock())
  return absentOr(collected && capturable === 0n)
}

/**
 * A payer may carry the authorization to the operator too, and hold less than it allows, or pay with it at once. One
 * look finds whatever collected the payment: of two looks, the first may be at a node that is a block behind.
 */
async function findCollected(network: ServedNetwork, order: AuthorizeOrder): Promise<Found> {
  const isDead = await isSpentForGood(network, order)
  const hash = hex32(order.payment.hash)
  const known = bookedLogs(network, hash)
  const log = await network.chain.findLog(expectCollected(escrowOf(network).escrow, hash), undefined, known)
  if (log === undefined) throw cannotTell(network)
  const isIts = findEvent(expectedEvents(order, network)[0], [log]) !== undefined
  return isIts ? { state: 'landed', ...landedBy(log) } : absentOr(isDead)
}

async function findCharge(network: ServedNetwork, order: ChargeOrder): Promise<Found> {
  if (!(await isNonceSpent(network, order))) return { state: 'absent' }
  const isDead = await isSpentForGood(network, order)
  const [{ emitter }, transfer] = expectedEvents(order, network)
  const log = await findSpent(network, order, emitter)
  if (log === undefined) throw cannotTell(network)
  if (isCanceled(log)) return absentOr(isDead)
  const receipt = await network.chain.receipt(log.transactionHash)
  if (receipt === null || transfer === undefined) throw cannotTell(network)
  // The nonce is the payer's, so it can have paid another wallet.
  const paid = findEvent(transfer, receipt.logs) !== undefined
  return paid ? { state: 'landed', ...landedBy(log) } : absentOr(isDead)
}

/** Whether its payer withdrew the signature of an order that is not on chain, for good. Throws CHAIN_UNAVAILABLE. */
export async function isWithdrawn(network: ServedNetwork, order: RailOrder): Promise<boolean> {
  if (order.kind !== 'authorize' || !(await isSpentForGood(network, order))) return false
  const log = await findSpent(network, order, order.payment.token)
  return log !== undefined && isCanceled(log)
}

const absentOr = (isDead: boolean): Found => (isDead ? { state: 'absent', isDead } : { state: 'absent' })

/**
 * Whether a signature was spent in a block that is not undone any more. Asked before the log that tells how: what spent
 * it by then is what the log shows.
 */
async function isSpentForGood(network: ServedNetwork, order: SignedOrder): Promise<boolean> {
  return isNonceSpent(network, order, await network.chain.deepBlock())
}

async function isNonceSpent(network: ServedNetwork, order: SignedOrder, at?: bigint): Promise<boolean> {
  const { token, from, nonce } = signatureOf(order)
  const used = wordAt(await network.chain.call(token, authorizationStateCalldata(from, nonce), at), 0)
  if (used === undefined) throw cannotTell(network)
  return used !== 0n
}

/** What used the nonce or withdrew it. One look for both, which ends where it happened, whichever it was. */
async function findSpent(network: ServedNetwork, order: SignedOrder, token: string): Promise<ChainLog | undefined> {
  const { from, nonce } = signatureOf(order)
  const known = bookedLogs(network, order.kind === 'charge' ? nonce : hex32(order.payment.hash))
  return network.chain.findLog(expectAuthorizationSpent(token, from, nonce), undefined, known)
}

const isCanceled = ({ topics: [event] }: ChainLog): boolean => event === eventTopic('AuthorizationCanceled')

/** The transfer authorization behind an order (EIP-3009). */
function signatureOf(order: SignedOrder): { readonly token: string; readonly from: string; readonly nonce: Hex } {
  if (order.kind === 'charge') {
    const { token, from, nonce } = order.transfer
    return { token, from, nonce: hex32(nonce) }
  }
  const { payment, authorization } = order
  return { token: payment.token, from: payment.payer, nonce: hex32(authorization.nonce) }
}

function cannotTell(network: ServedNetwork): MarketError {
  return new MarketError('CHAIN_UNAVAILABLE', { network: network.row.name })
}
