import {
  createMarket,
  type BindInput,
  type Channels,
  type Market,
  type TickInput,
  type WalletCaller,
} from '@ergon/core'
import { localnet, publisher, worker, type Stage } from './stage.ts'

export const solana = {
  name: 'solana',
  caip2: 'solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp',
  chainId: null,
  hasEscrow: false,
  tokens: { USDC: { address: 'mint', decimals: 6 } },
  takesRatings: false,
} as const
export const workerAddress = 'worker-on-solana'
type Streaming = NonNullable<Parameters<Market['publish']>[1]['streaming']>
export const perScan: Streaming = { unit: 'scan', pricePerUnit: '0.0003', capUsd: '0.001' }

export const scan = (change: Partial<TickInput> = {}): TickInput => ({
  evidence: { seen: 3 },
  unit: null,
  payee: null,
  note: null,
  voucher: null,
  idempotency: null,
  ...change,
})

export const marketOn = (
  { deps, watch }: Pick<Stage, 'deps' | 'watch'>,
  channels: Channels,
  change: object = {},
): Market =>
  createMarket({
    ...deps,
    networks: [localnet, solana],
    channels: { ...channels, ledger: watch(channels.ledger) },
    ...change,
  })

/** Published, assigned and bound to a channel that is on the ledger, as `input` names it. */
export async function boundTask(
  market: Market,
  open: () => Promise<BindInput> | BindInput,
  options: BindOptions = {},
): Promise<{ readonly taskId: string; readonly channelId: string }> {
  const taskId = await assignedTask(market, options)
  const { id: channelId } = await market.bindChannel(options.as ?? publisher, taskId, await open())
  return { taskId, channelId }
}

/** Published and assigned to a worker who can be paid. */
export async function assignedTask(
  market: Market,
  { streaming = perScan, address = workerAddress, as = publisher }: BindOptions = {},
): Promise<string> {
  const { task } = await market.publish(as, {
    title: 'Count the boats',
    instructions: 'Scan the harbour and count every boat you see.',
    category: 'data_collection',
    bountyUsd: '1',
    deadlineHours: 24,
    evidenceRequired: ['text_response'],
    evidenceOptional: [],
    locationHint: null,
    minReputation: 0,
    network: 'solana',
    token: null,
    target: 'any',
    publisherType: 'agent',
    paymentAuth: null,
    idempotency: null,
    streaming,
  })
  const { executorId } = await market.apply(worker, task.id, { executorId: null, message: null })
  await market.bindPayoutAddress(worker, address)
  await market.assign(as, task.id, { executorId, notes: null, paymentAuth: null })
  return task.id
}
type BindOptions = { readonly streaming?: Streaming; readonly address?: string; readonly as?: WalletCaller }

/** What the books hold of a channel, and where what was in it went; the refund among them. */
export async function booksOf(stage: Stage, channelId: string): Promise<Readonly<Record<string, bigint>>> {
  const { rows } = await stage.pool.query<{ account: string; sum: bigint }>(
    `select account, sum(amount_atomic)::bigint as sum from ledger where journal in
       (select journal from ledger where account = $1) group by account`,
    [`channel:${channelId}`],
  )
  return Object.fromEntries(rows.map(({ account, sum }) => [account.replace(channelId, ''), sum]))
}

/** Handed in and verified: what a publisher can approve. */
export async function handedIn(stage: Stage, market: Market, taskId: string): Promise<string> {
  const { submission } = await market.submit(worker, taskId, {
    executorId: null,
    evidence: { text_response: 'There were three boats in the harbour, all of them white.' },
    notes: null,
    deviceMetadata: null,
  })
  await market.duties.verify()
  const { rows } = await stage.pool.query<{ status: string }>('select status from tasks where id = $1', [taskId])
  if (rows[0]?.status !== 'verifying') throw new Error(`the task is ${rows[0]?.status ?? 'gone'}`)
  return submission.id
}
