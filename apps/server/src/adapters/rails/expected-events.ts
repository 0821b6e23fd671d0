import type { RailOrder } from '@ergon/core'
import {
  expectAuthorizationUsed,
  expectAuthorized,
  expectCaptured,
  type ExpectedEvent,
  expectTransfer,
  expectVoided,
  type Hex,
  isHex32,
} from '@ergon/protocols'
import { escrowOf, tokenOf, type ServedNetwork } from '../networks.ts'

/**
 * The events that prove an order; the first one is found by what it indexes. Emitters are the table's, never the
 * order's.
 */
export function expectedEvents(order: RailOrder, network: ServedNetwork): readonly [ExpectedEvent, ...ExpectedEvent[]] {
  if (order.kind === 'charge') {
    const { from, to, nonce, amount } = order.transfer
    const token = tokenOf(network, amount.asset.symbol).address
    return [expectAuthorizationUsed(token, from, hex32(nonce)), expectTransfer(token, from, to, amount.atomic)]
  }
  const { escrow } = escrowOf(network)
  const hash = hex32(order.payment.hash)
  switch (order.kind) {
    case 'authorize':
      return [expectAuthorized(escrow, hash, order.payment.maxAmount)]
    case 'capture':
      return [expectCaptured(escrow, hash, order.amount.atomic)]
    case 'void':
      return [expectVoided(escrow, hash, order.amount.atomic)]
  }
}

export function hex32(text: string): Hex {
  if (!isHex32(text)) throw new Error('an order names its payment by 32 bytes in hex')
  return text
}
