import type { InputOf, Operations } from '@ergon/contract'
import type { WorkerProfile } from '@ergon/core'
import { done, type HandlersOf } from '../dispatch/handlers.ts'
import { picturePath } from '../surroundings/picture-path.ts'
import { demandSigner } from './demand-signer.ts'
import type { ApiDeps } from './deps.ts'
import { usd } from './present/money.ts'
import { pageFields, pageRequest, sliceFields, sliceOf } from './present/page.ts'
import { presentEarning, presentProfile, presentRanked, presentRatings } from './present/people.ts'
import { presentTask } from './present/task.ts'
import { presentWorker } from './present/work.ts'

type Some = Partial<HandlersOf<'workers'>>

export function createWorkerHandlers(deps: ApiDeps): HandlersOf<'workers'> {
  return { ...createProfiles(deps), ...createWorkerReads(deps) }
}

const createProfiles = ({ market }: ApiDeps) =>
  ({
    'workers.register': async ({ caller }, input) => {
      demandSigner(caller, input.wallet_address, 'wallet_address')
      return done(
        presentWorker(
          await market.registerWorker(caller, { name: input.name ?? null, party: input.executor_type ?? null }),
        ),
      )
    },
    'workers.get': async ({ caller }, input) => {
      const worker = await market.readWorker(input.executor_id)
      const isOwn = caller.kind === 'wallet' && caller.wallet === worker.wallet
      return done({
        ...presentWorker(worker),
        ...(isOwn ? { solana_payout_address: await market.payoutAddress(caller, worker.id) } : {}),
      })
    },
    'workers.update': async ({ caller }, input) => {
      const { worker, profile } = await market.updateWorker(caller, input.executor_id, {
        ...(input.name === undefined ? {} : { name: input.name }),
        ...(input.executor_type === undefined ? {} : { party: input.executor_type }),
        profile: profileOf(input),
      })
      return done(presentProfile(worker, profile))
    },
    'workers.setPicture': async ({ caller }, { executor_id, picture }) => {
      const name = await market.setPicture(caller, executor_id, Buffer.from(picture, 'base64'))
      return done({ executor_id, picture_url: picturePath(name) })
    },
    'workers.removePicture': async ({ caller }, { executor_id }) =>
      done({ executor_id, removed: await market.removePicture(caller, executor_id) }),
    'workers.list': async (_call, input) => {
      const page = await market.rankedWorkers(
        { minReputation: input.min_reputation ?? null, hasCompleted: input.has_completed ?? null },
        sliceOf(input),
      )
      return done({ workers: presentRanked(page.rows, page.offset), ...sliceFields(page) })
    },
  }) satisfies Some

const createWorkerReads = ({ market }: ApiDeps) =>
  ({
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
      const { worker, network, received } = await market.workerStanding(input.executor_id, sliceOf(input))
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
        ...presentRatings(received),
      })
    },
  }) satisfies Some

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
