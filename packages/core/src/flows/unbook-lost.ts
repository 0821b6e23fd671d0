import type { Finding } from '../audit/finding.ts'
import { totalsOf, type LogPlace } from '../escrow/movement.ts'
import type { Payment } from '../escrow/payment.ts'
import { movementJournal } from '../ledger/journal.ts'
import type { ChainBlock, ChainLogs, ChainWindow } from '../ports/chain-logs.ts'
import type { BookedMovement, BookedTransfer } from '../ports/store-follow.ts'
import type { Tx } from '../ports/store.ts'
import type { Settlement } from '../settlements/settlement.ts'
import type { Place } from './close-dispute.ts'
import type { MarketDeps } from './deps.ts'
import { isLongLost, reportLost } from './long-lost.ts'
import { readable } from './readable.ts'
import { attempt } from './settle.ts'
import { takeUpUndone, type Undone } from './take-up-undone.ts'
import { unbookTransfers } from './unbook-transfers.ts'

export type Looked = {
  readonly network: string
  readonly window: ChainWindow
  readonly booked: readonly BookedMovement[]
  readonly transfers: readonly BookedTransfer[]
  readonly head: ChainBlock
}

/**
 * Logs we booked and the chain does not show where they were: blocks were undone. One that was mined again is written
 * down where it is now; one that is gone is a finding, and its journal is turned round once the chain can bring it back
 * no more (decision 0083). False when the chain could not be read.
 */
export async function unbookLost(deps: MarketDeps, logs: ChainLogs, looked: Looked): Promise<boolean> {
  const { network, window, booked, head } = looked
  const seen = (one: BookedMovement): LogPlace | undefined =>
    window.movements.find(({ txHash, logIndex }) => one.txHash === txHash && one.logIndex === logIndex)
  for (const one of booked) {
    const place = seen(one)
    if (place !== undefined && (place.blockNumber !== one.blockNumber || one.missingSince !== null))
      await move(deps, one, { blockNumber: place.blockNumber, logIndex: place.logIndex })
  }
  const absent = booked.filter(
    (one) =>
      one.logIndex >= 0 &&
      seen(one) === undefined &&
      (one.missingSince !== null || one.blockNumber <= window.through.number),
  )
  const missing: BookedMovement[] = []
  for (const movement of absent) {
    const place = await readable(() => logs.placeOf(movement).then((now) => ({ now })))
    if (place === null) return false
    if (
      place.now === null
        ? !(await endLost(deps, movement, { depth: BigInt(logs.depth), head }))
        : !(await move(deps, movement, place.now))
    )
      missing.push(movement)
  }
  const unpaid = await unbookTransfers(deps, logs, looked)
  if (unpaid === null) return false
  await report(deps, network, [...missing, ...unpaid])
  return true
}

/** It was mined again. Where it has been booked there as well, this one is one too many. */
async function move(deps: MarketDeps, movement: BookedMovement, to: LogPlace): Promise<boolean> {
  if (await deps.store.transaction((tx) => tx.moveMovement(movement, to))) return true
  const [known] = await deps.store.knownPayments(movement.network, [movement.hash])
  if (known === undefined) return false
  await deps.store.transaction(async (tx) => {
    if (movement.taskId !== null) await tx.lockTask(movement.taskId)
    await turnRound(deps, tx, movement, known.payment)
  })
  return true
}

/** True when it was unbooked: deep enough under the newest block, and missing for long enough. */
async function endLost(
  deps: MarketDeps,
  movement: BookedMovement,
  terms: { readonly depth: bigint; readonly head: ChainBlock },
): Promise<boolean> {
  if (!(await isLongLost(deps, movement, terms))) return false
  const [known] = await deps.store.knownPayments(movement.network, [movement.hash])
  const left = known === undefined ? null : await readable(() => deps.rails(movement.network).movements(known.payment))
  if (known === undefined || left === null) return false
  if (movement.kind === 'captured' && totalsOf(left).capturable === 0n)
    await reportLost(deps, movement, {
      asset: known.payment.asset,
      detail: `the payout of ${movement.txHash} was undone with its block, and nothing is held to pay it from`,
    })
  const isApproved = (await deps.store.settlement(known.lock.taskId, 'release'))?.status === 'confirmed'
  const next = await unbook(deps, { movement, known, left, isApproved })
  if (next === 'later') return false
  if (next !== null) await attempt(deps, next)
  return true
}

/** Answers the settlement that goes on with what is left; `later`: it stays booked until another one has ended. */
function unbook(deps: MarketDeps, undone: Undone): Promise<Settlement | 'later' | null> {
  const { movement, known } = undone
  return deps.store.transaction(async (tx) => {
    // The task is locked before the log, as whoever books does it.
    const task = movement.taskId === null ? null : await tx.lockTask(movement.taskId)
    const place = task === null ? null : { deps, tx, task, now: deps.clock.now() }
    if (place !== null && !(await isBooked(place, movement))) return null
    const next = place === null ? null : await takeUpUndone(place, undone)
    if (next === 'later') return 'later'
    await turnRound(deps, tx, movement, known.payment)
    if (place !== null) await tellLost(place, movement)
    return next
  })
}

/** Another server may have unbooked it meanwhile. */
async function isBooked({ tx }: Place, { network, hash, txHash, logIndex }: BookedMovement): Promise<boolean> {
  const booked = await tx.movements(network, hash)
  return booked.some((one) => one.txHash === txHash && one.logIndex === logIndex)
}

/** Turns the journal round; the books only grow. Nothing where another server has. */
async function turnRound(deps: MarketDeps, tx: Tx, movement: BookedMovement, payment: Payment): Promise<void> {
  if (!(await tx.dropMovement(movement))) return
  const postings = movementJournal(movement, payment).map(({ account, atomic }) => ({ account, atomic: -atomic }))
  const { asset } = payment
  await tx.post({ id: deps.ids.next(), taskId: movement.taskId, asset, at: deps.clock.now(), postings })
}

/**
 * What was said to have happened did not: no task names that transaction any more, nor the fee that was swept after it,
 * and everybody is told.
 */
async function tellLost({ deps, tx, task, now }: Place, { txHash, kind }: BookedMovement): Promise<void> {
  const changes = {
    ...(kind === 'captured' && task.paymentTx === txHash ? { paymentTx: null, paymentBlock: null, feeTx: null } : {}),
    ...(kind === 'voided' && task.refundTx === txHash ? { refundTx: null } : {}),
  }
  await tx.changeTask(task.id, changes, now)
  const data = { task_id: task.id, code: 'SETTLEMENT_FAILED' }
  await tx.addEvent({ id: deps.ids.next(), type: 'payment.failed', taskId: task.id, at: now, data })
}

async function report(deps: MarketDeps, network: string, missing: readonly BookedMovement[]): Promise<void> {
  const scope = `undone:${network}`
  const found = missing.map(
    ({ txHash, logIndex, taskId, settlementId, kind, atomic }): Finding & { readonly scope: string } => ({
      kind: 'reorged',
      scope,
      subject: `${txHash}:${String(logIndex)}`,
      taskId,
      settlementId,
      network,
      asset: null,
      atomic,
      detail: `what was ${kind} in ${txHash} is no longer on chain`,
    }),
  )
  await deps.store.reportFindings([scope], found, deps.clock.now())
}
