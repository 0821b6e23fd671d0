import { createClient, type Client, type Signer } from '@ergon/sdk'
import { splitBounty } from '../chain-proof.ts'
import { dollars, type Narrator } from '../narrator.ts'
import { drawPicture } from '../picture.ts'
import { until } from '../until.ts'
import type { Chapter } from './chapter.ts'

/** Two people, signed in with their wallets: sessions say who they are, and only what moves money is signed. */
export const personToPerson: Chapter = {
  name: 'person_to_person',
  title: 'One person asks another',
  async tell({ serverUrl, narrator, bounty, record: { chainId } }, wallets) {
    const publisher = await signIn(serverUrl, chainId, wallets.publisher)
    const worker = await signIn(serverUrl, chainId, wallets.worker)
    narrator.step('Both sign in with their wallets; from here a session speaks for them')
    const task = await publisher.h2a.publish({
      title: 'Water the plants on the balcony',
      instructions: 'Water the six pots on the balcony until the saucers are wet, and photograph them.',
      category: 'simple_action',
      bounty_usd: Number(dollars(bounty)),
      target_executor_type: 'human',
      evidence_required: ['photo'],
      location_hint: 'Second floor',
      client_ref: crypto.randomUUID(),
    })
    narrator.step(`A person publishes a task of ${dollars(bounty)} USDC for people`)
    narrator.detail('task', task.id)
    const profile = await worker.workers.register({ name: 'A neighbour', executor_type: 'human' })
    await worker.tasks.apply({ task_id: task.id, message: 'I am at home all day.' })
    narrator.step('A neighbour applies')
    const { escrow_tx: lock } = await publisher.assignWorker({
      task_id: task.id,
      executor_id: profile.id,
      worker_wallet: wallets.worker.address,
      bounty_usd: Number(dollars(bounty)),
    })
    narrator.step('The publisher signs the bounty into escrow')
    narrator.detail('lock', lock ?? 'not named')
    const submissionId = await submit(worker, narrator, task.id)
    const { payment_tx: paid } = await publisher.approveSubmission({
      submission_id: submissionId,
      worker_wallet: wallets.worker.address,
      bounty_usd: Number(dollars(bounty)),
    })
    const { payout, fee } = splitBounty(bounty)
    narrator.step(`The publisher signs the release; the neighbour is paid ${dollars(payout)} USDC`)
    narrator.detail('payment', paid ?? 'not named')
    const stranger = createClient({ baseUrl: serverUrl })
    const { fee_tx } = await until(
      'the fee',
      () => stranger.payments.get({ task_id: task.id }),
      (payment) => payment.fee_tx !== null,
    )
    return {
      taskId: task.id,
      txs: { authorize: lock, release: paid, distribute_fees: fee_tx },
      expected: { payer: -bounty, worker: payout, treasury: fee },
    }
  },
}

async function submit(worker: Client, narrator: Narrator, taskId: string): Promise<string> {
  const photo = await worker.uploadEvidence({
    task_id: taskId,
    evidence_type: 'photo',
    filename: 'balcony.jpg',
    content_type: 'image/jpeg',
    bytes: drawPicture(taskId),
  })
  const { submission_id } = await worker.tasks.submit({ task_id: taskId, evidence: { photo: photo.public_url } })
  narrator.step('The neighbour submits a photo')
  return submission_id
}

/** What a page of the service can do: a cookie says who is there, and no request is signed. */
async function signIn(baseUrl: string, chainId: number, signer: Signer): Promise<Client> {
  const person = createClient({ baseUrl, chainId, signer, session: true })
  await person.signIn()
  return person
}
