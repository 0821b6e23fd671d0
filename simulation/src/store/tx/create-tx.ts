import type { Tx } from '@ergon/core'
import { elseNotSimulated } from '../engine/not-simulated.ts'
import { adminTx } from './admin-tx.ts'
import { disputeTx } from './dispute-tx.ts'
import { listingTx } from './listing-tx.ts'
import { moneyTx } from './money-tx.ts'
import type { TxDeps } from './parts.ts'
import { ratingTx } from './rating-tx.ts'
import { taskTx } from './task-tx.ts'
import { verificationTx } from './verification-tx.ts'
import { workTx } from './work-tx.ts'

export function createTx(deps: TxDeps): Tx {
  return elseNotSimulated<Tx>({ ...taskTx(deps), ...workTx(deps), ...moneyTx(deps), ...ratingTx(deps), ...disputeTx(deps), ...adminTx(deps), ...listingTx(deps), ...verificationTx(deps) })
}
