import type { Operations, OutputOf } from '@ergon/contract'
import type { AgentEntry, Earning, ReceivedRatings, WorkerProfile, WorkerView } from '@ergon/core'
import { instant, instantOrNull } from './instant.ts'
import { usd } from './money.ts'
import { pictureUrl } from './picture.ts'
import { sliceFields } from './page.ts'
import { presentWorker } from './work.ts'

type WireAgent = OutputOf<Operations['agents.directory']>['agents'][number]
type WireRanked = OutputOf<Operations['workers.list']>['workers'][number]
type WireRating = OutputOf<Operations['workers.reputation']>['ratings'][number]
type WireEarning = OutputOf<Operations['workers.earnings']>['payments'][number]
type WireProfile = OutputOf<Operations['workers.update']>

export function presentRanked(workers: readonly WorkerView[], offset: number): WireRanked[] {
  return workers.map((worker, at) => ({ rank: offset + at + 1, ...presentWorker(worker) }))
}

export function presentProfile(worker: WorkerView, profile: WorkerProfile): WireProfile {
  return { ...presentWorker(worker), ...presentWords(profile) }
}

function presentWords(
  profile: WorkerProfile,
): Pick<WireAgent, 'bio' | 'avatar_url' | 'agent_card_url' | 'mcp_endpoint_url' | 'capabilities' | 'pricing'> {
  return {
    bio: profile.bio,
    avatar_url: profile.avatarUrl,
    agent_card_url: profile.agentCardUrl,
    mcp_endpoint_url: profile.mcpEndpointUrl,
    capabilities: profile.capabilities === null ? null : [...profile.capabilities],
    pricing: profile.pricing === null ? null : { ...profile.pricing },
  }
}

/** The directory's own defaults (spec §2): its ratings are 0 while unrated. */
export function presentAgent({ worker, profile, activeTasks, tasksPublished, bountyPublished }: AgentEntry): WireAgent {
  return {
    executor_id: worker.id,
    display_name: worker.displayName ?? `${worker.wallet.slice(0, 6)}…${worker.wallet.slice(-4)}`,
    picture_url: pictureUrl(worker.picture),
    wallet_address: worker.wallet,
    executor_type: worker.party,
    active_tasks: activeTasks,
    avg_rating: worker.reputation.avgRating ?? 0,
    rating: worker.reputation.effective ?? 0,
    erc8004_agent_id: worker.agentId,
    role: tasksPublished > 0 ? 'both' : 'executor',
    tasks_completed: worker.reputation.tasksCompleted,
    tasks_published: tasksPublished,
    total_bounty_usd: usd({ atomic: bountyPublished, asset: dollars }),
    verified: worker.agentId !== null,
    ...presentWords(profile),
  }
}

/** Every token of the network table has six decimals; a test walks the table. */
const dollars = { symbol: 'USDC', network: 'any', decimals: 6 } as const

export function presentRatings(received: ReceivedRatings): { ratings: WireRating[] } & ReturnType<typeof sliceFields> {
  return { ratings: received.latest.rows.map(presentRating), ...sliceFields(received.latest) }
}

function presentRating({
  taskId,
  direction,
  terms,
  comment,
  rater,
  txHash,
  at,
}: ReceivedRatings['latest']['rows'][number]): WireRating {
  return {
    task_id: taskId,
    direction,
    score: terms.score,
    comment,
    rater_wallet: rater,
    network: terms.network,
    transaction_hash: txHash,
    feedback_uri: terms.feedbackUri,
    created_at: instantOrNull(at),
  }
}

export function presentEarning({ taskId, title, gross, payout, txHash, paidAt }: Earning): WireEarning {
  return {
    task_id: taskId,
    title,
    gross_usd: usd(gross),
    payout_usd: usd(payout),
    network: payout.asset.network,
    token: payout.asset.symbol,
    payment_tx: txHash,
    paid_at: instant(paidAt),
  }
}
