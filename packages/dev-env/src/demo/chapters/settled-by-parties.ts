import { splitBounty } from '../chain-proof.ts'
import { dollars } from '../narrator.ts'
import { apply, assign, openStage, publish, submit } from '../play.ts'
import { until } from '../until.ts'
import type { Chapter } from './chapter.ts'

/** The two agree on a share: both sign the same words, and the chain captures a part and gives back the rest. */
export const settledByParties: Chapter = {
  name: 'settled_by_parties',
  title: 'A dispute that its parties settle',
  async tell({ record, serverUrl, narrator, bounty }, wallets) {
    const stage = openStage({ serverUrl, chainId: record.chainId, wallets, narrator, bountyAtomic: bounty })
    const taskId = await publish(stage)
    const executorId = await apply(stage, taskId)
    const { escrow_tx: lock } = await assign(stage, taskId, executorId)
    const submissionId = await submit(stage, taskId)
    const { dispute } = await stage.publisher.submissions.reject({
      submission_id: submissionId,
      reason: 'The newest notice is cut off at the edge of the photo.',
    })
    narrator.step('The publisher rejects with a reason; that opens a dispute')
    const share = bounty / 2n
    const worker_amount_usd = Number(dollars(share))
    const words = await stage.publisher.offers.challenge({ task_id: taskId, worker_amount_usd })
    const offer = await stage.publisher.offers.propose({
      task_id: taskId,
      worker_amount_usd,
      expires_at: words.expires_at,
      nonce: words.nonce,
      signature: await wallets.publisher.signTypedData(words.typed_data),
    })
    narrator.step(`The publisher signs an offer: ${dollars(share)} to the worker, ${dollars(bounty - share)} back`)
    narrator.detail('offer', offer.id)
    const asked = await stage.worker.offers.acceptChallenge({ offer_id: offer.id })
    await stage.worker.offers.accept({
      offer_id: offer.id,
      signature: await wallets.worker.signTypedData(asked.typed_data),
    })
    narrator.step('The worker signs the same words; no operator takes part')
    const ended = await until(
      'the settlement',
      () => stage.worker.disputes.get({ dispute_id: dispute.id }),
      ({ status }) => status === 'resolved',
    )
    const { payout, fee } = splitBounty(share)
    narrator.step(`The chain captures and voids: ${dollars(payout)} USDC to the worker, the rest to the publisher`)
    narrator.detail('payment', ended.payment_tx ?? 'not named')
    narrator.detail('refund', ended.refund_tx ?? 'not named')
    return {
      taskId,
      txs: { authorize: lock, payment: ended.payment_tx, refund: ended.refund_tx },
      expected: { payer: -share, worker: payout, treasury: fee },
    }
  },
}
