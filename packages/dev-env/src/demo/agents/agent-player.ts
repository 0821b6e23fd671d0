import type { Signer } from '@ergon/protocols'
import type { Player } from '../cli-player.ts'
import { fundPublisher } from '../fund-publisher.ts'
import { dollars, type Narrator } from '../narrator.ts'
import { drawPicture } from '../picture.ts'
import { freshWallets, type Job, type JobScores } from '../play.ts'
import { until } from '../until.ts'
import { openA2aAgent } from './a2a-agent.ts'
import type { Act, Agent, Fields, Rating } from './agent.ts'
import { checkAmount } from './check-amount.ts'
import { openMcpAgent } from './mcp-agent.ts'

export type AgentProtocol = 'mcp' | 'a2a'

const openers: Readonly<Record<AgentProtocol, (serverUrl: string, chainId: number, signer: Signer) => Promise<Agent>>> =
  { mcp: openMcpAgent, a2a: openA2aAgent }

/** Two agents of one protocol, each with a wallet of its own. */
export function agentPlayer(protocol: AgentProtocol, serverUrl: string, chainId: number): Player {
  const wallets = freshWallets()
  return {
    publisher: wallets.publisher.address,
    worker: wallets.worker.address,
    fund: fundPublisher(wallets),
    async play(narrator, bountyAtomic, scores) {
      await using publisher = await openers[protocol](serverUrl, chainId, wallets.publisher)
      await using worker = await openers[protocol](serverUrl, chainId, wallets.worker)
      const job = await playJob({ publisher, worker, narrator, bountyAtomic, scores })
      return protocol === 'mcp' ? { ...job, ratedBy: 'the relayer' } : job
    },
    [Symbol.dispose]: () => undefined,
  }
}

type Scene = {
  readonly publisher: Agent
  readonly worker: Agent
  readonly narrator: Narrator
  readonly bountyAtomic: bigint
  readonly scores: JobScores
}

async function playJob({ publisher, worker, narrator, bountyAtomic, scores }: Scene): Promise<Job> {
  const told = (who: Agent, act: Act, fields: Fields): Promise<Fields> => {
    narrator.step(`${who === publisher ? 'publisher' : 'worker'} > ${who.nameOf(act)}`)
    return who.call(act, fields)
  }
  const signed = (act: 'assign' | 'approve', fields: Fields): Promise<Fields> => {
    narrator.step(`publisher > ${publisher.nameOf(act)}`)
    return publisher.callSigned(act, fields, (asked) => {
      checkAmount(asked, bountyAtomic)
      narrator.detail('signs', `${asked.map(({ field }) => field).join(' and ')}, and sends it again`)
    })
  }
  const untilTask = (status: string): Promise<Fields> =>
    until(
      `the task ${status}`,
      () => publisher.call('readTask', { task_id }),
      (task) => task['status'] === status,
    )

  const task_id = String((await told(publisher, 'publish', taskOf(bountyAtomic)))['id'])
  narrator.detail('task', task_id)
  await told(worker, 'register', { name: 'Demo worker', executor_type: 'agent' })
  const { executor_id } = await told(worker, 'apply', { task_id, message: 'I pass there every morning.' })
  // Without escrow an agent takes the task by itself (spec §1.6); with one the publisher chooses, and locks the bounty.
  const { status } = await publisher.call('readTask', { task_id })
  if (status === 'published') await signed('assign', { task_id, executor_id })
  const authorize = hash((await untilTask('accepted'))['escrow_tx'])
  if (authorize !== null) narrator.detail('lock', authorize)
  const photo = await upload(told, worker, task_id)
  const { submission_id } = await told(worker, 'submit', {
    task_id,
    evidence: {
      photo,
      gps: { lat: 48.2082, lng: 16.3738, accuracy_meters: 6 },
      text_response: 'Newest notice: Summer opening hours',
    },
  })
  await signed('approve', { submission_id })
  const { payment_tx } = await untilTask('completed')
  narrator.step(`publisher > ${publisher.nameOf('readPayment')}`)
  const payment = await until(
    'the fee',
    () => publisher.call('readPayment', { task_id }),
    ({ fee_tx }) => fee_tx !== null,
  )
  const [release, distribute_fees] = [hash(payment_tx) ?? hash(payment['release_tx']), hash(payment['fee_tx'])]
  narrator.detail('payment', release ?? 'not named')
  narrator.detail('fee', distribute_fees ?? 'not named')
  const rated = async (rater: Agent, direction: Rating['direction'], score: number): Promise<string | null> => {
    const tx = await rater.rate({ task_id, direction, score })
    narrator.step(
      `${rater === publisher ? 'publisher' : 'worker'} > ${rater.nameOfRating(direction)}: ${String(score)} of 100`,
    )
    narrator.detail('rating', tx ?? 'not named')
    return tx
  }
  const rate_worker = await rated(publisher, 'publisher_rates_executor', scores.worker)
  const rate_publisher = await rated(worker, 'executor_rates_publisher', scores.publisher)
  return { taskId: task_id, scores, txs: { authorize, release, distribute_fees, rate_worker, rate_publisher } }
}

const taskOf = (bountyAtomic: bigint): Fields => ({
  title: 'Photograph the notice board',
  instructions:
    'Take one photo of the notice board at the town hall, add your position and the heading of the newest notice.',
  category: 'physical_presence',
  bounty_usd: Number(dollars(bountyAtomic)),
  deadline_hours: 24,
  evidence_required: ['photo', 'gps', 'text_response'],
  location_hint: 'Town hall, main entrance',
})

/** The link comes over the protocol; the bytes go to the link, as every file does. */
async function upload(
  told: (who: Agent, act: Act, fields: Fields) => Promise<Fields>,
  worker: Agent,
  task_id: string,
): Promise<unknown> {
  const bytes = drawPicture(task_id)
  const link = await told(worker, 'uploadLink', {
    task_id,
    evidence_type: 'photo',
    filename: 'board.jpg',
    content_type: 'image/jpeg',
    content_length: bytes.length,
  })
  const put = await fetch(String(link['upload_url']), {
    method: 'PUT',
    headers: { 'content-type': 'image/jpeg', ...headersOf(link['headers']) },
    body: new Uint8Array(bytes),
  })
  if (!put.ok) throw new Error(`the upload answered ${String(put.status)}: ${await put.text()}`)
  return link['public_url']
}

const headersOf = (value: unknown): Readonly<Record<string, string>> =>
  Object.fromEntries(Object.entries(value ?? {}).map(([name, text]) => [name, String(text)]))

function hash(value: unknown): string | null {
  return typeof value === 'string' ? value : null
}
