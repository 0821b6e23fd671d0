import { createClient } from '@ergon/sdk'
import { splitBounty } from '../chain-proof.ts'
import { dollars } from '../narrator.ts'
import { apply, assign, openStage, publish, submit } from '../play.ts'
import { until } from '../until.ts'
import type { Chapter } from './chapter.ts'

const payersPercent = 40n

/** The publisher rejects, the arbiter divides: two moves on chain, a part captured and the rest given back. */
export const disputeSplit: Chapter = {
  name: 'dispute_split',
  title: 'A rejection, a dispute, a split',
  async tell({ record, serverUrl, narrator, bounty }, wallets) {
    const stage = openStage({ serverUrl, chainId: record.chainId, wallets, narrator, bountyAtomic: bounty })
    const taskId = await publish(stage)
    const executorId = await apply(stage, taskId)
    await assign(stage, taskId, executorId)
    const submissionId = await submit(stage, taskId)
    const { dispute } = await stage.publisher.submissions.reject({
      submission_id: submissionId,
      reason: 'The newest notice is cut off at the edge of the photo.',
    })
    narrator.step('The publisher rejects with a reason; that opens a dispute')
    narrator.detail('dispute', dispute.id)
    await stage.worker.disputes.addEvidence({
      dispute_id: dispute.id,
      statement: 'Its heading can be read, which is what was asked.',
    })
    narrator.step('The worker states their side')
    const arbiter = createClient({ baseUrl: serverUrl, fetch: withAdminKey(record.adminKeys.server) })
    await arbiter.disputes.resolve({
      dispute_id: dispute.id,
      verdict: 'split',
      split_pct: Number(payersPercent),
      reason: 'Readable, but not the photo that was asked for.',
    })
    const resolved = await until(
      'the resolution',
      () => stage.publisher.disputes.get({ dispute_id: dispute.id }),
      ({ status }) => status === 'resolved',
    )
    const back = (bounty * payersPercent) / 100n
    const { payout, fee } = splitBounty(bounty - back)
    narrator.step(
      `The arbiter gives ${dollars(back)} back to the publisher and ` +
        `${dollars(bounty - back)} to the worker, fee included`,
    )
    narrator.detail('payment', resolved.payment_tx ?? 'not named')
    narrator.detail('refund', resolved.refund_tx ?? 'not named')
    return {
      taskId,
      txs: { payment: resolved.payment_tx, refund: resolved.refund_tx },
      expected: { payer: back - bounty, worker: payout, treasury: fee },
    }
  },
}

function withAdminKey(key: string): typeof fetch {
  return (target, init) => {
    const headers = new Headers(init?.headers)
    headers.set('x-admin-key', key)
    return fetch(target, { ...init, headers })
  }
}
