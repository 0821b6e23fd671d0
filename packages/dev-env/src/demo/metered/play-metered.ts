import { createClient, solanaSeedSigner, type Client, type Output, type SolanaSigner } from '@ergon/sdk'
import { dollars, type Narrator } from '../narrator.ts'
import type { Wallets } from '../play.ts'

type Meter = Output<'meters.get'>

/** Two parties, each with a wallet and a key on Solana. */
export type MeteredStage = {
  readonly publisher: Client
  readonly worker: Client
  readonly keys: { readonly payer: SolanaSigner; readonly worker: SolanaSigner }
  readonly narrator: Narrator
  readonly mint: string
  readonly terms: MeteredTerms
}

export type MeteredTerms = {
  /** Atomic units. */
  readonly price: bigint
  readonly cap: bigint
  readonly units: number
}

export type MeteredJob = {
  readonly taskId: string
  readonly channelId: string
  readonly settlementTx: string | null
  /** Every reading that was shown while it ran. */
  readonly readings: readonly Meter[]
  readonly final: Meter
}

export function openMeteredStage(given: {
  readonly serverUrl: string
  readonly chainId: number
  readonly wallets: Wallets
  readonly narrator: Narrator
  readonly mint: string
  readonly terms: MeteredTerms
}): MeteredStage {
  const { serverUrl: baseUrl, chainId, wallets, ...rest } = given
  const freshKey = (): SolanaSigner => solanaSeedSigner(crypto.getRandomValues(new Uint8Array(32)))
  return {
    ...rest,
    publisher: createClient({ baseUrl, chainId, signer: wallets.publisher }),
    worker: createClient({ baseUrl, chainId, signer: wallets.worker }),
    keys: { payer: freshKey(), worker: freshKey() },
  }
}

/** The last reading comes by a stream of its own. */
const patienceMs = 5_000

/** Carries a metered task from publish to paid: the meter is watched while it runs. */
export async function playMetered(stage: MeteredStage): Promise<MeteredJob> {
  const { publisher, worker, narrator } = stage
  const taskId = await publish(stage)
  await takeOn(stage, taskId)
  const channelId = await fund(stage, taskId)
  const readings: Meter[] = []
  const watching = watch(stage, taskId, readings)
  await tick(stage, taskId)
  narrator.step('The worker closes the channel; one transaction pays everybody')
  const final = await worker.closeChannel({ task_id: taskId })
  await Promise.race([watching, worker.transport.wait(patienceMs)])
  narrator.detail('settlement', final.settlement_tx ?? 'not named')
  const { settlement_tx: shown } = await publisher.meters.channel({ task_id: taskId })
  return { taskId, channelId, settlementTx: shown, readings, final }
}

async function publish({ publisher, narrator, terms }: MeteredStage): Promise<string> {
  const { price, cap } = terms
  const task = await publisher.tasks.publish({
    title: 'Count the boats that enter the harbour',
    instructions: 'Scan the number of each boat that enters the harbour, one scan for each boat.',
    category: 'data_collection',
    bounty_usd: Number(dollars(cap)),
    deadline_hours: 24,
    evidence_required: ['text_response'],
    payment_network: 'solana',
    payment_streaming: {
      rail: 'solana_channel',
      unit: 'scan',
      price_per_unit: dollars(price),
      cap_usd: dollars(cap),
    },
    client_ref: crypto.randomUUID(),
  })
  narrator.step(`The publisher publishes a metered task: ${dollars(price)} USDC a scan, ${dollars(cap)} at most`)
  narrator.detail('task', task.id)
  return task.id
}

async function takeOn({ publisher, worker, narrator, keys }: MeteredStage, taskId: string): Promise<void> {
  const profile = await worker.workers.register({ name: 'Demo worker' })
  await worker.bindPayoutAddress({ executor_id: profile.id, signer: keys.worker })
  narrator.step('The worker registers, and proves the Solana address it is paid at')
  narrator.detail('paid at', keys.worker.address)
  await worker.tasks.apply({ task_id: taskId, message: 'I can see the harbour from here.' })
  await publisher.assignWorker({ task_id: taskId, executor_id: profile.id })
  narrator.step('The worker applies and is assigned; nothing is locked yet')
}

async function fund({ publisher, narrator, keys, mint }: MeteredStage, taskId: string): Promise<string> {
  const channel = await publisher.openChannel({
    task_id: taskId,
    payer: keys.payer,
    worker: keys.worker.address,
    mint,
  })
  narrator.step(`The publisher signs one transaction: ${channel.deposit_usd.toFixed(6)} USDC go into a channel`)
  narrator.detail('channel', channel.channel_id)
  narrator.detail('can be lost', `${channel.cap_usd.toFixed(6)} USDC at most, and only for accepted scans`)
  return channel.channel_id
}

/** Shows each reading as it comes. */
async function watch(stage: MeteredStage, taskId: string, readings: Meter[]): Promise<void> {
  for await (const meter of stage.publisher.watchMeter(taskId)) {
    readings.push(meter)
    const rest =
      meter.refund_usd === null ? `${meter.remaining_usd.toFixed(6)} left` : `${meter.refund_usd.toFixed(6)} back`
    const count = `${meter.unit} ${String(meter.units_accepted).padStart(2)}`
    stage.narrator.detail('meter', `${count}   ${meter.consumed_usd.toFixed(6)} charged   ${rest}   ${meter.state}`)
  }
}

const betweenMs = 250

async function tick({ worker, narrator, terms }: MeteredStage, taskId: string): Promise<void> {
  narrator.step(`The worker hands in ${String(terms.units)} scans, each with what it saw; the meter runs`)
  for (let count = 1; count <= terms.units; count += 1) {
    await worker.channels.tick({ task_id: taskId, evidence: { boat: `AT-${String(4_710 + count)}` } })
    await worker.transport.wait(betweenMs)
  }
}
