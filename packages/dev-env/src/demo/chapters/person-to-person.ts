import { lowerAddress, signEscrowAuthorization } from '@ergon/protocols'
import { createClient, type Client } from '@ergon/sdk'
import { splitBounty } from '../chain-proof.ts'
import { dollars, type Narrator } from '../narrator.ts'
import { drawPicture } from '../picture.ts'
import type { Wallets } from '../play.ts'
import { signInAsPerson } from './browser.ts'
import { until } from '../until.ts'
import type { Chapter } from './chapter.ts'

/** Two people, signed in with their wallets: sessions say who they are, and only what moves money is signed. */
export const personToPerson: Chapter = {
  name: 'person_to_person',
  title: 'One person asks another',
  async tell({ serverUrl, narrator, bounty }, wallets) {
    const publisher = await signInAsPerson(serverUrl, wallets.publisher)
    const worker = await signInAsPerson(serverUrl, wallets.worker)
    narrator.step('Both sign in with their wallets; from here a session speaks for them')
    const task = await publisher.h2a.publish({
      title: 'Water the plants on the balcony', instructions: 'Water the six pots on the balcony until the saucers are wet, and photograph them.', category: 'simple_action',
      bounty_usd: Number(dollars(bounty)), target_executor_type: 'human', evidence_required: ['photo'], location_hint: 'Second floor',
    })
    narrator.step(`A person publishes a task of ${dollars(bounty)} USDC for people`)
    narrator.detail('task', task.id)
    const profile = await worker.workers.register({ name: 'A neighbour', executor_type: 'human' })
    await worker.tasks.apply({ task_id: task.id, message: 'I am at home all day.' })
    narrator.step('A neighbour applies')
    const lock = await assign(publisher, wallets, task.id, profile.id)
    narrator.step('The publisher signs the bounty into escrow')
    narrator.detail('lock', lock ?? 'not named')
    await submit(worker, narrator, task.id)
    const paid = await approve(publisher, wallets, task.id)
    const { payout, fee } = splitBounty(bounty)
    narrator.step(`The publisher signs the release; the neighbour is paid ${dollars(payout)} USDC`)
    narrator.detail('payment', paid ?? 'not named')
    const stranger = createClient({ baseUrl: serverUrl })
    const { fee_tx } = await until('the fee', () => stranger.payments.get({ task_id: task.id }), (payment) => payment.fee_tx !== null)
    return { taskId: task.id, txs: { authorize: lock, release: paid, distribute_fees: fee_tx }, expected: { payer: -bounty, worker: payout, treasury: fee } }
  },
}

async function assign(publisher: Client, wallets: Wallets, taskId: string, executorId: string): Promise<string | null> {
  const { accepts: [offer] } = await publisher.h2a.assignChallenge({ task_id: taskId, executor_id: executorId })
  if (offer === undefined) throw new Error('the challenge offers no way to pay')
  const payment_auth = await signEscrowAuthorization(offer.extra, wallets.publisher)
  await publisher.h2a.assign({ task_id: taskId, executor_id: executorId, payment_auth })
  const task = await until('the lock', () => publisher.h2a.get({ task_id: taskId }), ({ status }) => status === 'accepted')
  return task.escrow_tx
}

async function submit(worker: Client, narrator: Narrator, taskId: string): Promise<void> {
  const photo = await worker.uploadEvidence({ task_id: taskId, evidence_type: 'photo', filename: 'balcony.jpg', content_type: 'image/jpeg', bytes: drawPicture(taskId) })
  await worker.tasks.submit({ task_id: taskId, evidence: { photo: photo.public_url } })
  narrator.step('The neighbour submits a photo')
}

async function approve(publisher: Client, wallets: Wallets, taskId: string): Promise<string | null> {
  const { lifecycle_order: offer } = await publisher.h2a.approveChallenge({ task_id: taskId })
  if (offer === null) throw new Error('the challenge asks for no release order')
  const signature = await wallets.publisher.signTypedData(offer.typed_data)
  await publisher.h2a.approve({ task_id: taskId, verdict: 'accepted', lifecycle_order: { action: 'release', signer: lowerAddress(wallets.publisher.address), deadline: offer.order.deadline, nonce: offer.order.nonce, signature } })
  const task = await until('the payment', () => publisher.h2a.get({ task_id: taskId }), ({ payment_tx }) => payment_tx !== null)
  return task.payment_tx
}
