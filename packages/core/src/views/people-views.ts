import type { Caller, WalletCaller } from '../caller.ts'
import { MarketError } from '../errors.ts'
import type { MarketDeps } from '../flows/deps.ts'
import { existingWorker } from '../flows/read.ts'
import { changeParty } from '../flows/register-worker.ts'
import { partyOf } from '../identity/party.ts'
import type { WorkerProfile, WorkerView } from '../identity/worker.ts'
import type { Page, PageRequest } from '../market.ts'
import type { AgentHolder, MarketPeople, NetworkStanding, PublisherStanding, WorkerChanges } from '../market-people.ts'
import { networkNamed } from '../network.ts'
import type { SubmissionFilter } from '../ports/store-people.ts'
import type { Submission } from '../submissions/submission.ts'
import { shown } from './evidence-views.ts'
import { stamped } from './task-views.ts'

/** Ratings listed beside a score. */
const latestRatings = 20

const silent: WorkerProfile = {
  bio: null,
  avatarUrl: null,
  agentCardUrl: null,
  mcpEndpointUrl: null,
  capabilities: null,
  pricing: null,
}

/** Everything the market says about people. */
export function createPeopleViews(deps: MarketDeps): MarketPeople {
  const { store } = deps
  return {
    rankedWorkers: (filter, slice) => store.rankedWorkers(filter, slice),
    updateWorker: (caller, executorId, changes) => updateWorker(deps, caller, executorId, changes),
    async workerTasks(caller, executorId, status, page) {
      const worker = await existingWorker(deps, executorId)
      return store.workerTasks(
        { executorId, status, anyStatus: caller.kind === 'wallet' && caller.wallet === worker.wallet },
        page,
      )
    },
    async earnings(caller, executorId, page) {
      await ownWorker(deps, caller, executorId)
      return store.earnings(executorId, page)
    },
    async workerStanding(executorId) {
      const worker = await existingWorker(deps, executorId)
      return {
        worker,
        network: deps.settings.identityNetwork,
        received: await store.receivedRatings(worker.wallet, 'publisher_rates_executor', latestRatings),
      }
    },
    listSubmissions: (caller, filter, page) => listSubmissions(deps, caller, filter, page),
    publisherStanding: (key) => publisherStanding(deps, key),
    agentHolder: (agentId, network) => agentHolder(deps, agentId, network),
    crossChain: (wallet, networks) => Promise.all(networks.map((network) => standingOn(deps, wallet, network))),
    directory: (filter, slice) => store.directory(filter, slice),
    stats: () => store.marketStats(),
  }
}

async function ownWorker(deps: MarketDeps, caller: WalletCaller, executorId: string): Promise<WorkerView> {
  const worker = await existingWorker(deps, executorId)
  if (worker.wallet !== caller.wallet) throw new MarketError('FORBIDDEN', { executor_id: executorId })
  return worker
}

async function updateWorker(
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

async function listSubmissions(
  deps: MarketDeps,
  caller: Caller,
  filter: SubmissionFilter,
  page: PageRequest,
): Promise<Page<Submission>> {
  if (caller.kind === 'anonymous') return { rows: [], total: 0, offset: page.offset, hasMore: false, nextCursor: null }
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

async function publisherStanding(deps: MarketDeps, key: string): Promise<PublisherStanding> {
  const wallet = key.startsWith('0x') ? key : (await agentHolder(deps, Number(key), null)).wallet
  return { wallet, received: await deps.store.receivedRatings(wallet, 'executor_rates_publisher', latestRatings) }
}

/** The registry outranks what is stored: an agent id can change hands. */
async function agentHolder(deps: MarketDeps, agentId: number, network: string | null): Promise<AgentHolder> {
  const name = networkNamed(deps.networks, network ?? deps.settings.identityNetwork).name
  const holder = await deps.identities.holder(name, agentId)
  if (holder === null) throw new MarketError('IDENTITY_NOT_FOUND', { agent_id: agentId, network: name })
  return { agentId, network: name, ...holder, worker: await deps.store.workerByWallet(holder.wallet) }
}

async function standingOn(deps: MarketDeps, wallet: string, network: string): Promise<NetworkStanding> {
  try {
    const stored = await deps.store.identity(network, wallet)
    const agentId = stored === null ? await deps.identities.lookup(network, wallet) : stored.agentId
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
