import { MarketError, type EscrowState, type Payment } from '@ergon/core'
import { paymentStateCalldata, wordAt } from '@ergon/protocols'
import { escrowOf, type ServedNetwork } from '../networks.ts'
import { hex32 } from './expected-events.ts'

/** What the escrow holds for a payment, or held by that block. Throws CHAIN_UNAVAILABLE. */
export async function readEscrowState(network: ServedNetwork, payment: Payment, at?: bigint): Promise<EscrowState> {
  const answer = await network.chain.call(escrowOf(network).escrow, paymentStateCalldata(hex32(payment.hash)), at)
  const [collected, capturable, refundable] = [wordAt(answer, 0), wordAt(answer, 1), wordAt(answer, 2)]
  // No words: there is no contract, or the node is of another chain.
  if (collected === undefined || capturable === undefined || refundable === undefined)
    throw new MarketError('CHAIN_UNAVAILABLE', { network: network.row.name })
  return { collected: collected !== 0n, capturable, refundable }
}
