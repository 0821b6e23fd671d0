import type { Address, Hex } from './bytes.ts'
import type { TypedData } from './eip712.ts'

/** How the two parties of a task divide what it holds; both sign the same words (decision 0167). */
export type SettlementOfferWords = {
  readonly taskId: string
  /** The hash of the payment in escrow; zero where nothing is held. */
  readonly payment: Hex
  readonly payer: Address
  readonly worker: Address
  readonly token: Address
  readonly workerAmount: bigint
  readonly payerAmount: bigint
  /** Unix seconds. */
  readonly expiry: number
  readonly nonce: Hex
}

const fields = [
  { name: 'taskId', type: 'string' },
  { name: 'payment', type: 'bytes32' },
  { name: 'payer', type: 'address' },
  { name: 'worker', type: 'address' },
  { name: 'token', type: 'address' },
  { name: 'workerAmount', type: 'uint256' },
  { name: 'payerAmount', type: 'uint256' },
  { name: 'expiry', type: 'uint256' },
  { name: 'nonce', type: 'bytes32' },
]

const domain = { name: 'Task Marketplace', version: '1' }

/** The document that a party signs to offer a settlement, and the other to accept it. */
export function settlementOfferTypedData(offer: SettlementOfferWords, chainId: number): TypedData {
  const { workerAmount, payerAmount, expiry } = offer
  return {
    domain: { ...domain, chainId },
    types: { SettlementOffer: fields },
    primaryType: 'SettlementOffer',
    message: {
      ...offer,
      workerAmount: workerAmount.toString(),
      payerAmount: payerAmount.toString(),
      expiry: expiry.toString(),
    },
  }
}

/** What an arbiter decides about a dispute, with its grounds (decision 0168). */
export type DisputeRulingWords = {
  readonly disputeId: string
  readonly taskId: string
  readonly arbiter: Address
  readonly verdict: string
  /** The payer's share in percent: 0 with release, 100 with refund. */
  readonly payerPct: number
  readonly reason: string
  readonly criteria: readonly string[]
  /** Unix seconds until which it may be handed in. */
  readonly deadline: number
  readonly nonce: Hex
}

const rulingFields = [
  { name: 'disputeId', type: 'string' },
  { name: 'taskId', type: 'string' },
  { name: 'arbiter', type: 'address' },
  { name: 'verdict', type: 'string' },
  { name: 'payerPct', type: 'uint256' },
  { name: 'reason', type: 'string' },
  { name: 'criteria', type: 'string[]' },
  { name: 'deadline', type: 'uint256' },
  { name: 'nonce', type: 'bytes32' },
]

/** The document that an arbiter signs. */
export function disputeRulingTypedData(ruling: DisputeRulingWords, chainId: number): TypedData {
  return {
    domain: { ...domain, chainId },
    types: { DisputeRuling: rulingFields },
    primaryType: 'DisputeRuling',
    message: { ...ruling, payerPct: ruling.payerPct.toString(), deadline: ruling.deadline.toString() },
  }
}
