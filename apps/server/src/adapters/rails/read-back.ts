import { findEvent, tokenStoreCalldata } from '@ergon/protocols'
import { MarketError, type Holdings, type Proof, type RailOrder } from '@ergon/core'
import { escrowOf, type ServedNetwork } from '../networks.ts'
import { expectedEvents } from './expected-events.ts'

/**
 * What a transaction that was believed once shows now. A node that lags behind a young one must not speak: callers wait
 * a while.
 */
export async function proofOf(network: ServedNetwork, order: RailOrder, txHash: string): Promise<Proof> {
  const receipt = await network.chain.receipt(txHash)
  if (receipt === null) return 'absent'
  const isShown =
    receipt.succeeded && expectedEvents(order, network).every((event) => findEvent(event, receipt.logs) !== undefined)
  return isShown ? 'proven' : 'otherwise'
}

/** Escrowed funds of all payments of our operator lie in one token store; fees lie with the operator itself. */
export async function readHoldings(network: ServedNetwork, token: string): Promise<Holdings> {
  const { escrow, operator } = escrowOf(network)
  const word = await network.chain.call(escrow, tokenStoreCalldata(operator))
  if (!/^0x0{24}[0-9a-f]{40}$/i.test(word)) throw new MarketError('CHAIN_UNAVAILABLE', { network: network.row.name })
  const [held, fees] = await Promise.all([
    network.chain.balanceOf(token, `0x${word.slice(26)}`),
    network.chain.balanceOf(token, operator),
  ])
  return { escrow: held, operator: fees }
}
