import type { Asset } from '../money/amount.ts'
import type { Finding } from './finding.ts'

/** What our rows say of one token on one network, all payments together. */
export type HeldSums = {
  readonly asset: Asset
  /** The ledger's balance of all escrow accounts. */
  readonly locked: bigint
  /**
   * The ledger's balance of the operator contract, without what came in lately: anybody may send that on (decision
   * 0034).
   */
  readonly fees: bigint
  /** What settlements under way may have moved out of escrow already. */
  readonly leaving: bigint
  /**
   * A sweep is under way that may have moved these fees. One that ended since they came took all there was, or found
   * nothing, and then what is under way moves none of them.
   */
  readonly isSweeping: boolean
}

/** What the contracts hold, ours and of other services of the same operator together. */
export type Holdings = { readonly escrow: bigint; readonly operator: bigint }

/**
 * The contracts may hold more than ours, never less. The rows are read before and after the chain, for money moves
 * meanwhile: only what is too little by both readings is a finding.
 */
export function compareSums(before: HeldSums, after: HeldSums, held: Holdings): readonly Finding[] {
  const found: Finding[] = []
  const locked = least(before.locked, after.locked) - most(before.leaving, after.leaving)
  if (held.escrow < locked) found.push(shortage(before.asset, 'escrow', locked, held.escrow))
  const fees = least(before.fees, after.fees)
  if (!before.isSweeping && !after.isSweeping && held.operator < fees)
    found.push(shortage(before.asset, 'operator', fees, held.operator))
  return found
}

function shortage(asset: Asset, where: 'escrow' | 'operator', ledger: bigint, chain: bigint): Finding {
  return {
    kind: 'mismatch',
    subject: where,
    taskId: null,
    settlementId: null,
    network: asset.network,
    asset,
    atomic: ledger - chain,
    detail: `the ledger says the ${where} holds ${ledger.toString()}, the chain ${chain.toString()}`,
  }
}

const least = (one: bigint, other: bigint): bigint => (one < other ? one : other)
const most = (one: bigint, other: bigint): bigint => (one > other ? one : other)
