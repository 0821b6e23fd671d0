import type { ApprovalOutcome } from '@ergon/core'
import { paymentStateOf } from '../chain/escrow.ts'
import type { MemoryDatabase } from '../store/index.ts'
import type { Universe } from '../world/universe.ts'
import type { CaseFile, Signed } from './case-file.ts'
import type { Wallet } from './wallets.ts'

/** What a client was told is written down, and asked of the chain when everything is at rest. */
export function promiseAssigned({ driver }: Universe, file: CaseFile, signed: Signed): void {
  file.promised.push({
    text: `${file.name} was said to be assigned with ${signed.name}`,
    // A payer who acts on the chain may take a lock's place there when its block is given up: then nothing is booked.
    holds: ({ rows }) =>
      paymentStateOf(driver.chain, signed.name).collected ||
      (driver.chain.nonceOf(file.publisher.address) > 0 && !rows.movements().some(({ hash }) => hash === signed.name)),
  })
}

export function promisePaid(universe: Universe, file: CaseFile, worker: Wallet, outcome: ApprovalOutcome): void {
  const { paymentTx, feeTx } = outcome
  file.promised.push({
    text: `${file.name} was said to be paid to ${worker.name} by ${String(paymentTx)}`,
    holds: (database) => paymentTx !== null && isKept(universe, file, paymentTx, database),
  })
  if (feeTx !== null) {
    file.promised.push({
      text: `${file.name} was said to have paid its fee by ${feeTx}`,
      holds: (database) => isKept(universe, file, feeTx, database),
    })
  }
}

export function promiseCancelled(universe: Universe, file: CaseFile, refundTx: string | null): void {
  if (refundTx === null) return
  file.promised.push({
    text: `${file.name} was said to be refunded by ${refundTx}`,
    holds: (database) => isKept(universe, file, refundTx, database),
  })
}

/**
 * A transaction stays, unless its blocks were given up and another one of its payer's came before it: then nothing
 * names it any more.
 */
function isKept(
  { driver: { chain } }: Universe,
  { meddled, publisher, taskId }: CaseFile,
  txHash: string,
  { rows }: MemoryDatabase,
): boolean {
  if (chain.receipt(txHash as `0x${string}`)?.succeeded === true) return true // a hash of ours
  const task = rows.tasks().find((row) => row.task.id === taskId)?.task
  const isNamed =
    task === undefined ||
    [task.paymentTx, task.feeTx, task.refundTx].includes(txHash) ||
    rows.movements().some((one) => one.txHash === txHash)
  return (meddled || chain.nonceOf(publisher.address) > 0) && !isNamed
}

/** One application for each task and worker, whatever became of it. */
export function promiseApplied(file: CaseFile, worker: Wallet, executorId: string): void {
  file.promised.push({
    text: `${worker.name} was said to have applied for ${file.name}`,
    holds: ({ rows }) => rows.applications().some((one) => one.taskId === file.taskId && one.executorId === executorId),
  })
}
