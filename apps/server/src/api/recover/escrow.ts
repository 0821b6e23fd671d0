import { answerRefund } from '../present/payment.ts'
import type { RecoveriesOf, RecoveryDeps } from './recoveries.ts'

export function recoverEscrow({ market }: RecoveryDeps): RecoveriesOf<'escrow'> {
  return {
    'escrow.refund': async ({ caller }, input) => {
      const { id: taskId, status, refundTx, escrowStatus } = await market.readTask(caller, input.task_id)
      if (escrowStatus === 'refunding') return answerRefund({ state: 'cancelling', taskId, status, refundTx })
      return escrowStatus === 'refunded' ? answerRefund({ state: 'cancelled', taskId, status, refundTx }) : null
    },
  }
}
