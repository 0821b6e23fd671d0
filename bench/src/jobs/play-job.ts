import { createClient, type Client, type Signer } from '@ergon/sdk'
import { generatePrivateKey, privateKeySigner } from '@ergon/protocols'

/** Two parties who do one job after the other with each other. */
export type Pair = {
  readonly publisher: Client
  readonly worker: Client
  readonly payer: Signer
  readonly workerWallet: string
  readonly executorId: string
}

export const bountyUsd = 1

/** Two wallets that nobody has seen before, the worker's known to the market. */
export async function createPair(url: string, chainId: number): Promise<Pair> {
  const [payer, payee] = [privateKeySigner(generatePrivateKey()), privateKeySigner(generatePrivateKey())]
  const worker = createClient({ baseUrl: url, chainId, signer: payee })
  const { id } = await worker.workers.register({ name: 'Worker of the benchmark' })
  const publisher = createClient({ baseUrl: url, chainId, signer: payer })
  return { publisher, worker, payer, workerWallet: payee.address, executorId: id }
}

/** One whole job over HTTP: published, applied for, locked, handed in, paid, and rated by both. */
export async function playJob({ publisher, worker, workerWallet, executorId }: Pair): Promise<void> {
  const { id: task_id } = await publisher.tasks.publish({
    title: 'Count the chairs of the hall',
    instructions: 'Count the chairs in the hall and write the number.',
    category: 'data_collection',
    bounty_usd: bountyUsd,
    evidence_required: ['text_response'],
    client_ref: crypto.randomUUID(),
  })
  await worker.tasks.apply({ task_id, message: 'I am near.' })
  await publisher.assignWorker({ task_id, executor_id: executorId, worker_wallet: workerWallet, bounty_usd: bountyUsd })
  const { submission_id } = await worker.tasks.submit({
    task_id,
    evidence: { text_response: 'There are forty chairs.' },
  })
  await publisher.approveSubmission({ submission_id, worker_wallet: workerWallet, bounty_usd: bountyUsd })
  await publisher.rate({ task_id, direction: 'publisher_rates_executor', score: 96, comment: 'Quick and right.' })
  await worker.rate({ task_id, direction: 'executor_rates_publisher', score: 91, comment: 'Paid at once.' })
}
