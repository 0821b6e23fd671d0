import type { Party, TaskStatus } from '@ergon/contract'
import type { Caller, WalletCaller } from '../caller.ts'
import { MarketError } from '../errors.ts'
import type { MarketDeps } from '../flows/deps.ts'
import { ownWorker } from '../flows/own-worker.ts'
import { existingWorker } from '../flows/read.ts'
import { changeParty } from '../flows/register-worker.ts'
import { partyOf } from '../identity/party.ts'
import type { WorkerProfile, WorkerView } from '../identity/worker.ts'
import { networkNamed } from '../network.ts'
import { emptyPage, type Page, type PageRequest, type Slice } from '../page.ts'
import type { Earnings, ReceivedRatings, SubmissionFilter } from '../ports/store-people.ts'
import { historyOf, type PublisherHistory } from '../policy/decisions.ts'
import type { RegistryMean } from '../reputation/rating.ts'
import type { Submission } from '../submissions/submission.ts'
import type { SeenTask } from '../tasks/task.ts'
import { pageWithDeciders } from './deciders.ts'
import { shown } from './evidence-views.ts'
import { stamped } from './task-views.ts'

export type WorkerChanges = { readonly name?: string; readonly party?: Party; readonly profile: Partial<WorkerProfile> }
export type WorkerStanding = {
  readonly worker: WorkerView
  readonly network: string
  readonly received: ReceivedRatings
}
export type PublisherStanding = {
  readonly wallet: string
  readonly received: ReceivedRatings
  /** What it did with what was handed in to it. */
  readonly history: PublisherHistory
}
export type AgentHolder = {
  readonly agentId: number
  readonly network: string
  readonly wallet: string
  readonly uri: string | null
  readonly worker: WorkerView | null
}
/** `count` and `registry` are null when the registry could not be read. */
export type NetworkStanding = {
  readonly network: string
  readonly agentId: number | null
  readonly score: number | null
  readonly count: number | null
  readonly registry: RegistryMean | null
  readonly status: 'rated' | 'unrated' | 'unregistered' | 'unavailable'
}

const silent: WorkerProfile = {
  bio: null,
  avatarUrl: null,
  agentCardUrl: null,
  mcpEndpointUrl: null,
  capabilities: null,
  pricing: null,
}

/** Public statuses to outsiders, every status to the worker. */
export async function workerTasks(
  deps: MarketDeps,
  caller: Caller,
  executorId: string,
  status: TaskStatus | null,
  page: PageRequest,
): Promise<Page<SeenTask>> {
  const worker = await existingWorker(deps, executorId)
  const anyStatus = caller.kind === 'wallet' && caller.wallet === worker.wallet
  return pageWithDeciders(deps, await deps.store.workerTasks({ executorId, status, anyStatus }, page))
}

/** Empty to an unsigned caller. @throws FORBIDDEN to every wallet but the worker's */
export async function earnings(
  deps: MarketDeps,
  caller: Caller,
  executorId: string,
  page: PageRequest,
): Promise<Earnings> {
  if (caller.kind === 'anonymous') {
    await existingWorker(deps, executorId)
    return { page: emptyPage(page), paid: [], pending: [] }
  }
  await ownWorker(deps, caller, executorId)
  return deps.store.earnings(executorId, page)
}

export async function workerStanding(deps: MarketDeps, executorId: string, slice: Slice): Promise<WorkerStanding> {
  const worker = await existingWorker(deps, executorId)
  return {
    worker,
    network: deps.settings.identityNetwork,
    received: await deps.store.receivedRatings(worker.wallet, 'publisher_rates_executor', slice),
  }
}

/** @throws WORKER_NOT_FOUND, FORBIDDEN to everyone but the worker */
export async function updateWorker(
  deps: MarketDeps,
  caller: WalletCaller,
  executorId: string,
  { name, party, profile }: WorkerChanges,
): Promise<{ readonly worker: WorkerView; readonly profile: WorkerProfile }> {
  const before = await ownWorker(deps, caller, executorId)
  if (party !== undefined) await changeParty(deps, before, partyOf(caller.via, before.party, party))
  const isNamed = name !== undefined || party !== undefined
  const worker = isNamed
    ? await deps.store.putWorker({
        id: executorId,
        wallet: caller.wallet,
        at: deps.clock.now(),
        ...(name === undefined ? {} : { displayName: name }),
      })
    : before
  if (Object.keys(profile).length > 0) await deps.store.putWorkerProfile(executorId, profile)
  return { worker, profile: (await deps.store.workerProfile(executorId)) ?? silent }
}

