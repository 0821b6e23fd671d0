import { missingEvent } from '../chain/expectation.ts'
import { Refusal, Unavailable } from '../errors.ts'
import { awaitOutcome, hashNames } from '../settle/await-outcome.ts'
import { planDirect } from '../settle/direct.ts'
import { planEscrow, type SettleRequest } from '../settle/escrow.ts'
import { findKeyed } from '../settle/idempotency.ts'
import { proofOfPayment } from '../settle/proof-of-payment.ts'
import type { Outcome } from '../store/intents.ts'
import { isEscrowScheme, readEnvelope, type Envelope } from '../wire/envelope.ts'
import { readBody, readIdempotencyKey } from './body.ts'
import type { BlockCheck, Context } from './context.ts'
import { ok, type Reply } from './exchange.ts'
import { describeFailure, type Failure } from './failure.ts'
import type { Router } from './router.ts'

export function addSettleRoute(router: Router, context: Context, check: BlockCheck): void {
  router.on('POST', '/settle', async ({ request }) => {
    let envelope: Envelope | undefined
    try {
      const body = readBody(request)
      const settle: SettleRequest = { requestHash: body.requestHash, idempotencyKey: readIdempotencyKey(request) }
      envelope = readEnvelope(body.value)
      const outcome = await settleOnce(envelope, settle, context, check)
      return await answerOutcome(outcome, envelope, context)
    } catch (error) {
      return answerFailure(error, envelope, context)
    }
  })
}

async function settleOnce(envelope: Envelope, settle: SettleRequest, context: Context, check: BlockCheck): Promise<Outcome> {
  try {
    const plan = isEscrowScheme(envelope.scheme)
      ? await planEscrow(envelope, context.networks, settle, context.lifecycle, context.now())
      : await planDirect(envelope, context.networks, settle, context.now())
    check(plan.payer, plan.payee)
    return await awaitOutcome(plan.network.pipeline.submit(plan.draft), context)
  } catch (error) {
    // A repeated request may be past its deadline or its nonce by now; its first answer still stands.
    if (!(error instanceof Refusal) || settle.idempotencyKey === undefined) throw error
    const earlier = await findKeyed(context, settle.idempotencyKey, settle.requestHash)
    if (earlier === undefined) throw error
    return awaitOutcome(earlier, context)
  }
}

async function answerOutcome(outcome: Outcome, envelope: Envelope, context: Context): Promise<Reply> {
  const failure = outcome.failure?.code === missingEvent ? { ...outcome.failure, code: 'ContractCall' } : outcome.failure
  const base = { ...payerOf(envelope), network: envelope.network }
  if (failure === undefined) {
    return ok({ success: true, ...base, ...hashNames(outcome.transaction), ...await proofOfPayment(envelope, outcome, context) })
  }
  if (outcome.blockNumber === 0) {
    throw new Unavailable('rpc_unavailable', failure.reason, { details: { broadcast: false } })
  }
  // Mined and refused by the chain: final, and never a 400, because a transaction exists.
  const errorReason = reasonText(envelope, `${failure.code}: ${failure.reason}`)
  return ok({ success: false, errorReason, errorCode: failure.code, ...base, ...hashNames(outcome.transaction) })
}

function answerFailure(error: unknown, envelope: Envelope | undefined, context: Context): Reply {
  const failure = describeFailure(error, context)
  return { status: failure.status, headers: failure.headers, body: failureBody(failure, envelope, context) }
}

function failureBody(failure: Failure, envelope: Envelope | undefined, context: Context): object {
  const { status, code, details } = failure
  if (status === 403) return { error: failure.text, errorCode: code }
  if (code === 'idempotency_key_conflict') {
    return { error: code, success: false, errorReason: code, errorCode: code, correlation_id: context.surroundings.id(), ...details }
  }
  if (code === 'store_unavailable') {
    const away = 'idempotency_store_unavailable'
    return { error: away, success: false, errorReason: away, errorCode: away, broadcast: false, ...details }
  }
  return {
    success: false, errorReason: status >= 500 ? failure.text : reasonText(envelope, failure.text), errorCode: code,
    ...(status >= 500 ? { broadcast: false } : {}),
    ...(envelope === undefined ? {} : { ...payerOf(envelope), ...(envelope.network === undefined ? {} : { network: envelope.network }) }),
    ...details,
    ...(typeof details['transaction'] === 'string' ? hashNames(details['transaction']) : {}),
  }
}

function reasonText(envelope: Envelope | undefined, text: string): string {
  return isEscrowScheme(envelope?.scheme) ? `Escrow scheme error: ${text}` : text
}

function payerOf(envelope: Envelope): { readonly payer?: string } {
  const payload = envelope.payload as { authorization?: { from?: unknown }; payer?: unknown } | null | undefined
  const payer = payload?.authorization?.from ?? payload?.payer
  return typeof payer === 'string' && payer.length === 42 ? { payer } : {}
}
