import type { DirectPayment } from '../escrow/direct-payment.ts'
import type { LogPlace } from '../escrow/movement.ts'
import type { EscrowAuthorization, Payment, SignedReleaseOrder } from '../escrow/payment.ts'
import type { Amount } from '../money/amount.ts'

/** `key` names the order for good: sending an order again under its key never moves money twice. */
export type AuthorizeOrder = {
  readonly kind: 'authorize'
  readonly key: string
  readonly payment: Payment
  readonly authorization: EscrowAuthorization
}

/**
 * What the service itself signs says so from `issuedAt`, unix seconds, so that every copy of an order is the same.
 * `after`: what moved up to there is known and is not this order, however much it looks like it.
 */
type EscrowStep = {
  readonly key: string
  readonly payment: Payment
  readonly amount: Amount
  readonly issuedAt: number
  readonly after?: LogPlace
}
/** `order` null: a resolution of the service, which signs for itself (decision 0046). */
export type CaptureOrder = EscrowStep & { readonly kind: 'capture'; readonly order: SignedReleaseOrder | null }
export type VoidOrder = EscrowStep & { readonly kind: 'void' }

export type ChargeOrder = { readonly kind: 'charge'; readonly key: string; readonly transfer: DirectPayment }
export type RailOrder = AuthorizeOrder | CaptureOrder | VoidOrder | ChargeOrder

/** The network an order is carried out on. */
export function networkOf(order: RailOrder): string {
  return order.kind === 'charge' ? order.transfer.network : order.payment.network
}

/**
 * Another order for the same money under a key of its own, for the time when no copy of this one can be carried out any
 * more.
 */
export function reissued<O extends RailOrder>(
  order: O,
  now: Date,
  changes: Partial<Pick<CaptureOrder, 'amount' | 'after'>> = {},
): O {
  const [base = order.key, count = '0'] = order.key.split('~')
  const key = `${base}~${String(Number(count) + 1)}`
  return order.kind === 'capture' || order.kind === 'void'
    ? { ...order, ...changes, key, issuedAt: Math.floor(now.getTime() / 1_000) }
    : { ...order, key }
}

/** Until when the chain takes an order, unix seconds; null: as long as there is something to move. */
export function deadlineOf(order: RailOrder): bigint | null {
  switch (order.kind) {
    case 'authorize':
      return order.authorization.validBefore
    case 'charge':
      return order.transfer.alongside === undefined ? order.transfer.validBefore : null
    case 'capture':
      return BigInt(order.payment.authorizationExpiry)
    case 'void':
      return null
  }
}

/** How the keys of orders begin that silence makes (decision 0158). */
export const silenceKey = 'silence:'
