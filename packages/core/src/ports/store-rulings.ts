import type { Side } from '../disputes/dispute.ts'
import type { Ruling, RulingStatus } from '../disputes/ruling.ts'

/** What arbiters decided (decision 0168). */
export interface RulingStore {
  /** Of a dispute; null while nobody ruled. */
  rulingOf(disputeId: string): Promise<Ruling | null>
}

export interface RulingTx {
  /** False when the dispute has one. */
  insertRuling(ruling: Ruling): Promise<boolean>
  /** The one of a task that was not overtaken. */
  lockRulingOf(taskId: string): Promise<Ruling | null>
  endRuling(id: string, status: RulingStatus, at: Date): Promise<void>
  appealRuling(id: string, side: Side, reason: string): Promise<void>
}
