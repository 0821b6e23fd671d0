import {
  type Address,
  bytesToHex,
  delegateOf,
  expectFeedback,
  type Hex,
  keccak256Hex,
  ratingDelegateAbi,
  type RelayedGiveFeedback,
  relayedGiveFeedbackDigest,
  relayedGiveFeedbackTypedData,
  relayMaxAheadSec,
  type SignedAuthorization,
} from '@ergon/protocols'
import { Refusal, Unavailable } from '../errors.ts'
import type { Context } from '../http/context.ts'
import type { ServedNetwork } from '../network/served-network.ts'
import type { Terms } from '../chain/draft.ts'
import { hashNames } from '../settle/await-outcome.ts'
import { carryOut } from '../settle/carry-out.ts'
import { isSignedBy } from '../verify/signature.ts'
import { readAddress, readHex, readHex32, readInteger, readRecord } from '../wire/read.ts'
import { encodeCall, readContract } from './contract-calls.ts'
import { feedbackIndexOf, spendGas } from './feedback.ts'
import { landed } from './landed.ts'
import { gasOfFeedback, readFeedback, type Feedback } from './feedback-fields.ts'
import { readRatingTarget, type RegistryTarget } from './network.ts'
import { checkPaymentBehind, readPaymentBehind, type PaymentBehind } from './payment-behind.ts'
import { judgeAuthorization, readDelegation } from './relay-authorization.ts'

/** Signers have ten minutes; the ceiling is fifteen (facts §3.1, §4.3). */
const deadlineAheadSec = 600
const prepareKeys = ['x402Version', 'network', 'rater', 'feedback']

type RelayTarget = RegistryTarget & { readonly delegate: Address }
type RaterState = { readonly delegated: boolean; readonly accountNonce: number }

/** What a rater signs so that the registry sees the rater, not this facilitator (EIP-7702 delegate, version 4). */
export async function prepareRelay(value: unknown, context: Context): Promise<object> {
  const body = readRecord(value, 'body', prepareKeys)
  const target = readTarget(body['network'], context)
  const rater = readAddress(body['rater'], 'rater')
  const feedback = readFeedback(body['feedback'])
  const state = await readRater(target.network, rater, target.delegate)
  const deadline = context.now() + deadlineAheadSec
  const message = messageOf(target, feedback, deadline, newNonce(context))
  const domain = { chainId: target.network.chainId, verifyingContract: rater }
  return {
    network: target.name,
    chainId: target.network.chainId,
    registry: target.registries.reputation,
    rater,
    digest: bytesToHex(relayedGiveFeedbackDigest(domain, message)),
    typedData: relayedGiveFeedbackTypedData(domain, message),
    deadline,
    nonce: message.nonce,
    delegated: state.delegated,
    delegate: target.delegate,
    accountNonce: state.accountNonce,
  }
}

const submitKeys = [
  'x402Version',
  'network',
  'rater',
  'feedback',
  'deadline',
  'nonce',
  'signature',
  'authorization',
  'payment',
]

/**
 * Sends the rater's rating in the rater's name. The struct is rebuilt from the declared fields; nothing signed is taken
 * on trust.
 */
export async function submitRelay(value: unknown, terms: Terms, context: Context): Promise<object> {
  const body = readRecord(value, 'body', submitKeys)
  const target = readTarget(body['network'], context)
  const rater = readAddress(body['rater'], 'rater')
  const feedback = readFeedback(body['feedback'])
  const message = messageOf(
    target,
    feedback,
    readInteger(body['deadline'], 'deadline'),
    readHex32(body['nonce'], 'nonce'),
  )
  const signature = readHex(body['signature'], 'signature', 65)
  const authorization = readDelegation(body['authorization'])
  const payment = readPaymentBehind(body['payment'])
  const digest = relayedGiveFeedbackDigest({ chainId: target.network.chainId, verifyingContract: rater }, message)
  const outcome = landed(
    await carryOut(terms, context, async () => {
      const now = context.now()
      if (message.deadline <= now) throw refused('relay_expired', 'the deadline has passed')
      if (message.deadline > now + relayMaxAheadSec)
        throw refused('relay_deadline_too_far', `the deadline may be at most ${relayMaxAheadSec} seconds ahead`)
      if (!isSignedBy(digest, signature, rater))
        throw refused('relay_bad_signature', 'the rating is not signed by its rater')
      await checkPaid(payment, rater, feedback, target, context)
      const used = await checkRater(target, rater, message.nonce, authorization)
      await spendGas(terms, context, { gas: gasOfFeedback(feedback), wallet: rater })
      const args = [{ ...message, deadline: BigInt(message.deadline) }, signature]
      return target.network.pipeline.submit({
        ...terms,
        kind: 'relay',
        onceKey: `relay:${rater}:${message.nonce}`,
        sameness: bytesToHex(digest),
        // An authorization counts the rater's account nonce up; two at once would void each other.
        conflictKeys: [`rater:${rater}`],
        call: {
          to: rater,
          data: await encodeCall({ abi: ratingDelegateAbi, functionName: 'relayGiveFeedback', args }),
          ...(authorization === undefined || used ? {} : { authorizationList: [authorization] }),
        },
        expectations: [expectFeedback(target.registries.reputation, feedback.agentId, rater)],
        spent: (transaction) => refused('relay_nonce_already_used', 'this rating was relayed before', { transaction }),
        refuse: (revert) =>
          refused(
            revert.code === 'nonce_already_used' ? 'relay_nonce_already_used' : 'ContractCall',
            `Contract call failed: ${revert.reason}`,
          ),
      })
    }),
    terms,
  )
  return {
    success: true,
    ...hashNames(outcome.transaction),
    feedbackIndex: feedbackIndexOf(outcome),
    author: rater,
    network: target.name,
  }
}

