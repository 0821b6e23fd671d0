import { isFinal, type Ruling, type Task } from '@ergon/core'
import type { CaseFile } from '../people/case-file.ts'
import { allRows } from '../store/engine/table.ts'
import type { MemoryDatabase } from '../store/index.ts'

/** Two clocks that differ, and one that runs. */
const skewMs = 10_000

const rulingsOf = ({ disk: { tables } }: MemoryDatabase): readonly Ruling[] => allRows(undefined, tables.rulings)
const taskOf = ({ rows }: MemoryDatabase, { taskId }: Ruling): Task | undefined =>
  rows.tasks().find(({ task }) => task.id === taskId)?.task

/** What an arbiter ruled on a task and was carried out. */
export function carriedOut(database: MemoryDatabase, taskId: string): Ruling | undefined {
  return rulingsOf(database).find((one) => one.taskId === taskId && one.status === 'executed')
}

/** Rulings that wait although their task is over, or although their day is. */
export function standingStill(database: MemoryDatabase, now: number): readonly string[] {
  return rulingsOf(database).flatMap((one) => {
    const task = taskOf(database, one)
    if (one.status !== 'standing' || task === undefined) return []
    return isFinal(task.status) || one.appealUntil.getTime() <= now
      ? [`the ruling ${one.id.slice(0, 8)} waits, and its task is ${task.status}`]
      : []
  })
}

/** A ruling that nobody appealed is carried out while anything is held: no task just runs out over it. */
export function lostRulings(database: MemoryDatabase, files: readonly CaseFile[]): readonly string[] {
  return rulingsOf(database).flatMap((one) => {
    const file = files.find(({ taskId }) => taskId === one.taskId)
    if (one.status !== 'overtaken' || one.appealedBy !== null || file === undefined) return []
    const task = taskOf(database, one)
    // What is not held its publisher owes, and some never pay. A lock that was undone for good never held anything.
    const isHeld = file.mode !== 'fase1' && !(task?.escrowStatus === 'refunded' && task.refundTx === null)
    if (!isHeld || file.meddled || file.overslept || task?.status !== 'expired') return []
    return [`${file.name} ran out, though ${one.verdict} was ruled and nobody appealed`]
  })
}

/**
 * What became of rulings when everything is over (decision 0168): an appealed one is never carried out, one that was
 * carried out says what its dispute says, and not before its day was over.
 */
export function brokenRulings(database: MemoryDatabase): readonly string[] {
  return rulingsOf(database).flatMap((ruling) => {
    const name = `the ruling ${ruling.id.slice(0, 8)}`
    const [dispute] = allRows(undefined, database.disk.tables.disputes, (row) => row.id === ruling.disputeId)
    if (ruling.status === 'standing') return [`${name} waits, though everything is over`]
    if (ruling.status !== 'executed') return []
    const { resolution, resolvedAt, status } = dispute ?? {}
    if (ruling.appealedBy !== null) return [`${name} was carried out, though it was appealed`]
    if (status !== 'resolved' || resolution?.verdict !== ruling.verdict || resolution.splitPct !== ruling.splitPct)
      return [`${name} was carried out, and its dispute is ${String(status)} with ${String(resolution?.verdict)}`]
    return (resolvedAt?.getTime() ?? 0) + skewMs < ruling.appealUntil.getTime()
      ? [`${name} was carried out before its day was over`]
      : []
  })
}