/** Empty to an unsigned caller, who owns no rows (spec §5.5). What the publisher reads is stamped. */
export async function listSubmissions(
  deps: MarketDeps,
  caller: Caller,
  filter: SubmissionFilter,
  page: PageRequest,
): Promise<Page<Submission>> {
  if (caller.kind === 'anonymous') return emptyPage(page)
  const found = await deps.store.submissionsOf(caller.wallet, filter, page)
  const read = await stamped(
    deps,
    found.rows.filter((row) => row.publisherWallet === caller.wallet),
  )
  const readAt = new Map(read.map((row) => [row.id, row.evidenceAccessedAt]))
  const rows = found.rows.map((row) => ({ ...row, evidenceAccessedAt: readAt.get(row.id) ?? row.evidenceAccessedAt }))
  return {
    ...found,
    rows: await shown(deps, rows, (row) => (row.publisherWallet === caller.wallet ? 'counterparty' : 'worker')),
  }
}

/** `key` is a wallet, or an agent id of the identity network. @throws IDENTITY_NOT_FOUND */
export async function publisherStanding(deps: MarketDeps, key: string, slice: Slice): Promise<PublisherStanding> {
  const wallet = key.startsWith('0x') ? key : (await agentHolder(deps, Number(key), null)).wallet
  const [received, decisions] = [
    await deps.store.receivedRatings(wallet, 'executor_rates_publisher', slice),
    await deps.store.publisherDecisions(wallet),
  ]
  return { wallet, received, history: historyOf(decisions) }
}

/** The registry outranks what is stored: an agent id can change hands. @throws IDENTITY_NOT_FOUND */
export async function agentHolder(deps: MarketDeps, agentId: number, network: string | null): Promise<AgentHolder> {
  const name = networkNamed(deps.networks, network ?? deps.settings.identityNetwork).name
  const holder = await deps.identities.holder(name, agentId)
  if (holder === null) throw new MarketError('IDENTITY_NOT_FOUND', { agent_id: agentId, network: name })
  return { agentId, network: name, ...holder, worker: await deps.store.workerByWallet(holder.wallet) }
}

/** The agent id of a wallet. @throws IDENTITY_NOT_FOUND */
export async function identityOf(
  deps: MarketDeps,
  wallet: string,
  network: string | null,
): Promise<{ readonly agentId: number; readonly network: string }> {
  const name = networkNamed(deps.networks, network ?? deps.settings.identityNetwork).name
  const agentId = await agentIdOf(deps, wallet, name)
  if (agentId === null) throw new MarketError('IDENTITY_NOT_FOUND', { wallet, network: name })
  return { agentId, network: name }
}

async function agentIdOf(deps: MarketDeps, wallet: string, network: string): Promise<number | null> {
  const stored = await deps.store.identity(network, wallet)
  return stored === null ? deps.identities.lookup(network, wallet) : stored.agentId
}

/** The reputation of a wallet on each of these networks; one that cannot be read says so. */
export async function crossChain(
  deps: MarketDeps,
  wallet: string,
  networks: readonly string[],
): Promise<readonly NetworkStanding[]> {
  return Promise.all(networks.map((network) => standingOn(deps, wallet, network)))
}

async function standingOn(deps: MarketDeps, wallet: string, network: string): Promise<NetworkStanding> {
  try {
    const agentId = await agentIdOf(deps, wallet, network)
    if (agentId === null)
      return { network, agentId: null, score: null, count: 0, registry: null, status: 'unregistered' }
    const [{ score, count }, registry] = await Promise.all([
      deps.store.countedRatings(network, agentId, null),
      deps.ratings.summary(network, agentId),
    ])
    return { network, agentId, score, count, registry, status: count === 0 ? 'unrated' : 'rated' }
  } catch (error) {
    if (!(error instanceof MarketError) || error.code === 'SERVICE_BUSY') throw error
    return { network, agentId: null, score: null, count: null, registry: null, status: 'unavailable' }
  }
}
