import type { InputOf, Operations } from '@ergon/contract'
import { limits } from '@ergon/contract'
import { evidenceKindOf } from '@ergon/contract/facts'
import { type Ranked, type WorkerProfile, type WorkerView } from '@ergon/core'
import { done, type HandlersOf } from '../dispatch/handlers.ts'
import type { ApiDeps } from './deps.ts'
import { usd } from './present/money.ts'
import { pageFields, pageRequest } from './present/page.ts'
import { presentAgent, presentEarning, presentProfile, presentRanked, presentRatings } from './present/people.ts'
import { presentTask } from './present/task.ts'
import { presentSubmission } from './present/work.ts'

type WorkerOperations =
  | 'workers.list'
  | 'workers.update'
  | 'workers.tasks'
  | 'workers.earnings'
  | 'workers.reputation'
  | 'agents.directory'
  | 'reputation.leaderboard'
type StandingOperations =
  | 'submissions.list'
  | 'submissions.evidence'
  | 'reputation.publisher'
  | 'reputation.platform'
  | 'reputation.agentIdentity'
  | 'reputation.crossChain'

export function createStandingHandlers(deps: ApiDeps): HandlersOf<WorkerOperations | StandingOperations> {
  return { ...createWorkerReads(deps), ...createStandingReads(deps) }
}

function createWorkerReads({ market }: ApiDeps): HandlersOf<WorkerOperations> {
  return {
    'workers.list': async (_call, input) => {
      const page = await market.rankedWorkers(
        { minReputation: input.min_reputation ?? null, hasCompleted: input.has_completed ?? null },
        sliceOf(input),
      )
      return done({ workers: presentRanked(page.rows, page.offset), ...rankingFields(page) })
    },
    'workers.update': async ({ caller }, input) => {
      const { worker, profile } = await market.updateWorker(caller, input.executor_id, {
        ...(input.name === undefined ? {} : { name: input.name }),
        ...(input.executor_type === undefined ? {} : { party: input.executor_type }),
        profile: profileOf(input),
      })
      return done(presentProfile(worker, profile))
    },
    'workers.tasks': async ({ caller }, input) => {
      const page = await market.workerTasks(caller, input.executor_id, input.status ?? null, pageRequest(input))
      return done({ tasks: page.rows.map(presentTask), ...pageFields(page) })
    },
    'workers.earnings': async ({ caller }, input) => {
      const { page, paid, pending } = await market.earnings(caller, input.executor_id, pageRequest(input))
      return done({
        executor_id: input.executor_id,
        paid: paid.map((one) => ({
          network: one.paid.asset.network,
          token: one.paid.asset.symbol,
          payout_usd: usd(one.paid),
          count: one.count,
        })),
        pending: pending.map((one) => ({
          network: one.gross.asset.network,
          token: one.gross.asset.symbol,
          gross_usd: usd(one.gross),
          count: one.count,
        })),
        payments: page.rows.map(presentEarning),
        ...pageFields(page),
      })
    },
    'workers.reputation': async (_call, input) => {
      const { worker, network, received } = await market.workerStanding(input.executor_id)
      const { effective, onchain, heuristic, avgRating, tasksCompleted } = worker.reputation
      return done({
        executor_id: worker.id,
        erc8004_agent_id: worker.agentId,
        network,
        effective_reputation_score: effective,
        onchain_reputation_score: onchain,
        reputation_score: heuristic,
        avg_rating: avgRating,
        tasks_completed: tasksCompleted,
        rating_count: received.count,
        avg_score: received.average,
        ratings: presentRatings(received),
      })
    },
    'agents.directory': async (_call, input) => {
      const page = input.page ?? 1
      const limit = input.limit ?? limits.pageDefault
      const found = await market.directory(
        { capability: input.capability ?? null, minRating: input.min_rating ?? null },
        { limit, offset: (page - 1) * limit },
      )
      return done({ agents: found.rows.map(presentAgent), total: found.total, page, limit })
    },
    'reputation.leaderboard': async (_call, input) => {
      const page = await market.rankedWorkers({ minReputation: null, hasCompleted: null }, sliceOf(input))
      return done({ leaderboard: presentRanked(page.rows, page.offset), ...rankingFields(page) })
    },
  }
}

