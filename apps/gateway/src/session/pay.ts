import { createHash, randomUUID } from 'node:crypto'
import { isProved, isSignedVoucher, receiptHeader, type SessionAction, type SignedVoucher } from '@ergon/channels'
import type { Endpoint } from '../config/endpoints.ts'
import { Refusal, unavailable, unpaid } from '../errors.ts'
import { isCharged } from '../rules/admission.ts'
import { readChannel } from '../store/channels.ts'
import { chargeCall, claimCall, releaseCall, type Answer, type Claim, type Standing } from '../store/deliveries.ts'
import {
  UpstreamFailure,
  type UpstreamAnswer,
  type UpstreamRequest,
  type Upstreams,
} from '../upstream/call-upstream.ts'
import { answeredHeaders } from '../upstream/headers.ts'
import type { OwnChallenge } from './challenges.ts'
import type { SessionDeps } from './deps.ts'

type PayAction = Extract<SessionAction, { readonly action: 'voucher' | 'use' }>

/** A call of a buyer with the credential it is paid with. */
export type PaidCall = {
  readonly action: PayAction
  readonly challenge: OwnChallenge
  readonly endpoint: Endpoint
  /** Without it a client's voucher is its own key, and a call that the operator signs for has none. */
  readonly idempotencyKey: string | undefined
  readonly request: Omit<UpstreamRequest, 'endpoint'>
}

/** What goes back to the buyer. A receipt is there where the call was charged. */
export type PaidAnswer = {
  readonly answer: Answer
  readonly rest: UpstreamAnswer['rest']
  readonly receipt: string | undefined
  readonly claim: Claim | undefined
}

/** As much of an answer is read before it is charged, and kept for whoever asks again. */
export const keptBytes = 65_536
/** What a call needs beyond its upstream: booking it. */
const leaseMarginMs = 15_000

/**
 * Lets a call through, asks the upstream, charges what it answered, and keeps the answer: in this order, each step
 * durable before the next. What the upstream refuses or never answers is given back.
 *
 * @throws Refusal; whatever it throws has cost nothing.
 */
export async function payCall(deps: SessionDeps, upstreams: Upstreams, call: PaidCall): Promise<PaidAnswer> {
  const { channelId, signed } = await proven(deps, call)
  const { endpoint, request } = call
  const claimed = await claimCall(deps.database, {
    channelId,
    seller: endpoint.payee,
    key: call.idempotencyKey ?? (signed === undefined ? randomUUID() : `voucher-${signed.voucher.cumulative}`),
    requestHash: hashOf(request),
    path: request.path,
    price: endpoint.price,
    signed,
    mostInFlight: deps.config.seats.channel,
    leaseMs: deps.config.upstreamMs.answer + leaseMarginMs,
  })
  const receiptOf = (standing: Standing): string =>
    receiptHeader({
      channelId,
      timestamp: new Date().toISOString(),
      challengeId: call.challenge.id,
      acceptedCumulative: standing.accepted,
      spent: standing.spent,
      idleTimeoutSec: deps.config.idleSec,
    })
  if (claimed.kind === 'charged') {
    const receipt = receiptOf(claimed.standing)
    if (claimed.answer === undefined)
      throw new Refusal(410, 'answer_not_kept', 'the call was charged, and its answer is not kept any more', {
        details: { receipt },
      })
    return { answer: claimed.answer, rest: undefined, receipt, claim: undefined }
  }
  return ask(deps, upstreams, { call, claim: claimed.claim, receiptOf })
}

/** Whose call it is, by its signature. */
async function proven(
  deps: SessionDeps,
  { action }: PaidCall,
): Promise<{ readonly channelId: string; readonly signed: SignedVoucher | undefined }> {
  const channelId = action.action === 'use' ? action.channelId : action.signed.voucher.channelId
  const channel = await readChannel(deps.database.query, channelId)
  if (channel === undefined) throw unpaid('channel_not_found', 'no channel of this gateway has that id')
  if (action.action === 'use') {
    if (action.proof.payer !== channel.payer || !isProved(channelId, action.proof))
      throw unpaid('proof_refused', "the proof is not of the channel's payer")
    return { channelId, signed: undefined }
  }
  const { signed, signer } = action
  if (signer !== channel.authorizedSigner) throw unpaid('wrong_signer', 'another key signs vouchers of this channel')
  if (!isSignedVoucher(signed.voucher, signed.signature, signer))
    throw unpaid('voucher_not_signed', "the voucher's signature is not of its bytes")
  return { channelId, signed }
}

async function ask(
  deps: SessionDeps,
  upstreams: Upstreams,
  { call, claim, receiptOf }: { call: PaidCall; claim: Claim; receiptOf: (standing: Standing) => string },
): Promise<PaidAnswer> {
  const { endpoint, request } = call
  let said: UpstreamAnswer
  try {
    said = await upstreams.call({ ...request, endpoint })
  } catch (error) {
    await giveBack(deps, claim)
    throw refusalOf(error)
  }
  const body = said.rest === undefined ? said.head : undefined
  const answer = { status: said.status, headers: answeredHeaders(said.headers), body }
  if (!isCharged(said.status)) {
    await giveBack(deps, claim)
    return { answer: { ...answer, body: said.head }, rest: said.rest, receipt: undefined, claim: undefined }
  }
  try {
    const standing = await chargeCall(deps.database, claim, answer, deps.secrets.voucher.seed)
    if (standing === undefined) throw unavailable('the call took longer than it may, and was not charged')
    return { answer: { ...answer, body: said.head }, rest: said.rest, receipt: receiptOf(standing), claim }
  } catch (error) {
    // Whether it was charged is not known: nothing is given back here, and the same key finds out.
    said.rest?.destroy()
    throw error
  }
}

/** Where that fails too, the lease runs out by itself. */
async function giveBack({ database, log }: SessionDeps, claim: Claim): Promise<void> {
  await releaseCall(database, claim).catch((error: unknown) => {
    log.warn({ err: error }, 'a call without an answer could not be given back at once')
  })
}

const kinds = {
  unreachable: [502, 'upstream_unreachable'],
  timeout: [504, 'upstream_timeout'],
  broken: [502, 'upstream_broken'],
  too_large: [502, 'upstream_too_large'],
} as const

function refusalOf(error: unknown): unknown {
  if (!(error instanceof UpstreamFailure)) return error
  const [status, code] = kinds[error.kind]
  return new Refusal(status, code, `${error.message}: nothing is charged`, { cause: error })
}

function hashOf({ method, path, body }: PaidCall['request']): string {
  return createHash('sha256').update(`${method} ${path}\n`).update(body).digest('hex')
}
