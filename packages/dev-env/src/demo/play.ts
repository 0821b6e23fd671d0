import { createClient, type Client, type Output } from '@ergon/sdk'
import { generatePrivateKey, privateKeySigner, type Hex } from '@ergon/protocols'
import { setTimeout as pause } from 'node:timers/promises'
import { dollars, type Narrator } from './narrator.ts'
import { drawPicture } from './picture.ts'

/** The transactions of one job; a mode without escrow has no lock. */
export type JobTransactions = {
  readonly authorize: string | null
  readonly release: string | null
  readonly distribute_fees: string | null
  readonly rate_worker: string | null
  readonly rate_publisher: string | null
}
export type JobScores = { readonly worker: number; readonly publisher: number }
export type Job = {
  readonly taskId: string
  readonly txs: JobTransactions
  readonly scores: JobScores
  /** Who the ratings on chain are by: each party itself, unless the relayer wrote them in its name. */
  readonly ratedBy?: 'the relayer'
}

/** The two sides of the job, each with a wallet nobody has seen before. */
export type Wallets = {
  readonly publisher: ReturnType<typeof privateKeySigner>
  readonly worker: ReturnType<typeof privateKeySigner>
}

export function freshWallets(
  keys: { readonly publisher: Hex; readonly worker: Hex } = {
    publisher: generatePrivateKey(),
    worker: generatePrivateKey(),
  },
): Wallets {
  return { publisher: privateKeySigner(keys.publisher), worker: privateKeySigner(keys.worker) }
}

/** Two signed-in parties, and who tells what they do. */
export type Stage = {
  readonly publisher: Client
  readonly worker: Client
  readonly wallets: Wallets
  readonly narrator: Narrator
  readonly bountyAtomic: bigint
}

/** Two clients of one service, each signing for its wallet. */
export function openStage({
  serverUrl,
  chainId,
  wallets,
  narrator,
  bountyAtomic,
}: {
  readonly serverUrl: string
  readonly chainId: number
  readonly wallets: Wallets
  readonly narrator: Narrator
  readonly bountyAtomic: bigint
}): Stage {
  return {
    publisher: createClient({ baseUrl: serverUrl, chainId, signer: wallets.publisher }),
    worker: createClient({ baseUrl: serverUrl, chainId, signer: wallets.worker }),
    wallets,
    narrator,
    bountyAtomic,
  }
}

export const scores: JobScores = { worker: 96, publisher: 91 }
const feePatienceMs = 60_000

/** Carries one task from publish to paid and rated, over HTTP, as two wallets. */
export async function playJob(given: {
  readonly serverUrl: string
  readonly chainId: number
  readonly wallets: Wallets
  readonly narrator: Narrator
  readonly bountyAtomic: bigint
}): Promise<Job> {
  const stage = openStage(given)
  const taskId = await publish(stage)
  const executorId = await apply(stage, taskId)
  const assignment = await assign(stage, taskId, executorId)
  const submissionId = await submit(stage, taskId)
  const approval = await approve(stage, submissionId)
  const feeTx = await awaitFee(stage, taskId)
  const rateWorker = await rate(stage, 'publisher', taskId)
  const ratePublisher = await rate(stage, 'worker', taskId)
  return {
    taskId,
    scores,
    txs: {
      authorize: assignment.escrow_tx,
      release: approval.payment_tx ?? approval.escrow_release_tx,
      distribute_fees: feeTx,
      rate_worker: rateWorker,
      rate_publisher: ratePublisher,
    },
  }
}

export async function publish({ publisher, narrator, bountyAtomic }: Stage): Promise<string> {
  const task = await publisher.tasks.publish({
    title: 'Photograph the notice board',
    instructions:
      'Take one photo of the notice board at the town hall, add your position and the heading of the newest notice.',
    category: 'physical_presence',
    bounty_usd: Number(dollars(bountyAtomic)),
    deadline_hours: 24,
    evidence_required: ['photo', 'gps', 'text_response'],
    location_hint: 'Town hall, main entrance',
    // Each play is a job of its own, also with the wallets of an earlier one.
    client_ref: crypto.randomUUID(),
  })
  narrator.step(`The publisher publishes a task of ${dollars(bountyAtomic)} USDC`)
  narrator.detail('task', task.id)
  return task.id
}

