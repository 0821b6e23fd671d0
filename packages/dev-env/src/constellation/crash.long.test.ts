import { setTimeout as pause } from 'node:timers/promises'
import { mintTestUsd } from '@ergon/contracts'
import { generatePrivateKey, privateKeySigner, tokenAbi } from '@ergon/protocols'
import { createClient, type Client } from '@ergon/sdk'
import pg from 'pg'
import { createPublicClient, http } from 'viem'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startConstellation, type Constellation } from './constellation.ts'

/**
 * The processes of the product, killed while money moves. Whatever they left, one minute later every submission is
 * either paid once or still approvable, and approving it again pays it once.
 */

const jobs = 8
const payoutAtomic = 870_000n
const patienceMs = 180_000
// Nobody here waits for a person; a short wait makes the lease of a lost claim short too.
const env = {
  server: { SVC_SETTLE_WAIT_MS: '1000', SVC_RATE_WALLET_PER_MIN: '100000', SVC_RATE_ANON_PER_MIN: '100000' },
}

let constellation: Constellation
beforeAll(async () => {
  constellation = await startConstellation({ ephemeral: true, env })
}, patienceMs)
afterAll(() => constellation.stop())

type Sides = { readonly publisher: Client; readonly worker: Client; readonly workerWallet: `0x${string}` }

async function openSides(): Promise<Sides> {
  const { serverUrl, chainId, rpcUrl } = constellation.record()
  if (serverUrl === undefined) throw new Error('the server is not running')
  const [publisher, worker] = [privateKeySigner(generatePrivateKey()), privateKeySigner(generatePrivateKey())]
  await mintTestUsd(rpcUrl, publisher.address, 100_000_000n)
  const clientOf = (signer: typeof publisher): Client => createClient({ baseUrl: serverUrl, chainId, signer })
  return { publisher: clientOf(publisher), worker: clientOf(worker), workerWallet: worker.address }
}

async function submittedJob({ publisher, worker }: Sides): Promise<string> {
  const { id } = await publisher.tasks.publish({
    title: 'Count the chairs',
    instructions: 'Count the chairs in the hall and write the number.',
    category: 'data_collection',
    bounty_usd: 1,
    evidence_required: ['text_response'],
    client_ref: crypto.randomUUID(),
  })
  const { executor_id } = await worker.tasks.apply({ task_id: id })
  await publisher.assignWorker({ task_id: id, executor_id })
  return (await worker.tasks.submit({ task_id: id, evidence: { text_response: 'forty' } })).submission_id
}

async function balanceOf(wallet: `0x${string}`): Promise<bigint> {
  const { rpcUrl, addresses } = constellation.record()
  // The record names the contracts of the local chain.
  const token = addresses['TestUSD'] as `0x${string}`
  return createPublicClient({ transport: http(rpcUrl) }).readContract({
    abi: tokenAbi,
    address: token,
    functionName: 'balanceOf',
    args: [wallet],
  })
}

async function untilQuiet(): Promise<void> {
  const { serverUrl } = constellation.record()
  const deadline = Date.now() + 90_000
  while (Date.now() < deadline) {
    const health = await fetch(`${String(serverUrl)}/api/v1/health/payments`).then(
      (response) => response.json() as Promise<{ in_flight: number; in_doubt: number; ledger_balanced: boolean }>,
      () => null,
    )
    if (health !== null && health.in_flight + health.in_doubt === 0) {
      expect(health.ledger_balanced).toBe(true)
      return
    }
    await pause(250)
  }
  throw new Error('settlements are still in flight')
}

/** Waits until this many releases are claimed: money is about to move, or moving. */
async function untilClaimed(count: number): Promise<void> {
  const client = new pg.Client({ connectionString: constellation.record().databases.server })
  await client.connect()
  const before = await releases(client)
  while ((await releases(client)) - before < count) await pause(1)
  await client.end()
}

async function releases(client: pg.Client): Promise<number> {
  const { rows } = await client.query<{ count: string }>("select count(*) from settlements where purpose = 'release'")
  return Number(rows[0]?.count ?? 0)
}

test.each([
  ['server', 1],
  ['server', 5],
  ['facilitator', 1],
  ['facilitator', 5],
] as const)(
  'the %s is killed when %i of eight approvals are claimed: each is paid exactly once in the end',
  async (victim, claimed) => {
    const sides = await openSides()
    const submissions: string[] = []
    for (let count = 0; count < jobs; count += 1) submissions.push(await submittedJob(sides))
    const struck = untilClaimed(claimed)
    await pause(20)
    const approvals = submissions.map((submission_id) =>
      sides.publisher.approveSubmission({ submission_id }).catch(() => undefined),
    )
    await struck
    await constellation.restart(victim)
    await Promise.all(approvals)
    await untilQuiet()
    const first = await Promise.all(
      submissions.map((submission_id) => sides.publisher.submissions.get({ submission_id })),
    )
    const approved = first.filter(({ status }) => status === 'approved').length
    expect(await balanceOf(sides.workerWallet)).toBe(BigInt(approved) * payoutAtomic)
    for (const { id, status } of first)
      if (status !== 'approved') await sides.publisher.approveSubmission({ submission_id: id })
    await untilQuiet()
    expect(await balanceOf(sides.workerWallet)).toBe(BigInt(jobs) * payoutAtomic)
  },
  patienceMs,
)
