import type { ApprovalOutcome } from '@ergon/core'
import { paymentStateOf } from '../chain/escrow.ts'
import type { Universe } from '../world/universe.ts'
import type { CaseFile, Signed } from './case-file.ts'
import type { Wallet } from './wallets.ts'

/** What a client was told is written down, and asked of the chain when everything is at rest. */
export function promiseAssigned({ driver }: Universe, file: CaseFile, signed: Signed): void {
  file.promised.push({
    text: `${file.name} was said to be assigned with ${signed.name}`,
    holds: () => paymentStateOf(driver.chain, signed.name).collected,
  })
}

export function promisePaid(universe: Universe, file: CaseFile, worker: Wallet, outcome: ApprovalOutcome): void {
  const { paymentTx, feeTx } = outcome
  file.promised.push({
    text: `${file.name} was said to be paid to ${worker.name} by ${String(paymentTx)}`,
    holds: () => paymentTx !== null && stands(universe, file, paymentTx),
  })
  if (feeTx !== null) {
    file.promised.push({
      text: `${file.name} was said to have paid its fee by ${feeTx}`,
      holds: () => stands(universe, file, feeTx),
    })
  }
}

export function promiseCancelled(universe: Universe, file: CaseFile, refundTx: string | null): void {
  if (refundTx === null) return
  file.promised.push({
    text: `${file.name} was said to be refunded by ${refundTx}`,
    holds: () => stands(universe, file, refundTx),
  })
}

/**
 * A transaction stays, unless its blocks were given up and another one of its payer's came before it: the books are
 * asked then.
 */
function stands({ driver: { chain } }: Universe, { meddled }: CaseFile, txHash: string): boolean {
  return meddled || chain.receipt(txHash as `0x${string}`)?.succeeded === true // a hash of ours
}
