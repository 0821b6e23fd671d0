import type { Tx } from '@ergon/core'
import type { Disk } from '../engine/database.ts'
import type { Run } from '../engine/line.ts'
import { elseNotSimulated } from '../engine/not-simulated.ts'
import { adminTx } from './admin-tx.ts'
import { channelTx } from './channel-tx.ts'
import { disputeTx } from './dispute-tx.ts'
import { listingTx } from './listing-tx.ts'
import { moneyTx } from './money-tx.ts'
import { movementTx } from './movement-tx.ts'
import type { TxDeps } from './parts.ts'
import { offerTx } from './offer-tx.ts'
import { ratingTx } from './rating-tx.ts'
import { settlementTx } from './settlement-tx.ts'
import { taskTx } from './task-tx.ts'
import { timerTx } from './timer-tx.ts'
import { verificationTx } from './verification-tx.ts'
import { wordsTx } from './words-tx.ts'
import { workTx } from './work-tx.ts'

type Kept = { readonly tx: Tx; run: Run }

/**
 * Transactions whose methods are made once and used again, as connections are: one pool for all processes of a
 * database,
 * for nothing of a process stays behind in it.
 */
export type TxPool = { use<T>(run: Run, work: (tx: Tx) => Promise<T>): Promise<T> }

export function createTxPool(disk: Disk): TxPool {
  const idle: Kept[] = []
  return {
    async use(run, work) {
      const kept = idle.pop() ?? create(disk, run)
      kept.run = run
      try {
        return await work(kept.tx)
      } finally {
        idle.push(kept)
      }
    },
  }
}

function create(disk: Disk, run: Run): Kept {
  const deps: TxDeps = { disk, run: (label, statement) => kept.run(label, statement) }
  const kept: Kept = {
    run,
    tx: elseNotSimulated<Tx>({
      ...taskTx(deps),
      ...workTx(deps),
      ...wordsTx(deps),
      ...settlementTx(deps),
      ...movementTx(deps),
      ...moneyTx(deps),
      ...ratingTx(deps),
      ...disputeTx(deps),
      ...adminTx(deps),
      ...listingTx(deps),
      ...verificationTx(deps),
      ...channelTx(deps),
      ...timerTx(deps),
      ...offerTx(deps),
    }),
  }
  return kept
}
