import type { Operations, OutputOf } from '@ergon/contract'
import type { SplitChallenge, TypedData } from '@ergon/core'

type WirePayment = NonNullable<OutputOf<Operations['payments.feeChallenge']>['settlement_auth_fee']>
type WireSplit = NonNullable<OutputOf<Operations['submissions.approveChallenge']>['settlement_transaction']>
type WireTypedData = OutputOf<Operations['escrow.lifecycleChallenge']>['typed_data']

/** Typed data leaves as its signer built it: JSON-safe EIP-712, which the port promises and does not spell out. */
export function presentTypedData(typedData: TypedData): WireTypedData {
  return typedData as unknown as WireTypedData
}

/** A payment that is to be signed. Its envelope leaves as its signer built it; each has a payload, as x402 wants it. */
export function presentAsked(auth: {
  readonly typedData: TypedData
  readonly envelope: Readonly<Record<string, unknown>>
}): WirePayment {
  return { typed_data: presentTypedData(auth.typedData), envelope: auth.envelope as WirePayment['envelope'] }
}

/** As above; the transaction of a payment of two shares is within its payload. */
export function presentSplit({ payer, envelope, lastValidBlockHeight }: SplitChallenge): WireSplit {
  return {
    payer,
    envelope: envelope as WireSplit['envelope'],
    last_valid_block_height: Number(lastValidBlockHeight),
  }
}
