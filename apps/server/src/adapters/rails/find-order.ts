import {
  authorizationStateCalldata,
  expectAuthorizationCanceled,
  expectCollected,
  findEvent,
  paymentStateCalldata,
  wordAt,
} from '@ergon/protocols'
import { isAfter, MarketError, type EscrowState, type Found, type Payment, type RailOrder } from '@ergon/core'
import { escrowOf, tokenOf, type ServedNetwork } from '../networks.ts'
import { landedBy } from './confirm.ts'
import { expectedEvents, hex32 } from './expected-events.ts'

type ChargeOrder = Extract<RailOrder, { readonly kind: 'charge' }>
type EscrowOrder = Exclude<RailOrder, ChargeOrder>

/** What the escrow holds for a payment. Throws CHAIN_UNAVAILABLE. */
export async function readEscrowState(network: ServedNetwork, payment: Payment): Promise<EscrowState> {
  const answer = await network.chain.call(escrowOf(network).escrow, paymentStateCalldata(hex32(payment.hash)))
  const [collected, capturable, refundable] = [wordAt(answer, 0), wordAt(answer, 1), wordAt(answer, 2)]
  // No words: no contract stands there, or the node is of another chain.
  if (collected === undefined || capturable === undefined || refundable === undefined) throw cannotTell(network)
  return { collected: collected !== 0n, capturable, refundable }
}

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
  // Collected and emptied: whatever it did, this signature holds nothing any more, and nobody can be assigned on it.
  if (order.kind === 'authorize')
    return state.capturable === 0n ? { state: 'absent', isDead: true } : findCollected(network, order)
  const log = await network.chain.findLog(expectedEvents(order, network)[0])
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
 * A payer may carry the authorization to the operator too, and hold less than it allows, or pay with it at once. One
 * look
 * finds whatever collected the payment: of two looks, the first may be at a node that is a block behind.
 */
async function findCollected(network: ServedNetwork, order: EscrowOrder): Promise<Found> {
  const log = await network.chain.findLog(expectCollected(escrowOf(network).escrow, hex32(order.payment.hash)))
  if (log === undefined) throw cannotTell(network)
  const isIts = findEvent(expectedEvents(order, network)[0], [log]) !== undefined
  return isIts ? { state: 'landed', ...landedBy(log) } : { state: 'absent', isDead: true }
}

async function isNonceSpent(network: ServedNetwork, { transfer }: ChargeOrder): Promise<boolean> {
  const token = tokenOf(network, transfer.amount.asset.symbol).address
  const used = wordAt(
    await network.chain.call(token, authorizationStateCalldata(transfer.from, hex32(transfer.nonce))),
    0,
  )
  if (used === undefined) throw cannotTell(network)
  return used !== 0n
}

async function findCharge(network: ServedNetwork, order: ChargeOrder): Promise<Found> {
  if (!(await isNonceSpent(network, order))) return { state: 'absent' }
  const [spent, transfer] = expectedEvents(order, network)
  const log = await network.chain.findLog(spent)
  if (log === undefined) {
    if (await isCanceled(network, order)) return { state: 'absent', isDead: true }
    throw cannotTell(network)
  }
  const receipt = await network.chain.receipt(log.transactionHash)
  if (receipt === null || transfer === undefined) throw cannotTell(network)
  // The nonce is the payer's, so it can have paid somebody else.
  const paid = findEvent(transfer, receipt.logs) !== undefined
  return paid ? { state: 'landed', ...landedBy(log) } : { state: 'absent', isDead: true }
}

/** Whether its payer withdrew the signature of an order that is not on chain. Throws CHAIN_UNAVAILABLE. */
export async function isWithdrawn(network: ServedNetwork, order: RailOrder): Promise<boolean> {
  return order.kind === 'authorize' && isCanceled(network, order)
}

async function isCanceled(
  network: ServedNetwork,
  order: Extract<RailOrder, { readonly kind: 'authorize' | 'charge' }>,
): Promise<boolean> {
  const [token, from, nonce] =
    order.kind === 'charge'
      ? [order.transfer.token, order.transfer.from, order.transfer.nonce]
      : [order.payment.token, order.payment.payer, order.authorization.nonce]
  const log = await network.chain.findLog(expectAuthorizationCanceled(token, from, hex32(nonce)))
  return log !== undefined
}

function cannotTell(network: ServedNetwork): MarketError {
  return new MarketError('CHAIN_UNAVAILABLE', { network: network.row.name })
}