export async function apply({ worker, narrator }: Stage, taskId: string): Promise<string> {
  const profile = await worker.workers.register({ name: 'Demo worker' })
  await worker.tasks.apply({ task_id: taskId, message: 'I pass there every morning.' })
  narrator.step('The worker registers and applies')
  narrator.detail('worker', profile.id)
  narrator.detail(
    'identity',
    profile.erc8004_agent_id === null ? 'pending' : `ERC-8004 agent ${String(profile.erc8004_agent_id)}`,
  )
  return profile.id
}

export async function assign(
  { publisher, narrator, wallets, bountyAtomic }: Stage,
  taskId: string,
  executorId: string,
): Promise<Output<'tasks.assign'>> {
  const assignment = await publisher.assignWorker({
    task_id: taskId,
    executor_id: executorId,
    worker_wallet: wallets.worker.address,
    bounty_usd: Number(dollars(bountyAtomic)),
  })
  narrator.step(
    assignment.escrow_tx === null
      ? 'The publisher assigns the worker; this mode locks nothing'
      : 'The publisher signs the bounty into escrow and the worker is assigned',
  )
  if (assignment.escrow_tx !== null) narrator.detail('lock', assignment.escrow_tx)
  return assignment
}

export async function submit({ worker, narrator }: Stage, taskId: string): Promise<string> {
  const bytes = drawPicture(taskId)
  const photo = await worker.uploadEvidence({
    task_id: taskId,
    evidence_type: 'photo',
    filename: 'board.jpg',
    content_type: 'image/jpeg',
    bytes,
  })
  narrator.step('The worker uploads a photo')
  narrator.detail('JPEG', `${String(bytes.length)} bytes`)
  const { submission_id } = await worker.tasks.submit({
    task_id: taskId,
    evidence: {
      photo: photo.public_url,
      gps: { lat: 48.2082, lng: 16.3738, accuracy_meters: 6 },
      text_response: 'Newest notice: Summer opening hours',
    },
  })
  narrator.step('The worker submits photo, position and text')
  narrator.detail('submission', submission_id)
  return submission_id
}

async function approve(
  { publisher, narrator, wallets, bountyAtomic }: Stage,
  submissionId: string,
): Promise<Output<'submissions.approve'>> {
  const approval = await publisher.approveSubmission({
    submission_id: submissionId,
    worker_wallet: wallets.worker.address,
    bounty_usd: Number(dollars(bountyAtomic)),
  })
  narrator.step(`The publisher approves; the worker is paid ${String(approval.worker_net_usdc)} USDC at once`)
  narrator.detail('payment', approval.payment_tx ?? approval.escrow_release_tx ?? 'not named')
  return approval
}

async function awaitFee({ publisher, narrator }: Stage, taskId: string): Promise<string | null> {
  const deadline = Date.now() + feePatienceMs
  let feeTx: string | null = null
  while (feeTx === null && Date.now() < deadline) {
    feeTx = (await publisher.payments.get({ task_id: taskId })).fee_tx
    if (feeTx === null) await pause(100)
  }
  narrator.step('The fee reaches the treasury')
  narrator.detail('fee', feeTx ?? 'not named')
  return feeTx
}

async function rate(stage: Stage, rater: 'publisher' | 'worker', taskId: string): Promise<string | null> {
  const direction = rater === 'publisher' ? 'publisher_rates_executor' : 'executor_rates_publisher'
  const score = rater === 'publisher' ? scores.worker : scores.publisher
  const rating = await stage[rater].rate({ task_id: taskId, direction, score, comment: 'A pleasure.' })
  stage.narrator.step(
    `The ${rater} rates the ${rater === 'publisher' ? 'worker' : 'publisher'} ${String(score)} of 100; the author on chain is the ${rater}`,
  )
  stage.narrator.detail('rating', rating.transaction_hash ?? 'not named')
  return rating.transaction_hash
}
