import {
  type Address,
  type ExpectedEvent,
  expectFeedback,
  expectResponse,
  expectRevoked,
  reputationRegistryAbi,
  wordAt,
} from '@ergon/protocols'
import { Refusal } from '../errors.ts'
import { hashNames } from '../settle/await-outcome.ts'
import { carryOut, findBound } from '../settle/carry-out.ts'
import { gasOfRating } from '../gas/gas-budget.ts'
import type { Terms } from '../chain/draft.ts'
import type { Outcome } from '../store/intents.ts'
import type { Context } from '../http/context.ts'
import { readAddress, readHex32, readOptionalText, readRecord } from '../wire/read.ts'
import { checkPaymentBehind, readPaymentBehind } from './payment-behind.ts'
import { checkProof, readProof, refused } from './payment-proof.ts'
import { encodeCall, type RegistryCall } from './contract-calls.ts'
import { landed } from './landed.ts'
import { gasOfFeedback, readFeedback } from './feedback-fields.ts'
import { readAgentId, readFeedbackIndex, readRatingTarget, readRegistryTarget, type RegistryTarget } from './network.ts'

const feedbackKeys = ['x402Version', 'network', 'feedback']

/** A rating whose author on chain is this facilitator: it is about a payment between its sides. */
export async function giveFeedback(value: unknown, terms: Terms, context: Context): Promise<object> {
  const body = readRecord(value, 'body', feedbackKeys)
  const target = readRatingTarget(body['network'], context.networks)
  const feedback = readFeedback(body['feedback'])
  const fields = body['feedback'] as { readonly rater?: unknown; readonly proof?: unknown; readonly payment?: unknown } // readFeedback has seen an object
  const proof = readProof(fields.proof)
  const payment = readPaymentBehind(fields.payment)
  const paid = proof ?? payment
  const rater = fields.rater === undefined ? undefined : readAddress(fields.rater, 'feedback.rater')
  const { reputation } = target.registries
  const { agentId, tag1, tag2, endpoint, feedbackUri, feedbackHash } = feedback
  const args = [agentId, feedback.value, feedback.valueDecimals, tag1, tag2, endpoint, feedbackUri, feedbackHash]
  const outcome = await write(
    terms,
    context,
    {
      target,
      kind: 'feedback',
      to: reputation,
      call: { abi: reputationRegistryAbi, functionName: 'giveFeedback', args },
      expectation: expectFeedback(reputation, agentId, context.account),
    },
    {
      // A rating by this facilitator without a payment would be anybody's to write (decision 0093).
      ...(paid === undefined
        ? {}
        : {
            // Shown in either form, it is one payment.
            onceKey: `payment:${paid.transactionHash}:${agentId.toString()}`,
            wallet: paid.payer,
          }),
      gas: gasOfFeedback(feedback),
      async check() {
        if (paid === undefined) throw refused('proof_missing')
        if (proof !== undefined) await checkProof(proof, rater, agentId, target, context.networks)
        if (payment !== undefined) await checkPaymentBehind(payment, agentId, target, context)
      },
    },
  )
  return {
    success: true,
    ...hashNames(outcome.transaction),
    feedbackIndex: feedbackIndexOf(outcome),
    network: target.name,
    ...(proof === undefined ? {} : { proof: fields.proof }),
  }
}

const revokeKeys = ['x402Version', 'network', 'agentId', 'feedbackIndex']

/** Takes back a rating of this facilitator's own. */
export async function revokeFeedback(value: unknown, terms: Terms, context: Context): Promise<object> {
  const body = readRecord(value, 'body', revokeKeys)
  const target = readRegistryTarget(body['network'], context.networks)
  const agentId = readAgentId(body['agentId'], 'agentId')
  const index = readFeedbackIndex(body['feedbackIndex'], 'feedbackIndex')
  const { reputation } = target.registries
  const outcome = await write(
    terms,
    context,
    {
      target,
      kind: 'revoke',
      to: reputation,
      call: { abi: reputationRegistryAbi, functionName: 'revokeFeedback', args: [agentId, index] },
      expectation: expectRevoked(reputation, agentId, context.account, index),
    },
    { gas: gasOfRating({ stored: 0, logged: 0 }) },
  )
  return { success: true, ...hashNames(outcome.transaction), network: target.name }
}

