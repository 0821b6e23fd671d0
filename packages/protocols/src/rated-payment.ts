import type { Address } from './bytes.ts'
import { hashTypedData, type TypedData } from './eip712.ts'

/**
 * Who paid whom, on a network whose addresses are not those of the sides: a marketplace's word for it, by which a
 * rating of that payment is written.
 */
export type RatedPayment = {
  /** As the marketplace names it. */
  readonly network: string
  /** By its name on that network, letter for letter. */
  readonly transaction: string
  readonly payer: Address
  readonly payee: Address
}

/** A transaction of Solana by its signature: 64 bytes in base58. */
export const solanaTransaction = /^[1-9A-HJ-NP-Za-km-z]{64,88}$/

const fields = [
  { name: 'network', type: 'string' },
  { name: 'transaction', type: 'string' },
  { name: 'payer', type: 'address' },
  { name: 'payee', type: 'address' },
]

/**
 * The document that the key signs whose orders the facilitator takes.
 * @param chainId of the chain that the rating is written on
 */
export function ratedPaymentTypedData(payment: RatedPayment, chainId: number): TypedData {
  return {
    domain: { name: 'Task Marketplace', version: '1', chainId },
    types: { RatedPayment: fields },
    primaryType: 'RatedPayment',
    message: { ...payment },
  }
}

/** The EIP-712 digest of {@link ratedPaymentTypedData}. */
export function ratedPaymentDigest(payment: RatedPayment, chainId: number): Uint8Array {
  return hashTypedData(ratedPaymentTypedData(payment, chainId))
}
