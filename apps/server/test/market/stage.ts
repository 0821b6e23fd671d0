import { setTimeout as pause } from 'node:timers/promises'
import {
  createMarket,
  type Market,
  type MarketDeps,
  type MarketSettings,
  type PaymentEvent,
  type PolicyInput,
  type PublishInput,
  type Store,
  type WalletCaller,
} from '@ergon/core'
import {
  createCountingRegistry,
  createFakeChain,
  createPlainEvidence,
  createPlainInspector,
  createPlainRatings,
  createPlainSignatures,
  createPlainUploads,
  createTestClock,
  createTestIds,
  type FakeChain,
  type TestClock,
} from '@ergon/core/testing'
import type { Pool } from 'pg'
import { createApart } from './apart.ts'
import { watchLocks } from './lock-order.ts'
import { openStageDatabase } from './stage-database.ts'

export const localnet = {
  name: 'localnet',
  caip2: 'eip155:31337',
  chainId: 31_337,
  hasEscrow: true,
  tokens: { USDC: { address: 'token', decimals: 6 } },
  takesRatings: true,
} as const

const settings: MarketSettings = {
  paymentMode: 'fase2',
  preferredNetwork: 'localnet',
  identityNetwork: 'localnet',
  autoRegister: true,
  requireIdentity: true,
  settleWaitMs: 1_000,
  leaseMs: 30_000,
  cashOutsPerDay: 500,
  bounds: { min: '0.01', escrowMax: '100', max: '10000' },
  policy: null,
  arbiters: ['0x5555555555555555555555555555555555555555'],
  feedbackBaseUrl: 'http://localhost/feedback',
}

export const publisher: WalletCaller = {
  kind: 'wallet',
  wallet: '0x1111111111111111111111111111111111111111',
  agentId: 1,
  via: 'signature',
}
export const worker: WalletCaller = {
  kind: 'wallet',
  wallet: '0x2222222222222222222222222222222222222222',
  agentId: 2,
  via: 'signature',
}

/** Whom the operator lets rule. */
export const arbiter: WalletCaller = {
  kind: 'wallet',
  wallet: '0x5555555555555555555555555555555555555555',
  agentId: 5,
  via: 'signature',
}

export type Stage = AsyncDisposable & {
  readonly market: Market
  readonly store: Store
  readonly chain: FakeChain
  readonly clock: TestClock
  readonly pool: Pool
  readonly databaseUrl: string
  /** The market's parts, to build another market over the same database and chain. */
  readonly deps: MarketDeps
  readonly mode: MarketSettings['paymentMode']
  /** Wraps a port that must not be asked while a transaction is open. */
  readonly watch: ReturnType<typeof createApart>['watch']
}

/** Enough for a job at every await of a flow. */
const funded = 3_000_000_000n

/** A market on real PostgreSQL, with a chain that keeps the escrow's rules and a clock that is stopped. */
export async function openStage(mode: MarketSettings['paymentMode'] = 'fase2'): Promise<Stage> {
  const { store, pool, databaseUrl, drop } = await openStageDatabase()
  const chain = createFakeChain()
  const clock = createTestClock(new Date('2026-11-21T12:00:00Z'))
  chain.now = () => clock.now()
  let nonces = 0
  const unordered: string[] = []
  const apart = createApart(watchLocks(store, unordered))
  const deps: MarketDeps = {
    store: apart.store,
    networks: [localnet],
    rails: () => apart.watch(chain.rail),
    signatures: createPlainSignatures(() => {
      nonces += 1
      return `0x${nonces.toString(16).padStart(64, '0')}`
    }),
    identities: apart.watch(createCountingRegistry()),
    ratings: apart.watch(createPlainRatings(), ['document']),
    evidence: apart.watch(createPlainEvidence()),
    uploads: apart.watch(createPlainUploads()),
    clock,
    ids: createTestIds(1),
    wakeup: { settlements: () => undefined, verifications: () => undefined },
    verification: { inspector: createPlainInspector(), reviewer: () => null },
    settings: { ...settings, paymentMode: mode },
  }
  const market = createMarket(deps)
  chain.fund(publisher.wallet, funded)
  for (const caller of [publisher, worker]) await market.ensureIdentity(caller.wallet)
  return {
    market,
    store,
    chain,
    clock,
    pool,
    deps,
    mode,
    watch: (port, synchronous) => apart.watch(port, synchronous),
    databaseUrl,
    async [Symbol.asyncDispose]() {
      await drop()
      if (unordered.length > 0) throw new Error(`locked out of order: ${unordered.join(', ')}`)
      if (apart.asked.length > 0) throw new Error(`asked while a transaction was open: ${apart.asked.join(', ')}`)
    },
  }
}

export type Job = {
  readonly taskId: string
  readonly executorId: string
  readonly paymentAuth: string | null
  readonly standingOrder?: string
}

/** The task that tests publish where it does not matter what it asks for. */
export const gateTask = (change: Partial<PublishInput> = {}): PublishInput => ({
  title: 'Photograph the gate',
  instructions: 'Stand in front of the gate and take one photo.',
  category: 'simple_action',
  bountyUsd: '10',
  deadlineHours: 24,
  evidenceRequired: ['text_response'],
  evidenceOptional: [],
  locationHint: null,
  minReputation: 0,
  network: null,
  token: null,
  target: 'any',
  publisherType: 'agent',
  paymentAuth: null,
  idempotency: null,
  ...change,
})

