import { lowerAddress, networks, type Address } from '@ergon/protocols'
import { createPublicClient, http, type PublicClient } from 'viem'
import { setTimeout as pause } from 'node:timers/promises'
import type { ConstellationRecord } from '../constellation/record.ts'
import { readBalances, type Balances, type Parties } from './balances.ts'
import { faultsOfBalances, faultsOfTransactions, splitBounty, type Ground } from './chain-proof.ts'
import { dollars, type Narrator } from './narrator.ts'
import { agentPlayer } from './agents/agent-player.ts'
import { openCliPlayer, type Player } from './cli-player.ts'
import type { Via } from './demo-options.ts'
import { fundPublisher } from './fund-publisher.ts'
import { freshWallets, playJob, scores, type Job, type JobTransactions } from './play.ts'

/** What the demo proved, as its last line says it; amounts are atomic, in decimal. */
export type DemoReport = {
  readonly ok: boolean
  readonly task_id: string
  readonly bounty_atomic: string
  readonly worker_delta: string
  readonly treasury_delta: string
  readonly payer_delta: string
  readonly txs: JobTransactions
  readonly rpc_url: string
  readonly token: Address
  readonly seconds: number
}

/** The report, what is off, and what both were judged by. */
export type DemoOutcome = {
  readonly report: DemoReport
  readonly faults: readonly string[]
  readonly ground: Ground
  readonly job: Job
}

const spareAtomic = 1_000_000n
const sweepPatienceMs = 5_000

/** Plays the whole job against a running constellation and holds the chain's figures against the rule. */
export async function runDemo(
  record: ConstellationRecord,
  bounty: bigint,
  narrator: Narrator,
  via: Via = 'rest',
): Promise<DemoOutcome> {
  const begun = performance.now()
  const { serverUrl, rpcUrl, chainId } = record
  if (serverUrl === undefined) throw new Error('the constellation runs without its server')
  using player = await openPlayer(via, serverUrl, chainId)
  const ground = groundOf(record, { payer: player.publisher, worker: player.worker }, bounty)
  const { chain, token, parties } = ground
  narrator.title(`One job, two wallets, a real chain (${serverUrl}, mode ${record.paymentMode})`)
  await player.fund(narrator, rpcUrl, bounty + spareAtomic)
  const before = await settledBalances(ground)
  const job = await player.play(narrator, bounty, scores)
  const after = await readBalances(chain, token, parties)
  tell(narrator, before, after)
  const faults = [...faultsOfBalances(before, after, bounty), ...(await faultsOfTransactions(ground, job))]
  const report: DemoReport = {
    ok: faults.length === 0,
    task_id: job.taskId,
    bounty_atomic: String(bounty),
    worker_delta: String(after.usd.worker - before.usd.worker),
    treasury_delta: String(after.usd.treasury - before.usd.treasury),
    payer_delta: String(after.usd.payer - before.usd.payer),
    txs: job.txs,
    rpc_url: rpcUrl,
    token,
    seconds: Number(((performance.now() - begun) / 1_000).toFixed(3)),
  }
  return { report, faults, ground, job }
}

async function openPlayer(via: Via, serverUrl: string, chainId: number): Promise<Player> {
  if (via === 'cli') return openCliPlayer(serverUrl)
  return via === 'rest' ? restPlayer(serverUrl, chainId) : agentPlayer(via, serverUrl, chainId)
}

/** Two wallets in memory, each speaking HTTP through the client. */
function restPlayer(serverUrl: string, chainId: number): Player {
  const wallets = freshWallets()
  return {
    publisher: wallets.publisher.address,
    worker: wallets.worker.address,
    fund: fundPublisher(wallets),
    play: (narrator, bountyAtomic) => playJob({ serverUrl, chainId, wallets, narrator, bountyAtomic }),
    [Symbol.dispose]: () => undefined,
  }
}

/** Where a job between these two moves its money. */
export function groundOf(
  record: ConstellationRecord,
  two: { readonly payer: Address; readonly worker: Address },
  bounty: bigint,
): Ground {
  const { localnet } = networks
  const [token, escrow, operator, reputation] = [
    localnet.tokens['USDC']?.address,
    localnet.escrow?.escrow,
    localnet.escrow?.operator,
    localnet.erc8004?.reputation,
  ]
  if (token === undefined || escrow === undefined || operator === undefined || reputation === undefined)
    throw new Error('the table has no local chain')
  const chain: PublicClient = createPublicClient({ transport: http(record.rpcUrl) })
  const parties: Parties = { ...two, treasury: lowerAddress(record.treasury), operator: lowerAddress(operator) }
  return {
    chain,
    token: lowerAddress(token),
    escrow: lowerAddress(escrow),
    reputation: lowerAddress(reputation),
    parties,
    bounty,
    hasEscrow: record.paymentMode !== 'fase1',
  }
}

/** The balances once the fees of earlier jobs have reached the treasury, so that its change is this job's alone. */
async function settledBalances({ chain, token, parties }: Ground): Promise<Balances> {
  const deadline = Date.now() + sweepPatienceMs
  for (;;) {
    const balances = await readBalances(chain, token, parties)
    if (balances.usd.operator === 0n || Date.now() > deadline) return balances
    await pause(100)
  }
}

function tell(narrator: Narrator, before: Balances, after: Balances): void {
  const rows = (
    [
      ['payer', 'publisher'],
      ['worker', 'worker'],
      ['treasury', 'treasury'],
    ] as const
  ).map(([party, name]) => [
    `${name}, USDC`,
    dollars(before.usd[party]),
    dollars(after.usd[party]),
    signed(after.usd[party] - before.usd[party]),
  ])
  const gas = (['payer', 'worker'] as const).map((party) => [
    `${party === 'payer' ? 'publisher' : party}, wei`,
    String(before.wei[party]),
    String(after.wei[party]),
    signed(after.wei[party] - before.wei[party], String),
  ])
  narrator.table(['balance on chain', 'before', 'after', 'change'], [...rows, ...gas])
}

function signed(change: bigint, write: (value: bigint) => string = dollars): string {
  return change > 0n ? `+${write(change)}` : write(change)
}

/** The closing sentence for a person. */
export function verdict(report: DemoReport, faults: readonly string[]): string {
  if (faults.length > 0) return `Something is off:\n${faults.map((fault) => `  - ${fault}`).join('\n')}`
  const { payout, fee } = splitBounty(BigInt(report.bounty_atomic))
  return (
    `Every figure agrees with the chain: ${dollars(payout)} to the worker, ${dollars(fee)} to ` +
    `the treasury, no gas for either wallet; ${report.seconds.toFixed(1)} s`
  )
}
