import type { WireRecord } from '../wire-reader.ts'

/** What a payment must satisfy, version 1: the network by its short name, the resource inside. */
export type PaymentRequirementsV1 = {
  readonly scheme: string
  readonly network: string
  readonly maxAmountRequired: string
  readonly resource: string
  readonly description: string
  readonly mimeType: string
  readonly outputSchema?: WireRecord
  readonly payTo: string
  readonly maxTimeoutSeconds: number
  readonly asset: string
  readonly extra?: WireRecord
}
/** What a payment must satisfy, version 2: the network by its CAIP-2 id, the resource outside. */
export type PaymentRequirementsV2 = {
  readonly scheme: string
  readonly network: string
  readonly amount: string
  readonly asset: string
  readonly payTo: string
  readonly maxTimeoutSeconds: number
  readonly extra?: WireRecord
}
/** The thing that is paid for, version 2. */
export type ResourceInfo = { readonly url: string; readonly description?: string; readonly mimeType?: string }
/** A payment, version 1. `payload` is the scheme's own. */
export type PaymentPayloadV1 = {
  readonly x402Version: 1
  readonly scheme: string
  readonly network: string
  readonly payload: WireRecord
}
/** A payment, version 2, with the requirements its payer accepted. */
export type PaymentPayloadV2 = {
  readonly x402Version: 2
  readonly resource?: ResourceInfo
  readonly accepted: PaymentRequirementsV2
  readonly payload: WireRecord
  readonly extensions?: WireRecord
}
/** The body of /verify and /settle. */
export type PaymentRequest =
  | {
      readonly x402Version: 1
      readonly paymentPayload: PaymentPayloadV1
      readonly paymentRequirements: PaymentRequirementsV1
    }
  | {
      readonly x402Version: 2
      readonly paymentPayload: PaymentPayloadV2
      readonly paymentRequirements: PaymentRequirementsV2
    }
/** The body of a 402 answer, version 1. */
export type PaymentRequiredV1 = {
  readonly x402Version: 1
  readonly accepts: readonly PaymentRequirementsV1[]
  readonly error?: string
}
/** The content of PAYMENT-REQUIRED, version 2. */
export type PaymentRequiredV2 = {
  readonly x402Version: 2
  readonly error?: string
  readonly resource: ResourceInfo
  readonly accepts: readonly PaymentRequirementsV2[]
  readonly extensions?: WireRecord
}
/** The answer of /verify. */
export type VerifyAnswer = { readonly isValid: boolean; readonly invalidReason?: string; readonly payer?: string }
/** The answer of /settle; the transaction is under three names because clients disagree. */
export type SettleAnswer = {
  readonly success: boolean
  readonly errorReason?: string
  readonly payer?: string
  readonly transaction?: string
  readonly transactionHash?: string
  readonly transaction_hash?: string
  readonly network: string
}

/** Header names of version 2; version 1 uses the other two. */
export const x402Headers = {
  required: 'PAYMENT-REQUIRED',
  signature: 'PAYMENT-SIGNATURE',
  response: 'PAYMENT-RESPONSE',
  paymentV1: 'X-PAYMENT',
  responseV1: 'X-PAYMENT-RESPONSE',
} as const
