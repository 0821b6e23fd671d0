import { Refusal } from '../errors.ts'
import type { Fees } from '../chain/chain.ts'

/** What an operator pays at most, and when it is told that gas runs low. */
export type GasTerms = {
  /** Wei for each gas, tip included; undefined is no limit. */
  readonly highestFee: bigint | undefined
  /** Wei in the sending account below which health says so. */
  readonly alarmBelow: bigint
}

/**
 * The fees with their most cut down to what the operator pays. @throws Refusal gas_too_dear where that would not get a
 * transaction into the next block: nothing is sent, and the same request may be carried out later
 */
export function boundFees(fees: Fees, { highestFee }: Pick<GasTerms, 'highestFee'>): Fees {
  if (highestFee === undefined || fees.maxFeePerGas <= highestFee) return fees
  // The most is twice the base fee and the tip.
  const needed = (fees.maxFeePerGas + fees.maxPriorityFeePerGas) / 2n
  if (needed <= highestFee) return { ...fees, maxFeePerGas: highestFee }
  throw passing('gas_too_dear', 'gas costs more now than this facilitator pays')
}

/** The account that pays cannot. */
export function outOfGas(): Refusal {
  return passing('out_of_gas', 'the account that pays the gas of this facilitator has run out')
}

function passing(code: string, message: string): Refusal {
  return new Refusal(code, message, { status: 503, details: { broadcast: false }, isPassing: true })
}
