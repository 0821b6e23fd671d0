import { paymentInfoFromWire, ProtocolError, type Address, type PaymentInfo } from '@ergon/protocols'
import { Refusal } from '../errors.ts'

/** Lowercase addresses, exactly eleven members; a fault is `PaymentInfoInvalid`, the name callers branch on. */
export function readPaymentInfo(value: unknown, payer: Address): PaymentInfo {
  try {
    return paymentInfoFromWire(value, payer)
  } catch (error) {
    if (!(error instanceof ProtocolError)) throw error
    throw new Refusal('PaymentInfoInvalid', `PaymentInfo validation failed: ${error.message}`, { cause: error })
  }
}
