import { Refusal } from '../errors.ts'

/** The `Settle-Before` of an order has passed by this service's clock. */
export function orderExpired(): Refusal {
  return new Refusal('order_expired', 'order_expired: the time of Settle-Before has passed')
}
