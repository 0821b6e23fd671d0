import type { InputOf, Operations } from '@ergon/contract'
import type { DirectRatingInput, RatingSubmission } from '@ergon/core'
import { done, inFlight, type HandlersOf } from '../dispatch/handlers.ts'
import { demandSigner } from './demand-signer.ts'
import type { ApiDeps } from './deps.ts'
import { sliceFields, sliceFrom, sliceOf } from './present/page.ts'
import { pictureUrl } from './present/picture.ts'
import { presentRanked, presentRatings } from './present/people.ts'
import { answerRelayed, presentGivenRating, presentPrepared } from './present/rating.ts'

type Some = Partial<HandlersOf<'reputation'>>

export function createReputationHandlers(deps: ApiDeps): HandlersOf<'reputation'> {
  return {
    ...createRating(deps),
    ...createIdentities(deps),
    ...createScores(deps),
  }
}

/** Ratings in the rater's own name, and those relayed under the facilitator's wallet. */
const createRating = ({ market }: ApiDeps) =>
  ({
    'reputation.prepare': async ({ caller }, input) =>
      done(
        presentPrepared(
          await market.prepareRating(caller, {
            taskId: input.task_id,
            direction: input.direction,
            score: input.score,
            comment: input.comment ?? null,
          }),
        ),
      ),
    'reputation.submit': async ({ caller }, input) => {
      demandSigner(caller, input.rater_wallet, 'rater_wallet')
      return done(presentGivenRating(await market.submitRating(caller, ratingOf(input))))
    },
    'reputation.feedback': async (_call, input) =>
      done({
        bytes: await market.feedbackDocument(input.task_id, input.direction ?? null),
        contentType: 'application/json',
      }),
    'reputation.rateWorker': async ({ caller }, input) =>
      answerRelayed(
        await market.giveRating(caller, {
          ...relayedOf(input),
          direction: 'publisher_rates_executor',
          workerWallet: input.worker_address?.toLowerCase() ?? null,
          agentId: null,
        }),
      ),
    'reputation.rateAgent': async ({ caller }, input) =>
      answerRelayed(
        await market.giveRating(caller, {
          ...relayedOf(input),
          direction: 'executor_rates_publisher',
          workerWallet: null,
          agentId: input.agent_id ?? null,
        }),
      ),
  }) satisfies Some

const createIdentities = (deps: ApiDeps) => {
  const { market } = deps
  return {
    'reputation.register': async ({ caller }, input) => {
      demandSigner(caller, input.wallet, 'wallet')
      const registration = await market.registerIdentity(caller, {
        network: input.network ?? null,
        name: input.name ?? null,
        description: input.description ?? null,
      })
      const body = {
        wallet: registration.wallet,
        agent_id: registration.agentId,
        network: registration.network,
        transaction_hash: registration.txHash,
        status: registration.state,
      }
      if (registration.state === 'pending') return inFlight(body)
      return registration.state === 'already_registered' ? { body, status: 200 } : done(body)
    },
    'reputation.identity': async (_call, input) => {
      const wallet = input.wallet.toLowerCase()
      const { agentId, network } = await market.identityOf(wallet, input.network ?? null)
      return done({ wallet, agent_id: agentId, network })
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
        picture_url: pictureUrl(worker?.picture ?? null),
      })
    },
    'reputation.networks': (_call, input) => {
      const networks = deps.networks
        .filter((one) => one.erc8004 !== undefined)
        .map((one) => ({
          network: one.name,
          rater_authored_ratings: one.erc8004?.ratingDelegate !== undefined && one.ratings === 'selectable',
          selectable_for_reputation: one.ratings === 'selectable',
          readable: true,
        }))
      const part = sliceFrom(networks, input)
      return done({ networks: [...part.rows], ...sliceFields(part) })
    },
  } satisfies Some
}

const createScores = (deps: ApiDeps) => {
  const { market } = deps
  return {
    'reputation.agent': async (_call, input) => {
      const { agentId, network, score, count, registry } = await market.agentScore(
        input.agent_id,
        input.network ?? null,
      )
      return done({ agent_id: agentId, network, score, rating_count: count, registry: { ...registry } })
    },
    'reputation.leaderboard': async (_call, input) => {
      const page = await market.rankedWorkers({ minReputation: null, hasCompleted: null }, sliceOf(input))
      return done({ leaderboard: presentRanked(page.rows, page.offset), ...sliceFields(page) })
    },
    'reputation.publisher': async (_call, input) => {
      const key = input.publisher_key.toLowerCase()
      const { wallet, received, history } = await market.publisherStanding(key, sliceOf(input))
      return done({
        publisher_key: key,
        wallet,
        history: {
          handed_in: history.handedIn,
          median_hours_to_decide: history.medianHours,
          rejected_share: history.rejectedShare,
          silent_share: history.silentShare,
        },
        avg_score: received.average,
        rating_count: received.count,
        ...presentRatings(received),
      })
    },
    'reputation.platform': async () => {
      if (deps.platformAgentId === null)
        return done({ agent_id: null, network: deps.identityNetwork, score: null, rating_count: 0, registry: null })
      const { agentId, network, score, count, registry } = await market.agentScore(deps.platformAgentId, null)
      return done({ agent_id: agentId, network, score, rating_count: count, registry: { ...registry } })
    },
    'reputation.crossChain': async (_call, input) => {
      const wallet = input.wallet.toLowerCase()
      const readable = deps.networks.filter((one) => one.erc8004 !== undefined).map((one) => one.name)
      const part = sliceFrom(readable, input)
      const standings = await market.crossChain(wallet, part.rows)
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
        ...sliceFields(part),
        taken_at: deps.now().toISOString(),
      })
    },
  } satisfies Some
}

type RelayedFields = Pick<InputOf<Operations['reputation.rateWorker']>, 'task_id' | 'score' | 'comment' | 'proof_tx'>

function relayedOf(input: RelayedFields): Pick<DirectRatingInput, 'taskId' | 'score' | 'comment' | 'proofTx'> {
  return {
    taskId: input.task_id,
    score: input.score,
    comment: input.comment ?? null,
    // A transaction of Solana has one spelling, in letters of both sizes.
    proofTx: (input.proof_tx?.startsWith('0x') === true ? input.proof_tx.toLowerCase() : input.proof_tx) ?? null,
  }
}

function ratingOf(input: InputOf<Operations['reputation.submit']>): RatingSubmission {
  const { authorization } = input
  return {
    taskId: input.task_id,
    direction: input.direction,
    network: input.network,
    agentId: input.ratee_agent_id,
    score: input.score,
    tag1: input.tag1,
    tag2: input.tag2,
    endpoint: input.endpoint,
    feedbackUri: input.feedback_uri,
    feedbackHash: input.feedback_hash,
    rater: input.rater_wallet.toLowerCase(),
    deadline: input.deadline,
    nonce: input.nonce,
    signature: input.signature,
    ...(authorization === undefined
      ? {}
      : { authorization: { ...authorization, yParity: authorization.yParity === 0 ? 0 : 1 } }),
  }
}
