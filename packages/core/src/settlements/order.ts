import type { DirectPayment } from '../escrow/direct-payment.ts'
import type { EscrowAuthorization, Payment, SignedReleaseOrder } from '../escrow/payment.ts'
import type { Amount } from '../money/amount.ts'

/** `key` names the order for good: sending an order again under its key never moves money twice. */
export type AuthorizeOrder = { readonly kind: 'authorize'; readonly key: string; readonly payment: Payment; readonly authorization: EscrowAuthorization }
/** `order` null: a resolution of the service, which signs for itself (decision 0046). */
export type CaptureOrder = { readonly kind: 'capture'; readonly key: string; readonly payment: Payment; readonly amount: Amount; readonly order: SignedReleaseOrder | null }
export type VoidOrder = { readonly kind: 'void'; readonly key: string; readonly payment: Payment; readonly amount: Amount }
export type ChargeOrder = { readonly kind: 'charge'; readonly key: string; readonly transfer: DirectPayment }
export type RailOrder = AuthorizeOrder | CaptureOrder | VoidOrder | ChargeOrder
