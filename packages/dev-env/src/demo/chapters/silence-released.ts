import { splitBounty } from '../chain-proof.ts'
import { dollars } from '../narrator.ts'
import { apply, assign, openStage, publish, submit } from '../play.ts'
import { until } from '../until.ts'
import type { Chapter } from './chapter.ts'
import { passHours } from './operator.ts'

const reviewHours = 2

/** The publisher falls silent: the review ends, and the standing order that came with the lock pays the worker. */
export const silenceReleased: Chapter = {
  name: 'silence_released',
  title: 'A publisher falls silent, the worker is paid',
  async tell(telling, wallets) {
    const { record, serverUrl, narrator, bounty } = telling
    const stage = openStage({ serverUrl, chainId: record.chainId, wallets, narrator, bountyAtomic: bounty })
    const taskId = await publish(stage)
    await stage.publisher.tasks.setPolicy({ task_id: taskId, review_hours: reviewHours, on_silence: 'release' })
    narrator.step(`Its policy: ${String(reviewHours)} h to look at the work, then silence pays`)
    const executorId = await apply(stage, taskId)
    const { escrow_tx: lock } = await assign(stage, taskId, executorId)
    narrator.step('With the lock the publisher signed the standing order by which silence pays')
    const submissionId = await submit(stage, taskId)
    await until(
      'the checks',
      () => stage.worker.submissions.get({ submission_id: submissionId }),
      ({ verified_at }) => verified_at !== null,
    )
    const { payment_info_hash: paymentHash } = await stage.worker.tasks.escrow({ task_id: taskId })
    await passHours(telling, taskId, reviewHours + 0.01, paymentHash ?? undefined)
    narrator.step(`${String(reviewHours)} h pass without a word (by the operator's clock of this local chain)`)
    const paid = await until(
      'the release',
      () => stage.worker.payments.get({ task_id: taskId }),
      ({ release_tx, fee_tx }) => release_tx !== null && fee_tx !== null,
    )
    const { payout, fee } = splitBounty(bounty)
    narrator.step(`Nobody clicks: the service uses the order, and the worker is paid ${dollars(payout)} USDC`)
    narrator.detail('payment', paid.release_tx ?? 'not named')
    return {
      taskId,
      txs: { authorize: lock, release: paid.release_tx, distribute_fees: paid.fee_tx },
      expected: { payer: -bounty, worker: payout, treasury: fee },
    }
  },
}
