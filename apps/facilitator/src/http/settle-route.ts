import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
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
import type { Context } from './context.ts'
import { describeFailure } from './failure.ts'

type BlockCheck = (...addresses: readonly (string | undefined)[]) => void

export function addSettleRoute(app: FastifyInstance, context: Context, check: BlockCheck): void {
  app.post('/settle', async (request: FastifyRequest, reply: FastifyReply) => {
    let envelope: Envelope | undefined
    try {
      const body = readBody(request)
      const settle: SettleRequest = { requestHash: body.requestHash, idempotencyKey: readIdempotencyKey(request) }
      envelope = readEnvelope(body.value)
      const outcome = await settleOnce(envelope, settle, context, check)
      return await answerOutcome(outcome, envelope, reply, context)
    } catch (error) {
      return answerFailure(error, envelope, reply, context)
    }
  })
}

async function settleOnce(envelope: Envelope, settle: SettleRequest, context: Context, check: BlockCheck): Promise<Outcome> {
  try {
    const plan = isEscrowScheme(envelope.scheme)
      ? await planEscrow(envelope, context.networks, settle, context.lifecycle, context.now())
      : await planDirect(envelope, context.networks, settle, context.now())
    check(plan.payer, plan.payee)
    return await awaitOutcome(plan.network.pipeline.submit(plan.draft), context.settleWaitMs)
  } catch (error) {
    // A repeated request may be past its deadline or its nonce by now; its first answer still stands.
    if (!(error instanceof Refusal) || settle.idempotencyKey === undefined) throw error
    const earlier = await findKeyed(context, settle.idempotencyKey, settle.requestHash)
    if (earlier === undefined) throw error
    return awaitOutcome(earlier, context.settleWaitMs)
  }
}

async function answerOutcome(outcome: Outcome, envelope: Envelope, reply: FastifyReply, context: Context): Promise<object> {
  const failure = outcome.failure?.code === missingEvent ? { ...outcome.failure, code: 'ContractCall' } : outcome.failure
  const base = { ...payerOf(envelope), network: envelope.network }
  if (failure === undefined) {
    return { success: true, ...base, ...hashNames(outcome.transaction), ...await proofOfPayment(envelope, outcome, context.networks) }
  }
  if (outcome.blockNumber === 0) {
    throw new Unavailable('rpc_unavailable', failure.reason, { details: { broadcast: false } })
  }
  // Mined and refused by the chain: final, and never a 400, because a transaction exists.
  reply.code(200)
  return { success: false, errorReason: reasonText(envelope, `${failure.code}: ${failure.reason}`), errorCode: failure.code, ...base, ...hashNames(outcome.transaction) }
}

function answerFailure(error: unknown, envelope: Envelope | undefined, reply: FastifyReply, context: Context): object {
  const failure = describeFailure(error, reply, context.log)
  reply.code(failure.status)
  if (failure.status === 403) return { error: failure.text, errorCode: failure.code }
  if (failure.code === 'idempotency_key_conflict') return { error: failure.code, success: false, errorReason: failure.code, errorCode: failure.code, correlation_id: reply.request.id, ...failure.details }
  if (failure.code === 'store_unavailable') {
    return { error: 'idempotency_store_unavailable', success: false, errorReason: 'idempotency_store_unavailable', errorCode: 'idempotency_store_unavailable', broadcast: false, ...failure.details }
  }
  const text = failure.status >= 500 ? failure.text : reasonText(envelope, failure.text)
  return {
    success: false, errorReason: text, errorCode: failure.code,
    ...(failure.status >= 500 ? { broadcast: false } : {}),
    ...(envelope === undefined ? {} : { ...payerOf(envelope), ...(envelope.network === undefined ? {} : { network: envelope.network }) }),
    ...failure.details,
    ...(typeof failure.details['transaction'] === 'string' ? hashNames(failure.details['transaction']) : {}),
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