/**
 * Whoever rates paid the agent that is rated, or was paid by it: the gas of other ratings is not ours to pay (decision
 * 0093).
 */
async function checkPaid(
  payment: PaymentBehind | undefined,
  rater: Address,
  { agentId }: Feedback,
  target: RelayTarget,
  context: Context,
): Promise<void> {
  if (payment === undefined) throw refused('proof_missing', 'a rating needs the payment behind it')
  if (payment.payer !== rater && payment.payee !== rater)
    throw refused('proof_payer_is_not_rater', 'the rater is no side of the payment')
  await checkPaymentBehind(payment, agentId, target, context)
}

/** 32 bytes that no other rating has. */
function newNonce({ surroundings }: Context): Hex {
  return keccak256Hex(new TextEncoder().encode(surroundings.id() + surroundings.id()))
}

function readTarget(network: unknown, context: Context): RelayTarget {
  const target = readRatingTarget(network, context.networks)
  const delegate = target.registries.ratingDelegate
  if (delegate === undefined) throw refused('relay_no_delegate', `Network ${target.name} has no rating delegate`)
  return { ...target, delegate }
}

function messageOf(target: RegistryTarget, feedback: Feedback, deadline: number, nonce: Hex): RelayedGiveFeedback {
  const { agentId, value, valueDecimals, tag1, tag2, endpoint, feedbackUri, feedbackHash } = feedback
  return {
    registry: target.registries.reputation,
    agentId,
    value,
    valueDecimals,
    tag1,
    tag2,
    endpoint,
    feedbackURI: feedbackUri,
    feedbackHash,
    deadline,
    nonce,
  }
}

/** True when the rater's account already runs the delegate, so that no authorization is needed. */
async function checkRater(
  target: RelayTarget,
  rater: Address,
  nonce: Hex,
  authorization: SignedAuthorization | undefined,
): Promise<boolean> {
  const { network, delegate } = target
  const state = await readRater(network, rater, delegate)
  if (state.delegated) {
    const [used] = await readContract(network.rpc, rater, [
      { abi: ratingDelegateAbi, functionName: 'nonceUsed', args: [nonce] },
    ])
    if (used === true) throw refused('relay_nonce_already_used', 'this rating was relayed before')
    return true
  }
  const fault = judgeAuthorization(authorization, {
    rater,
    delegate,
    chainId: network.chainId,
    accountNonce: state.accountNonce,
  })
  if (fault !== undefined) throw refused(fault, 'the delegation is not usable')
  return false
}

async function readRater(network: ServedNetwork, rater: Address, delegate: Address): Promise<RaterState> {
  const [code, count] = await network.rpc.batch([
    { method: 'eth_getCode', params: [rater, 'latest'] },
    { method: 'eth_getTransactionCount', params: [rater, 'latest'] },
  ])
  if (typeof code?.result !== 'string' || typeof count?.result !== 'string')
    throw new Unavailable('rpc_unavailable', 'relay_rpc_unavailable', { details: { broadcast: false } })
  const delegated = delegateOf(code.result as Hex)?.toLowerCase() === delegate
  if (code.result !== '0x' && !delegated) throw refused('relay_foreign_delegation', 'the account runs other code')
  return { delegated, accountNonce: Number(count.result) }
}

function refused(code: string, text: string, details: Readonly<Record<string, unknown>> = {}): Refusal {
  return new Refusal(code, text, { details })
}
