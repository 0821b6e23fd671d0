import { passDeadline } from '../../testing/pass-deadline.ts'
import { apply, assign, openStage, publish } from '../play.ts'
import { until } from '../until.ts'
import type { Chapter } from './chapter.ts'

/** The worker never delivers, the deadline passes, and what was locked is back with the payer. */
export const expiryRefund: Chapter = {
  name: 'expiry_refund',
  title: 'A deadline passes, the bounty returns',
  async tell({ record, serverUrl, narrator, bounty }, wallets) {
    const stage = openStage({ serverUrl, chainId: record.chainId, wallets, narrator, bountyAtomic: bounty })
    const taskId = await publish(stage)
    const executorId = await apply(stage, taskId)
    await assign(stage, taskId, executorId)
    await passDeadline(record.databases.server, taskId)
    narrator.step(
      'The worker delivers nothing, and the deadline passes (moved up in the local database, for nobody waits a day here)',
    )
    const expired = await until(
      'the refund',
      () => stage.publisher.tasks.get({ task_id: taskId }),
      (task) => task.status === 'expired' && task.refund_tx !== null,
    )
    narrator.step('The task expires and the service submits the refund by itself')
    narrator.detail('refund', expired.refund_tx ?? 'not named')
    return { taskId, txs: { refund: expired.refund_tx }, expected: { payer: 0n, worker: 0n, treasury: 0n } }
  },
}