/** Published and applied to; with escrow, the authorization for the worker is signed. */
export async function appliedJob(
  { market }: Stage,
  as: WalletCaller = worker,
  bountyUsd = '10',
  policy?: PolicyInput,
): Promise<Job> {
  const { task } = await market.publish(publisher, gateTask({ bountyUsd, evidenceOptional: ['photo', 'gps'] }))
  if (policy !== undefined) await market.setPolicy(publisher, task.id, policy)
  const application = await market.apply(as, task.id, { executorId: null, message: 'I am near.' })
  const challenge =
    task.escrowStatus === 'none' ? null : await market.assignChallenge(publisher, task.id, application.executorId)
  return {
    taskId: task.id,
    executorId: application.executorId,
    paymentAuth: challenge === null ? null : JSON.stringify(challenge.envelope),
  }
}

export async function assignJob({ market }: Pick<Stage, 'market'>, job: Job) {
  return market.assign(publisher, job.taskId, {
    executorId: job.executorId,
    notes: null,
    paymentAuth: job.paymentAuth,
    ...(job.standingOrder === undefined ? {} : { standingOrder: job.standingOrder }),
  })
}

/** The audit log of a task, whole. */
export async function paymentEventsOf(
  { market }: Pick<Stage, 'market'>,
  taskId: string,
  as: WalletCaller = publisher,
): Promise<readonly PaymentEvent[]> {
  return (await market.paymentEvents(as, taskId, { limit: 1_000, offset: 0 })).rows
}

/** Assigned and submitted: waiting for the verdict. */
export async function submittedJob(
  stage: Stage,
  policy?: PolicyInput,
): Promise<Job & { readonly submissionId: string }> {
  const job = await appliedJob(stage, worker, '10', policy)
  await assignJob(stage, job)
  const { submission } = await stage.market.submit(worker, job.taskId, {
    executorId: null,
    evidence: { text_response: 'It is open.' },
    notes: null,
    deviceMetadata: null,
  })
  return { ...job, submissionId: submission.id }
}

/** What the payer sends with an approval, in the mode of the stage. */
export async function approval(stage: Pick<Stage, 'market' | 'mode'>, submissionId: string) {
  const challenge = await stage.market.approveChallenge(publisher, submissionId)
  const order =
    challenge.release === null
      ? null
      : {
          signer: publisher.wallet,
          deadline: challenge.release.deadline,
          nonce: challenge.release.nonce,
          signature: '0x',
        }
  return {
    rating: null,
    feedback: null,
    order,
    payoutAuth: envelope(challenge.payoutAuth),
    feeAuth: envelope(challenge.feeAuth),
  }
}

function envelope(challenge: { readonly envelope: unknown } | null): string | null {
  return challenge === null ? null : JSON.stringify(challenge.envelope)
}

/** Runs the duties, moving the clock past leases and retries, until nothing is in flight. */
export async function untilQuiet({ market, clock }: Pick<Stage, 'market' | 'clock'>): Promise<void> {
  for (let round = 0; round < 40; round += 1) {
    clock.advance(31_000)
    await market.duties.reconcile()
    await market.duties.watchRefused()
    await market.duties.disburseFees()
    await market.duties.disburseFees()
    await market.duties.relayRatings()
    const { inFlight, inDoubt } = await market.paymentsHealth()
    if (inFlight + inDoubt === 0) return
  }
  throw new Error('settlements are still in flight after 40 rounds')
}

/** What the comparison with the chain still finds, once everything was looked at. */
export async function findings({ market, clock }: Stage): Promise<readonly string[]> {
  for (let round = 0; round < 3; round += 1) {
    clock.advance(61_000)
    await market.duties.auditMoney()
    await market.duties.auditRatings()
  }
  return (await market.unresolvedFindings(10)).map(({ kind, taskId, detail }) => `${kind} ${taskId ?? ''}: ${detail}`)
}

type AccountRow = { account: string; balance: bigint }

/** The ledger's word against the chain's: every account of ours holds what the chain holds. */
export async function ledgerDisagreements({ pool, chain }: Stage): Promise<string[]> {
  const { rows } = await pool.query<AccountRow>(
    'select account, sum(amount_atomic)::bigint as balance from ledger group by account',
  )
  return rows.flatMap(({ account, balance }) => {
    const [kind, name] = account.includes(':') ? account.split(':', 2) : ['contract', account]
    if (kind === 'refund')
      return chain.balance(account) === balance
        ? []
        : [`${account}: ledger ${String(balance)}, chain ${String(chain.balance(account))}`]
    const onChain =
      kind === 'escrow'
        ? chain.capturable(name ?? '')
        : chain.balance(name ?? '') - (name === publisher.wallet ? funded : 0n)
    return onChain === balance ? [] : [`${account}: ledger ${String(balance)}, chain ${String(onChain)}`]
  })
}

/**
 * The stream waits for every older transaction of the database server, and other tests have theirs: until it has come
 * this far.
 */
export async function caughtUp({ pool }: Stage): Promise<void> {
  const {
    rows: [mark],
  } = await pool.query<{ xid: string }>('select pg_current_xact_id()::text as xid')
  for (const deadline = Date.now() + 30_000; ;) {
    const {
      rows: [seen],
    } = await pool.query<{ xid: string }>('select pg_snapshot_xmin(pg_current_snapshot())::text as xid')
    if (BigInt(seen?.xid ?? 0) > BigInt(mark?.xid ?? 0)) return
    if (Date.now() > deadline) throw new Error('an older transaction is still running')
    await pause(10)
  }
}
