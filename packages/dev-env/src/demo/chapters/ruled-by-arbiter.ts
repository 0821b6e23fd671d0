import { generatePrivateKey, privateKeySigner } from '@ergon/protocols'
import { createClient, type Input } from '@ergon/sdk'
import { splitBounty } from '../chain-proof.ts'
import { dollars } from '../narrator.ts'
import { apply, assign, openStage, publish, submit } from '../play.ts'
import { until } from '../until.ts'
import type { Chapter, Telling } from './chapter.ts'
import { operatorOf, passHours } from './operator.ts'

const payersPercent = 40n
const criterion = 'The heading of the newest notice can be read.'

/** An arbiter's wallet signs a ruling; nobody appeals within the day, and it is carried out as it was signed. */
export const ruledByArbiter: Chapter = {
  name: 'ruled_by_arbiter',
  title: 'A dispute that an arbiter with a wallet rules on',
  async tell(telling, wallets) {
    const { record, serverUrl, narrator, bounty } = telling
    const { chainId } = record
    const stage = openStage({ serverUrl, chainId, wallets, narrator, bountyAtomic: bounty })
    const signer = privateKeySigner(generatePrivateKey())
    const arbiter = createClient({ baseUrl: serverUrl, chainId, signer })
    const named = await nameArbiter(telling, signer.address.toLowerCase())
    narrator.step('The operator names an arbiter')
    narrator.detail('arbiter', signer.address)
    const taskId = await publish(stage)
    const executorId = await apply(stage, taskId)
    const { escrow_tx: lock } = await assign(stage, taskId, executorId)
    const submissionId = await submit(stage, taskId)
    const { dispute } = await stage.publisher.submissions.reject({
      submission_id: submissionId,
      reason: 'The newest notice is cut off at the edge of the photo.',
    })
    narrator.step('The publisher rejects with a reason; that opens a dispute')
    const said = {
      dispute_id: dispute.id,
      verdict: 'split',
      split_pct: Number(payersPercent),
      reason: 'Readable, but not the photo that was asked for.',
      criteria: [criterion],
    } satisfies Input<'disputes.rulingChallenge'>
    const words = await arbiter.disputes.rulingChallenge(said)
    const ruling = await arbiter.disputes.rule({
      ...said,
      nonce: words.nonce,
      deadline: words.deadline,
      signature: await signer.signTypedData(words.typed_data),
    })
    narrator.step(`The arbiter signs a ruling: ${String(payersPercent)} % back; for 24 h either party may appeal`)
    narrator.detail('appeal until', ruling.appeal_until)
    await passHours(telling, taskId, 24.01)
    narrator.step('The day passes without an appeal (by the operator\u2019s clock of this local chain)')
    const ended = await until(
      'the ruling',
      () => stage.worker.disputes.get({ dispute_id: dispute.id }),
      ({ status }) => status === 'resolved',
    )
    // What an arbiter ruled stays when it is taken off the list: nobody keeps this key.
    await setArbiters(telling, named)
    const back = (bounty * payersPercent) / 100n
    const { payout, fee } = splitBounty(bounty - back)
    narrator.step(`The ruling is carried out: ${dollars(payout)} USDC to the worker, ${dollars(back)} back`)
    narrator.detail('payment', ended.payment_tx ?? 'not named')
    narrator.detail('refund', ended.refund_tx ?? 'not named')
    return {
      taskId,
      txs: { authorize: lock, payment: ended.payment_tx, refund: ended.refund_tx },
      expected: { payer: back - bounty, worker: payout, treasury: fee },
    }
  },
}

/** Beside those that were named before, as far as the list goes; answers with those. */
async function nameArbiter(telling: Telling, wallet: string): Promise<readonly string[]> {
  const operator = operatorOf(telling)
  const { arbiters } = await operator.disputes.arbiters({})
  await setArbiters(telling, [...arbiters.slice(-9), wallet])
  await until(
    'the arbiter',
    () => operator.disputes.arbiters({}),
    (listed) => listed.arbiters.includes(wallet),
  )
  return arbiters
}

async function setArbiters(telling: Telling, wallets: readonly string[]): Promise<void> {
  await operatorOf(telling).admin.changeConfig({
    key: 'disputes.arbiters',
    value: wallets.join(','),
    reason: 'A demo shows a ruling.',
  })
}