function createStandingReads(deps: ApiDeps): HandlersOf<StandingOperations> {
  const { market } = deps
  return {
    'submissions.list': async ({ caller }, input) => {
      const page = await market.listSubmissions(
        caller,
        { status: input.status ?? null, taskId: input.task_id ?? null },
        pageRequest(input),
      )
      return done({ submissions: page.rows.map(presentSubmission), ...pageFields(page) })
    },
    'submissions.evidence': async ({ caller }, input) => {
      const submission = await market.readSubmission(caller, input.submission_id)
      const { evidence_accessed_at, task_id } = presentSubmission(submission)
      const entries = Object.entries(submission.evidence).map(([type, value]) => {
        const url = fileLink(type, value)
        return { type, kind: url === null ? ('value' as const) : ('file' as const), url, value }
      })
      return done({
        submission_id: submission.id,
        task_id,
        evidence: entries,
        count: entries.length,
        evidence_accessed_at,
      })
    },
    'reputation.publisher': async (_call, input) => {
      const key = input.publisher_key.toLowerCase()
      const { wallet, received } = await market.publisherStanding(key)
      return done({
        publisher_key: key,
        wallet,
        avg_score: received.average,
        rating_count: received.count,
        ratings: presentRatings(received),
      })
    },
    'reputation.platform': async () => {
      if (deps.platformAgentId === null)
        return done({ agent_id: null, network: deps.identityNetwork, score: null, rating_count: 0, registry: null })
      const { agentId, network, score, count, registry } = await market.agentScore(deps.platformAgentId, null)
      return done({ agent_id: agentId, network, score, rating_count: count, registry: { ...registry } })
    },
    'reputation.agentIdentity': async (_call, input) => {
      const { agentId, network, wallet, uri, worker } = await market.agentHolder(input.agent_id, input.network ?? null)
      return done({
        agent_id: agentId,
        network,
        wallet,
        agent_uri: uri,
        executor_id: worker?.id ?? null,
        display_name: worker?.displayName ?? null,
      })
    },
    'reputation.crossChain': async (_call, input) => {
      const wallet = input.wallet.toLowerCase()
      const readable = deps.networks.filter((one) => one.erc8004 !== undefined).map((one) => one.name)
      const standings = await market.crossChain(wallet, readable)
      return done({
        wallet,
        networks: standings.map(({ network, agentId, score, count, registry, status }) => ({
          network,
          agent_id: agentId,
          score,
          rating_count: count,
          registry,
          status,
        })),
        taken_at: deps.now().toISOString(),
      })
    },
  }
}

function sliceOf(input: { readonly limit?: number; readonly offset?: number }): {
  readonly limit: number
  readonly offset: number
} {
  return { limit: input.limit ?? limits.pageDefault, offset: input.offset ?? 0 }
}

function rankingFields({ rows, total, offset, hasMore }: Ranked<WorkerView>): {
  total: number
  count: number
  offset: number
  has_more: boolean
} {
  return { total, count: rows.length, offset, has_more: hasMore }
}

function profileOf(input: InputOf<Operations['workers.update']>): Partial<WorkerProfile> {
  const { bio, avatar_url, agent_card_url, mcp_endpoint_url, capabilities, pricing } = input
  return {
    ...(bio === undefined ? {} : { bio }),
    ...(avatar_url === undefined ? {} : { avatarUrl: avatar_url }),
    ...(agent_card_url === undefined ? {} : { agentCardUrl: agent_card_url }),
    ...(mcp_endpoint_url === undefined ? {} : { mcpEndpointUrl: mcp_endpoint_url }),
    ...(capabilities === undefined ? {} : { capabilities }),
    ...(pricing === undefined ? {} : { pricing }),
  }
}

/** A stored file comes back as a link; every other value is what was typed. */
function fileLink(type: string, value: unknown): string | null {
  return evidenceKindOf(type)?.kind === 'file' && typeof value === 'string' ? value : null
}
