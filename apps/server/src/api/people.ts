import { MarketError, type RatingSubmission, type WalletCaller } from '@ergon/core'
import type { InputOf, Operations } from '@ergon/contract'
import { done, inFlight, type HandlersOf } from '../dispatch/handlers.ts'
import type { ApiDeps } from './deps.ts'
import { presentGivenRating } from './present/rating.ts'
import { presentTypedData } from './present/typed-data.ts'
import { presentWorker } from './present/work.ts'

type PeopleOperations =
  | 'workers.register'
  | 'workers.get'
  | 'reputation.prepare'
  | 'reputation.submit'
  | 'reputation.register'
  | 'reputation.agent'
  | 'reputation.identity'
  | 'reputation.feedback'
  | 'reputation.networks'

export function createPeopleHandlers(deps: ApiDeps): HandlersOf<PeopleOperations> {
  const { market } = deps
  return {
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
    'reputation.prepare': async ({ caller }, input) => {
      const prepared = await market.prepareRating(caller, {
        taskId: input.task_id,
        direction: input.direction,
        score: input.score,
        comment: input.comment ?? null,
      })
      return done({
        task_id: prepared.taskId,
        direction: prepared.direction,
        score: prepared.score,
        network: prepared.network,
        ratee_agent_id: prepared.agentId,
        rater_wallet: prepared.rater,
        deadline: prepared.deadline,
        nonce: prepared.nonce,
        tag1: prepared.tag1,
        tag2: prepared.tag2,
        endpoint: prepared.endpoint,
        feedback_uri: prepared.feedbackUri,
        feedback_hash: prepared.feedbackHash,
        digest: prepared.digest,
        typed_data: presentTypedData(prepared.typedData),
        chain_id: prepared.chainId,
        delegate: prepared.delegate,
        delegated: prepared.delegated,
        account_nonce: prepared.accountNonce,
        rater_role: prepared.raterRole,
        ratee_role: prepared.rateeRole,
      })
    },
    'reputation.submit': async ({ caller }, input) => {
      demandSigner(caller, input.rater_wallet, 'rater_wallet')
      const given = await market.submitRating(caller, ratingOf(input))
      return done(presentGivenRating(given))
    },
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
    'reputation.agent': async (_call, input) => {
      const { agentId, network, score, count, registry } = await market.agentScore(
        input.agent_id,
        input.network ?? null,
      )
      return done({ agent_id: agentId, network, score, rating_count: count, registry: { ...registry } })
    },
    'reputation.identity': async (_call, input) => {
      const wallet = input.wallet.toLowerCase()
      const { agentId, network } = await market.identityOf(wallet, input.network ?? null)
      return done({ wallet, agent_id: agentId, network })
    },
    'reputation.feedback': async (_call, input) =>
      done({
        bytes: await market.feedbackDocument(input.task_id, input.direction ?? null),
        contentType: 'application/json',
      }),
    'reputation.networks': () =>
      done({
        networks: deps.networks
          .filter((one) => one.erc8004 !== undefined)
          .map((one) => ({
            network: one.name,
            rater_authored_ratings: one.erc8004?.ratingDelegate !== undefined && one.ratings === 'selectable',
            selectable_for_reputation: one.ratings === 'selectable',
            readable: true,
          })),
      }),
  }
}

/** A wallet named in the fields is the signer or nobody (spec §5.5). */
function demandSigner(caller: WalletCaller, wallet: string | undefined, field: string): void {
  if (wallet !== undefined && wallet.toLowerCase() !== caller.wallet)
    throw new MarketError('FORBIDDEN', { field }, { message: `${field} must be the wallet that signed the request.` })
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
