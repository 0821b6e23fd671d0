import type { Operations, OutputOf } from '@ergon/contract'
import type { TypedData } from '@ergon/core'

type WireTypedData = OutputOf<Operations['escrow.lifecycleChallenge']>['typed_data']

/** Typed data leaves as its signer built it: JSON-safe EIP-712, which the port promises and does not spell out. */
export function presentTypedData(typedData: TypedData): WireTypedData {
  return typedData as unknown as WireTypedData
}
