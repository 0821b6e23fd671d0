import { coldStartFloor, type AgentEntry, type MarketStats, type Store, type WorkerProfile } from '@ergon/core'
import type { Pool } from 'pg'
import { countedBy, namedRows } from './named-rows.ts'
import { toWorker, type WorkerRow } from './rows.ts'

type ProfileRow = {
  bio: string | null
  avatar_url: string | null
  agent_card_url: string | null
  mcp_endpoint_url: string | null
  capabilities: string[] | null
  pricing: Record<string, number | string> | null
}
type AgentRow = WorkerRow & ProfileRow & { active_tasks: bigint; tasks_published: bigint; bounty_published: bigint }

/** Workers in the order of their effective score, and what they say of themselves. */
export function createRankings(
  pool: Pool,
  identityNetwork: string,
): Pick<Store, 'rankedWorkers' | 'workerProfile' | 'putWorkerProfile' | 'directory' | 'marketStats'> {
  const all = namedRows(pool)
  const count = countedBy(all)
  return {
    async rankedWorkers({ minReputation, hasCompleted }, { limit, offset }) {
      const [rows, total] = await Promise.all([
        all<WorkerRow>(
          'workers-ranked',
          `select w.*, i.agent_id from (
              select * from workers w where ${ranked}
              order by w.effective_score desc nulls last, w.id limit $3 offset $4
            ) w left join identities i on i.wallet = w.wallet and i.network = $5
            order by w.effective_score desc nulls last, w.id`,
          [minReputation, hasCompleted, limit + 1, offset, identityNetwork],
        ),
        count('workers-ranked-total', `workers w where ${ranked}`, [minReputation, hasCompleted]),
      ])
      return { rows: rows.slice(0, limit).map(toWorker), total, offset, hasMore: rows.length > limit }
    },
    async workerProfile(id) {
      const row = (
        await all<ProfileRow>(
          'worker-profile',
          'select bio, avatar_url, agent_card_url, mcp_endpoint_url, capabilities, pricing from workers where id = $1',
          [id],
        )
      )[0]
      return row === undefined ? null : toProfile(row)
    },
    async putWorkerProfile(id, changes) {
      const columns = Object.entries(profileColumns).filter(([field]) => field in changes)
      if (columns.length === 0) return
      const values = columns.map(([field]) => {
        const value: unknown = Reflect.get(changes, field)
        return field === 'pricing' && value !== null ? JSON.stringify(value) : value
      })
      await pool.query({
        text: `update workers set ${columns.map(([, column], at) => `${column} = $${String(at + 2)}`).join(', ')}
          where id = $1`,
        values: [id, ...values],
      })
    },
    async directory({ capability, minRating }, { limit, offset }) {
      const [rows, total] = await Promise.all([
        all<AgentRow>('directory', directoryPage, [capability, minRating, limit + 1, offset, identityNetwork]),
        count('directory-total', `workers w where ${listed}`, [capability, minRating]),
      ])
      return { rows: rows.slice(0, limit).map(toAgentEntry), total, offset, hasMore: rows.length > limit }
    },
    async marketStats() {
      const row = (
        await all<{ open: bigint; active: bigint; completed: bigint; workers: bigint; agents: bigint }>(
          'market-stats',
          stats,
          [],
        )
      )[0]
      return {
        openTasks: Number(row?.open ?? 0n),
        activeTasks: Number(row?.active ?? 0n),
        completedTasks: Number(row?.completed ?? 0n),
        workers: Number(row?.workers ?? 0n),
        agents: Number(row?.agents ?? 0n),
      } satisfies MarketStats
    },
  }
}

/** What a floor is held against: a worker without a score clears the same floor everywhere (decision 0154). */
const scoreFloor = `coalesce(w.effective_score, ${String(coldStartFloor)})`
const ranked = `w.wallet not in (select wallet from bans) and ($1::double precision is null or ${scoreFloor} >= $1)
      and ($2::boolean is null or (w.tasks_completed > 0) = $2)`
const listed = `w.wallet not in (select wallet from bans) and w.party in ('agent', 'robot')
      and ($1::text is null or $1 = any(w.capabilities)) and ($2::double precision is null or ${scoreFloor} >= $2)`
const held = "('assigning', 'accepted', 'in_progress', 'submitted', 'verifying', 'disputed')"

/** The counts are taken for the rows of the page only. */
const directoryPage = `select w.*, i.agent_id, h.active_tasks, p.tasks_published, p.bounty_published from (
    select * from workers w where ${listed} order by w.effective_score desc nulls last, w.id limit $3 offset $4
  ) w left join identities i on i.wallet = w.wallet and i.network = $5
  cross join lateral (select count(*) as active_tasks from tasks t where t.executor_id = w.id and t.status in ${held}) h
  cross join lateral (select count(*) as tasks_published, coalesce(sum(t.bounty_atomic), 0)::bigint as bounty_published
    from tasks t where t.publisher_wallet = w.wallet and t.status <> 'draft') p
  order by w.effective_score desc nulls last, w.id`

const stats = `select
  (select count(*) from tasks where status = 'published') as open,
  (select count(*) from tasks where status in ${held}) as active,
  (select count(*) from tasks where status = 'completed') as completed,
  (select count(*) from workers) as workers,
  (select count(*) from workers where party in ('agent', 'robot')) as agents`

const profileColumns = {
  bio: 'bio',
  avatarUrl: 'avatar_url',
  agentCardUrl: 'agent_card_url',
  mcpEndpointUrl: 'mcp_endpoint_url',
  capabilities: 'capabilities',
  pricing: 'pricing',
} as const satisfies Record<keyof WorkerProfile, string>

function toProfile(row: ProfileRow): WorkerProfile {
  return {
    bio: row.bio,
    avatarUrl: row.avatar_url,
    agentCardUrl: row.agent_card_url,
    mcpEndpointUrl: row.mcp_endpoint_url,
    capabilities: row.capabilities,
    pricing: row.pricing,
  }
}

function toAgentEntry(row: AgentRow): AgentEntry {
  return {
    worker: toWorker(row),
    profile: toProfile(row),
    activeTasks: Number(row.active_tasks),
    tasksPublished: Number(row.tasks_published),
    bountyPublished: row.bounty_published,
  }
}
