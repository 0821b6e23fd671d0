import { reputationRegistryAbi, type Address } from '@ergon/protocols'
import { expectFeedback, expectResponse, expectRevoked } from '../chain/events.ts'
import { wordAt } from '../chain/words.ts'
import { Refusal, Unavailable } from '../errors.ts'
import { awaitOutcome, hashNames } from '../settle/await-outcome.ts'
import type { Draft } from '../chain/draft.ts'
import type { Expectation } from '../chain/expectation.ts'
import type { Outcome } from '../store/intents.ts'
import type { Context } from '../http/context.ts'
import { readAddress, readHex32, readOptionalText, readRecord } from '../wire/read.ts'
import { checkProof, readProof, refused } from './payment-proof.ts'
import { encodeCall, type RegistryCall } from './contract-calls.ts'
import { readFeedback } from './feedback-fields.ts'
import { readAgentId, readRatingTarget, readRegistryTarget, type RegistryTarget } from './network.ts'

export type IdentityRequest = {
  /** What may stand behind one write only. */
  readonly onceKey?: string
  readonly value: unknown
  readonly requestHash: string
  readonly idempotencyKey: string | undefined
}

const feedbackKeys = new Set(['x402Version', 'network', 'feedback'])

/** A rating whose author on chain is this facilitator. */
export async function giveFeedback(request: IdentityRequest, context: Context): Promise<object> {
  const body = readRecord(request.value, 'body', feedbackKeys)
  const target = readRatingTarget(body['network'], context.networks)
  const feedback = readFeedback(body['feedback'])
  const fields = body['feedback'] as { readonly rater?: unknown; readonly proof?: unknown } // readFeedback has seen an object
  const proof = readProof(fields.proof)
  const rater = fields.rater === undefined ? undefined : readAddress(fields.rater, 'feedback.rater')
  if (proof !== undefined) await checkProof(proof, rater, feedback.agentId, target, context.networks)
  const { reputation } = target.registries
  const once = proof === undefined ? {} : { onceKey: `proof:${proof.transactionHash}` }
  const outcome = await call({ ...request, ...once }, context, target, 'feedback', reputation, {
    abi: reputationRegistryAbi, functionName: 'giveFeedback',
    args: [feedback.agentId, feedback.value, feedback.valueDecimals, feedback.tag1, feedback.tag2, feedback.endpoint, feedback.feedbackUri, feedback.feedbackHash],
  }, expectFeedback(reputation, feedback.agentId, context.account))
  return { success: true, ...hashNames(outcome.transaction), feedbackIndex: feedbackIndexOf(outcome), network: target.name, ...(proof === undefined ? {} : { proof: fields.proof }) }
}

const revokeKeys = new Set(['x402Version', 'network', 'agentId', 'feedbackIndex'])

/** Takes back a rating of this facilitator's own. */
export async function revokeFeedback(request: IdentityRequest, context: Context): Promise<object> {
  const body = readRecord(request.value, 'body', revokeKeys)
  const target = readRegistryTarget(body['network'], context.networks)
  const agentId = readAgentId(body['agentId'], 'agentId')
  const index = readAgentId(body['feedbackIndex'], 'feedbackIndex')
  const { reputation } = target.registries
  const outcome = await call(request, context, target, 'revoke', reputation,
    { abi: reputationRegistryAbi, functionName: 'revokeFeedback', args: [agentId, index] }, expectRevoked(reputation, agentId, context.account, index))
  return { success: true, ...hashNames(outcome.transaction), network: target.name }
}

const responseKeys = new Set(['x402Version', 'network', 'agentId', 'clientAddress', 'feedbackIndex', 'responseUri', 'responseHash'])

/** Appends an answer to somebody's rating. */
export async function respondToFeedback(request: IdentityRequest, context: Context): Promise<object> {
  const body = readRecord(request.value, 'body', responseKeys)
  const target = readRatingTarget(body['network'], context.networks)
  const agentId = readAgentId(body['agentId'], 'agentId')
  const client = readAddress(body['clientAddress'], 'clientAddress')
  const index = readAgentId(body['feedbackIndex'], 'feedbackIndex')
  const uri = readOptionalText(body['responseUri'], 'responseUri', 2_048) ?? ''
  const hash = body['responseHash'] === undefined ? `0x${'0'.repeat(64)}` : readHex32(body['responseHash'], 'responseHash')
  const { reputation } = target.registries
  const outcome = await call(request, context, target, 'response', reputation,
    { abi: reputationRegistryAbi, functionName: 'appendResponse', args: [agentId, client, index, uri, hash] }, expectResponse(reputation, agentId, client))
  return { success: true, ...hashNames(outcome.transaction), network: target.name }
}

async function call(
  request: IdentityRequest, context: Context, target: RegistryTarget, kind: string, to: Address, registryCall: RegistryCall, expectation: Expectation,
): Promise<Outcome> {
  const draft: Draft = {
    kind,
    ...(request.onceKey === undefined ? {} : { onceKey: request.onceKey }),
    sameness: request.requestHash,
    requestHash: request.requestHash,
    ...(request.idempotencyKey === undefined ? {} : { idempotencyKey: request.idempotencyKey }),
    // The registry counts a client's ratings of an agent, so two of them at once are both right.
    conflictKeys: [],
    call: { to, data: await encodeCall(registryCall) },
    expectations: [expectation],
    spent: (transaction) => refused('proof_replayed', { transaction }),
    refuse: (revert) => new Refusal('ContractCall', `Contract call failed: ${revert.reason}`),
  }
  return landed(await awaitOutcome(target.network.pipeline.submit(draft), context))
}

/** The outcome, unless the chain or the node refused. */
export function landed(outcome: Outcome): Outcome {
  if (outcome.failure === undefined) return outcome
  if (outcome.blockNumber === 0) throw new Unavailable('rpc_unavailable', outcome.failure.reason, { details: { broadcast: false } })
  throw new Refusal(outcome.failure.code, `Contract call failed: ${outcome.failure.reason}`, { status: 409, details: hashNames(outcome.transaction) })
}

/** NewFeedback carries the index as its first word. */
export function feedbackIndexOf(outcome: Outcome): number {
  const log = outcome.logs[0]
  return Number(log === undefined ? 0n : wordAt(log.data, 0) ?? 0n)
}
