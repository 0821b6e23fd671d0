import type { Application } from '@ergon/core'
import { createDisk, type Disk } from './engine/database.ts'
import { allRows } from './engine/table.ts'
import type {
  DistributionRow,
  EscrowRow,
  LedgerRow,
  MovementRow,
  NewPaymentEvent,
  OutboxRow,
  RatingRow,
  SettlementRow,
  SubmissionRow,
  SweepRow,
  TaskRow,
} from './rows.ts'
import type { Session } from './engine/session.ts'
import { createTxPool, type TxPool } from './tx/create-tx.ts'

/** What is committed, as it is when it is asked for. */
export type DatabaseRows = {
  readonly tasks: () => readonly TaskRow[]
  readonly applications: () => readonly Application[]
  readonly submissions: () => readonly SubmissionRow[]
  readonly settlements: () => readonly SettlementRow[]
  readonly escrows: () => readonly EscrowRow[]
  readonly movements: () => readonly MovementRow[]
  readonly distributions: () => readonly DistributionRow[]
  readonly ledger: () => readonly LedgerRow[]
  readonly paymentEvents: () => readonly NewPaymentEvent[]
  readonly ratings: () => readonly RatingRow[]
  readonly sweeps: () => readonly SweepRow[]
  /** In the order of the stream, those beyond its horizon included. */
  readonly events: () => readonly OutboxRow[]
}

/** The database of a simulation: it outlives every process, and forgets what none of them committed. */
export type MemoryDatabase = {
  readonly disk: Disk
  readonly pool: TxPool
  readonly rows: DatabaseRows
  /** Cuts the lines of one process: its transactions are undone and its locks are free. */
  dropConnections(connection: string): void
  /** Stops and cuts every line; until `start` each new one is refused. */
  stop(): void
  start(): void
  readonly isUp: () => boolean
}

export function createMemoryDatabase(): MemoryDatabase {
  const disk = createDisk()
  let isUp = true
  prefill(disk)
  const { tables } = disk
  return {
    disk,
    pool: createTxPool(disk),
    rows: {
      tasks: () => allRows(undefined, tables.tasks),
      applications: () => allRows(undefined, tables.applications),
      submissions: () => allRows(undefined, tables.submissions),
      settlements: () => allRows(undefined, tables.settlements),
      escrows: () => allRows(undefined, tables.escrows),
      movements: () => allRows(undefined, tables.movements),
      distributions: () => allRows(undefined, tables.distributions),
      ledger: () => allRows(undefined, tables.ledger),
      paymentEvents: () => allRows(undefined, tables.paymentEvents),
      ratings: () => allRows(undefined, tables.ratings),
      sweeps: () => allRows(undefined, tables.sweeps),
      events: () => disk.events,
    },
    dropConnections: (connection) => disk.drop(connection),
    stop() {
      isUp = false
      disk.drop(null)
    },
    start() {
      isUp = true
    },
    isUp: () => isUp,
  }
}

/** The rows that the migrations write. */
function prefill(disk: Disk): void {
  const session: Session = disk.open('migrations', () => Promise.resolve())
  // Nobody else is there: both are written before the promises are even made.
  void disk.tables.adminVersion.insert(session, { version: 0n })
  void disk.tables.auditRound.insert(session, { dueAt: -Infinity, sumsDueAt: -Infinity, lastRun: null })
  disk.commit(session)
}
