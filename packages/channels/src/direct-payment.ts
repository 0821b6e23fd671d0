import { ProtocolError } from '@ergon/protocols'
import type { Instruction } from './instruction.ts'
import {
  computeLimitInstruction,
  computePriceInstruction,
  createTokenAccountInstruction,
  memoInstruction,
  transferTokensInstruction,
} from './other-instructions.ts'
import { decodeTransaction, encodeMessage, hasSigned, type Transaction } from './transaction.ts'

/** A payment of a bounty without escrow: one transaction pays everybody or nobody. */
export type DirectPayment = {
  readonly payer: string
  /** Pays the fee and the rent of token accounts that are missing; owns no money that moves. */
  readonly feePayer: string
  readonly mint: string
  readonly decimals: number
  /** Who gets how much, in atomic units above 0: the worker, then the treasury. */
  readonly payees: readonly { readonly owner: string; readonly amount: bigint }[]
  /** Ties the payment to what it is for, so that no two payments of equal amounts are one. */
  readonly reference: string
  readonly computeUnits: number
  /** Millionths of a lamport for each compute unit. */
  readonly computePrice: bigint
}

/** Why a transaction is not the payment that was offered. */
export type DirectFault = 'direct_terms' | 'direct_message' | 'signature'

const mostPayees = 4

/** Everything the payment does, in its one order. @throws ProtocolError `direct_terms` */
export function directPaymentInstructions(payment: DirectPayment): readonly Instruction[] {
  const { payer, feePayer, mint, decimals, payees, reference, computeUnits, computePrice } = payment
  const owners = payees.map(({ owner }) => owner)
  demand(payees.length > 0 && payees.length <= mostPayees, 'direct_terms', `pays one to ${mostPayees} payees`)
  demand(new Set(owners).size === owners.length, 'direct_terms', 'pays each payee once')
  demand(!owners.includes(payer) && payer !== feePayer, 'direct_terms', 'is paid by the payer to others')
  demand(
    payees.every(({ amount }) => amount > 0n),
    'direct_terms',
    'pays amounts above 0',
  )
  return [
    computeLimitInstruction(computeUnits),
    computePriceInstruction(computePrice),
    ...owners.map((owner) => createTokenAccountInstruction({ funder: feePayer, owner, mint })),
    ...payees.map(({ owner, amount }) => transferTokensInstruction({ from: payer, to: owner, mint, amount, decimals })),
    memoInstruction(reference),
  ]
}

/**
 * Takes a transaction for the payment only if its message is the one we would write, byte for byte: nothing can be
 * added, moved or left out. What is free is the blockhash, which says how long it is valid.
 *
 * @returns the transaction, signed by its payer and not yet by who pays the fee.
 * @throws ProtocolError whose code is a DirectFault, or what `decodeTransaction` throws.
 */
export function verifyDirectPayment(wire: Uint8Array, payment: DirectPayment): Transaction {
  const transaction = decodeTransaction(wire)
  const { blockhash } = transaction.message
  const expected = encodeMessage(payment.feePayer, blockhash, directPaymentInstructions(payment))
  const { messageBytes } = transaction
  const isSame = messageBytes.length === expected.length && messageBytes.every((byte, at) => byte === expected[at])
  demand(isSame, 'direct_message', 'does what was offered and nothing else')
  demand(hasSigned(transaction, payment.payer), 'signature', 'is signed by its payer')
  return transaction
}

function demand(isSo: boolean, code: DirectFault, does: string): asserts isSo {
  if (!isSo) throw new ProtocolError(code, `a direct payment is a transaction that ${does}`)
}
