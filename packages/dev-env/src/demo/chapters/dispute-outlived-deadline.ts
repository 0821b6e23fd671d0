import { splitBounty } from '../chain-proof.ts'
import { dollars } from '../narrator.ts'
import { apply, assign, openStage, publish, submit } from '../play.ts'
import { until } from '../until.ts'
import type { Chapter } from './chapter.ts'
import { operatorOf, passHours } from './operator.ts'

/** A rejection just before the deadline is no refund: the dispute moves it, outlives it, and is decided. */
export const disputeOutlivedDeadline: Chapter = {
  name: 'dispute_outlived_deadline',
  title: 'A late rejection, a dispute beyond the first deadline',
  async tell(telling, wallets) {
    const { record, serverUrl, narrator, bounty } = telling
    const stage = openStage({ serverUrl, chainId: record.chainId, wallets, narrator, bountyAtomic: bounty })
    const taskId = await publish(stage)
    await stage.publisher.tasks.setPolicy({
      task_id: taskId,
      review_hours: 1,
      dispute_hours: 48,
      on_silence: 'dispute',
    })
    narrator.step('Its policy: 48 h to decide a dispute, whatever the deadline was')
    const executorId = await apply(stage, taskId)
    const { escrow_tx: lock } = await assign(stage, taskId, executorId)
    await passHours(telling, taskId, 23.5)
    const submissionId = await submit(stage, taskId)
    const { deadline: first } = await stage.worker.tasks.get({ task_id: taskId })
    const { dispute } = await stage.publisher.submissions.reject({
      submission_id: submissionId,
      reason: 'The newest notice is cut off at the edge of the photo.',
    })
    const { deadline: moved } = await stage.worker.tasks.get({ task_id: taskId })
    narrator.step('The publisher rejects at the last minute: a dispute, and the deadline waits for it')
    narrator.detail('deadline', `${first} → ${moved}`)
    if (!(moved > first)) throw new Error('the deadline did not move')
    await passHours(telling, taskId, 2)
    const still = await stage.worker.tasks.get({ task_id: taskId })
    if (still.status !== 'disputed') throw new Error(`the task is ${still.status} after its first deadline`)
    narrator.step('The first deadline passes; the dispute is open and the money is where it was')
    await operatorOf(telling).disputes.resolve({
      dispute_id: dispute.id,
      verdict: 'release',
      reason: 'Its heading can be read, which is what was asked.',
    })
    const { payment_tx: payment } = await until(
      'the resolution',
      () => stage.publisher.disputes.get({ dispute_id: dispute.id }),
      ({ status }) => status === 'resolved',
    )
    const { payout, fee } = splitBounty(bounty)
    narrator.step(`The operator decides for the worker, who is paid ${dollars(payout)} USDC`)
    narrator.detail('payment', payment ?? 'not named')
    return { taskId, txs: { authorize: lock, payment }, expected: { payer: -bounty, worker: payout, treasury: fee } }
  },
}
