import { missingEvent } from '../chain/expectation.ts'
import { Unavailable } from '../errors.ts'
import type { Terms } from '../chain/draft.ts'
import { hashNames } from '../settle/await-outcome.ts'
import { carryOut } from '../settle/carry-out.ts'
import { planDirect } from '../settle/direct.ts'
import { planEscrow } from '../settle/escrow.ts'
import { proofOfPayment } from '../settle/proof-of-payment.ts'
import { counting } from '../settle/standing.ts'
import { networkNameIn } from '../solana/envelope.ts'
import { notServed, settleOnSolana, solanaNamed } from '../solana/routes.ts'
import type { Outcome } from '../store/intents.ts'
import { isEscrowScheme, readEnvelope, type Envelope } from '../wire/envelope.ts'
import { readBody, readTerms, type Body } from './body.ts'
import type { BlockCheck, Context } from './context.ts'
import { ok, type HttpRequest, type Reply } from './exchange.ts'
import { describeFailure, doubt, type Failure } from './failure.ts'
import type { Router } from './router.ts'
import { createTogether, sameKey } from './together.ts'
import { createToldPending } from './told-pending.ts'

export function addSettleRoute(router: Router, context: Context, check: BlockCheck): void {
  const together = createTogether<Reply>()
  const told = createToldPending()
  router.on('POST', '/settle', async ({ request }) => {
    let body: Body
    try {
      body = readBody(request)
    } catch (error) {
      return answerFailure(error, undefined, context)
    }
    return together(sameKey(request, body), () => answer(request, body))
  })

  async function answer(request: HttpRequest, body: Body): Promise<Reply> {
    let envelope: Envelope | undefined
    try {
      const terms = readTerms(request, body.requestHash)
      const solana = solanaNamed(networkNameIn(body.value), context)
      if (solana === 'other') throw notServed()
      if (solana !== undefined) return await settleOnSolana(body.value, terms, solana, context)
      envelope = readEnvelope(body.value)
      const outcome = await settleOnce(envelope, terms, context, check)
      // Whoever joined a payment that was told as pending has its outcome: it is told no second time.
      told.take(body.requestHash, outcome.transaction, context.surroundings.now())
      return await answerOutcome(outcome, envelope, terms, context)
    } catch (error) {
      const failure = describeFailure(error, context)
      return landedSince(failure, envelope, body) ?? replyOf(failure, envelope, context)
    }
  }

  /**
   * A caller that was told to wait asks again with the same bytes, and the payment may have landed in between: then the
   * nonce is spent by its own transaction, and that is its success. Once, or one payment would buy twice.
   */
  function landedSince({ code, details }: Failure, envelope: Envelope | undefined, body: Body): Reply | undefined {
    const { transaction } = details
    if (envelope === undefined || typeof transaction !== 'string') return undefined
    const now = context.surroundings.now()
    if (code === 'settlement_pending') told.note(body.requestHash, transaction, now)
    if (code !== 'nonce_already_used' || !told.take(body.requestHash, transaction, now)) return undefined
    return ok({ success: true, ...payerOf(envelope), network: envelope.network, ...hashNames(transaction) })
  }
}

function settleOnce(envelope: Envelope, terms: Terms, context: Context, check: BlockCheck): Promise<Outcome> {
  return counting(context.standing, (hold) =>
    carryOut(terms, context, async () => {
      const plan = isEscrowScheme(envelope.scheme)
        ? await planEscrow(envelope, context.networks, terms, context.lifecycle, context.now())
        : await planDirect(envelope, context.networks, terms, context.now())
      check(plan.payer, plan.payee)
      await hold('standing' in plan ? plan.standing : undefined)
      return plan.network.pipeline.submit(plan.draft)
    }),
  )
}

async function answerOutcome(outcome: Outcome, envelope: Envelope, terms: Terms, context: Context): Promise<Reply> {
  const failure =
    outcome.failure?.code === missingEvent ? { ...outcome.failure, code: 'ContractCall' } : outcome.failure
  const base = { ...payerOf(envelope), network: envelope.network }
  if (failure === undefined) {
    return ok({
      success: true,
      ...base,
      ...hashNames(outcome.transaction),
      ...(await proofOfPayment(envelope, outcome, context)),
    })
  }
  // A key that is bound to a failure stays so for good.
  const final = terms.idempotencyKey !== undefined
  if (outcome.blockNumber === 0)
    throw new Unavailable('rpc_unavailable', failure.reason, { details: { broadcast: false, final } })
  // Mined and refused by the chain: final, and never a 400, because a transaction exists.
  const errorReason = reasonText(envelope, `${failure.code}: ${failure.reason}`)
  return ok({ success: false, errorReason, errorCode: failure.code, final, ...base, ...hashNames(outcome.transaction) })
}

function answerFailure(error: unknown, envelope: Envelope | undefined, context: Context): Reply {
  return replyOf(describeFailure(error, context), envelope, context)
}

function replyOf(failure: Failure, envelope: Envelope | undefined, context: Context): Reply {
  return { status: failure.status, headers: failure.headers, body: failureBody(failure, envelope, context) }
}

function failureBody(failure: Failure, envelope: Envelope | undefined, context: Context): object {
  const { status, code, details } = failure
  if (status === 403) return { error: failure.text, errorCode: code, ...doubt(failure) }
  if (code === 'idempotency_key_conflict') {
    return {
      error: code,
      success: false,
      errorReason: code,
      errorCode: code,
      correlation_id: context.surroundings.id(),
      final: false,
      ...details,
    }
  }
  return {
    success: false,
    errorReason: status >= 500 ? failure.text : reasonText(envelope, failure.text),
    errorCode: code,
    ...doubt(failure),
    ...(envelope === undefined
      ? {}
      : { ...payerOf(envelope), ...(envelope.network === undefined ? {} : { network: envelope.network }) }),
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
  return typeof payer === 'string' && payer.length === 42 ? { payer: payer.toLowerCase() } : {}
}
