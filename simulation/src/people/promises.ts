import type { ApprovalOutcome } from '@ergon/core'
import { paymentStateOf } from '../chain/escrow.ts'
import type { Universe } from '../world/universe.ts'
import type { CaseFile, Signed } from './case-file.ts'
import type { Wallet } from './wallets.ts'

/** What a client was told is written down, and asked of the chain when everything is at rest. */
export function promiseAssigned({ driver }: Universe, file: CaseFile, signed: Signed): void {
  file.promised.push({ text: `${file.name} was said to be assigned with ${signed.name}`, holds: () => paymentStateOf(driver.chain, signed.name).collected })
}

export function promisePaid(universe: Universe, file: CaseFile, worker: Wallet, outcome: ApprovalOutcome): void {
  const { chain } = universe.driver
  const { paymentTx, feeTx } = outcome
  file.promised.push({
    text: `${file.name} was said to be paid to ${worker.name} by ${String(paymentTx)}`,
    holds: () => paymentTx !== null && chain.receipt(paymentTx as `0x${string}`)?.succeeded === true, // a hash of ours
  })
  if (feeTx !== null) {
    file.promised.push({ text: `${file.name} was said to have paid its fee by ${feeTx}`, holds: () => chain.receipt(feeTx as `0x${string}`)?.succeeded === true }) // a hash of ours
  }
}

export function promiseCancelled(universe: Universe, file: CaseFile, refundTx: string | null): void {
  if (refundTx === null) return
  const { chain } = universe.driver
  file.promised.push({ text: `${file.name} was said to be refunded by ${refundTx}`, holds: () => chain.receipt(refundTx as `0x${string}`)?.succeeded === true }) // a hash of ours
}
