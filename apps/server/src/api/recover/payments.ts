import { answerFee } from '../present/payment.ts'
import type { RecoveriesOf, RecoveryDeps } from './recoveries.ts'

export function recoverPayments({ market }: RecoveryDeps): RecoveriesOf<'payments'> {
  return {
    'payments.payFee': async ({ caller }, input) => {
      const paid = await market.feePaid(caller, input.task_id)
      return paid === null ? null : answerFee(paid)
    },
  }
}