const responseKeys = [
  'x402Version',
  'network',
  'agentId',
  'clientAddress',
  'feedbackIndex',
  'responseUri',
  'responseHash',
  'payment',
]

/** Appends an answer to a rating, once for a payment of which the rated agent is one side (decision 0093). */
export async function respondToFeedback(value: unknown, terms: Terms, context: Context): Promise<object> {
  const body = readRecord(value, 'body', responseKeys)
  const target = readRatingTarget(body['network'], context.networks)
  const agentId = readAgentId(body['agentId'], 'agentId')
  const client = readAddress(body['clientAddress'], 'clientAddress')
  const index = readFeedbackIndex(body['feedbackIndex'], 'feedbackIndex')
  const uri = readOptionalText(body['responseUri'], 'responseUri', 2_048) ?? ''
  const hash =
    body['responseHash'] === undefined ? `0x${'0'.repeat(64)}` : readHex32(body['responseHash'], 'responseHash')
  const payment = readPaymentBehind(body['payment'])
  const { reputation } = target.registries
  const outcome = await write(
    terms,
    context,
    {
      target,
      kind: 'response',
      to: reputation,
      call: { abi: reputationRegistryAbi, functionName: 'appendResponse', args: [agentId, client, index, uri, hash] },
      expectation: expectResponse(reputation, agentId, client),
    },
    {
      ...(payment === undefined
        ? {}
        : {
            onceKey: `response:${payment.transactionHash}:${agentId.toString()}:${client}:${index.toString()}`,
            wallet: payment.payer,
          }),
      gas: gasOfRating({ stored: 0, logged: Buffer.byteLength(uri) }),
      async check() {
        if (payment === undefined) throw refused('proof_missing')
        await checkPaymentBehind(payment, agentId, target, context)
      },
    },
  )
  return { success: true, ...hashNames(outcome.transaction), network: target.name }
}

type Ask = {
  readonly target: RegistryTarget
  readonly kind: string
  readonly to: Address
  readonly call: RegistryCall
  readonly expectation: ExpectedEvent
}

/**
 * `check` runs first and may refuse. `onceKey` names what may stand behind one write only. `gas`, the most that the
 * write costs, is counted against `wallet`.
 */
type WriteRules = {
  readonly onceKey?: string
  readonly check?: () => Promise<void>
  readonly gas: number
  readonly wallet?: string
}

/** Counts the gas of a write that no key is bound to yet. */
export async function spendGas(
  terms: Terms,
  context: Context,
  { gas, wallet }: Pick<WriteRules, 'gas' | 'wallet'>,
): Promise<void> {
  if (context.gas === undefined || (await findBound(terms, context)) !== undefined) return
  await context.gas.take({ of: 'ratings', gas, wallet }, terms)
}

/** Sends a registry call. */
async function write(terms: Terms, context: Context, ask: Ask, rules: WriteRules): Promise<Outcome> {
  return landed(
    await carryOut(terms, context, async () => {
      await rules.check?.()
      await spendGas(terms, context, rules)
      return ask.target.network.pipeline.submit({
        ...terms,
        kind: ask.kind,
        ...(rules.onceKey === undefined ? {} : { onceKey: rules.onceKey }),
        sameness: terms.requestHash,
        // The registry counts a client's ratings of an agent, so two of them at once are both right.
        conflictKeys: [],
        call: { to: ask.to, data: await encodeCall(ask.call) },
        expectations: [ask.expectation],
        spent: (transaction) => refused('proof_replayed', { transaction }),
        refuse: (revert) => new Refusal('ContractCall', `Contract call failed: ${revert.reason}`),
      })
    }),
    terms,
  )
}

/** NewFeedback carries the index as its first word. */
export function feedbackIndexOf(outcome: Outcome): number {
  const log = outcome.logs[0]
  return Number(log === undefined ? 0n : (wordAt(log.data, 0) ?? 0n))
}
