import { Refusal } from '../errors.ts'
import { judgeEscrowAuthorization, requireSigned } from '../verify/escrow.ts'
import { checkExactOnChain, judgeExact } from '../verify/exact.ts'
import { isEscrowScheme, readEnvelope, type Envelope } from '../wire/envelope.ts'
import { readBody } from './body.ts'
import type { BlockCheck, Context } from './context.ts'
import { ok, type Reply } from './exchange.ts'
import { describeFailure } from './failure.ts'
import type { Router } from './router.ts'

type Verdict = {
  readonly isValid: boolean
  readonly invalidReason?: string
  readonly errorCode?: string
  readonly payer?: string
}

export function addVerifyRoute(router: Router, context: Context, check: BlockCheck): void {
  router.on('POST', '/verify', async ({ request }) => {
    try {
      const envelope = readEnvelope(readBody(request).value)
      return ok(
        isEscrowScheme(envelope.scheme)
          ? await verifyEscrow(envelope, context, check)
          : await verifyExact(envelope, context, check),
      )
    } catch (error) {
      return answerFailure(error, context)
    }
  })
}

async function verifyExact(envelope: Envelope, context: Context, check: BlockCheck): Promise<Verdict> {
  const verdict = judgeExact(envelope, context.networks, context.now())
  check(verdict.payer, envelope.requirements?.payTo)
  const payer = verdict.payer === undefined ? {} : { payer: verdict.payer }
  const reason = verdict.reason ?? (await checkExactOnChain(verdict.payment))
  return reason === undefined ? { isValid: true, ...payer } : { isValid: false, invalidReason: reason, ...payer }
}

async function verifyEscrow(envelope: Envelope, context: Context, check: BlockCheck): Promise<Verdict> {
  let payer: string | undefined
  try {
    const payment = judgeEscrowAuthorization(envelope, context.networks, context.now())
    const { network, info, authorization } = payment
    payer = info.payer
    check(info.payer, info.receiver)
    await requireSigned(payment)
    const state = await network.states.read(info.token, info.payer, authorization.nonce)
    if (state.nonceUsed) throw new Refusal('nonce_already_used', 'nonce_already_used')
    if (state.balance < authorization.value) throw new Refusal('insufficient_balance', 'insufficient_funds')
    return { isValid: true, payer }
  } catch (error) {
    if (!(error instanceof Refusal) || error.status !== 400 || malformedCodes.has(error.code)) throw error
    return {
      isValid: false,
      invalidReason: error.message,
      errorCode: error.code,
      ...(payer === undefined ? {} : { payer }),
    }
  }
}

const malformedCodes = new Set(['invalid_payload', 'invalid_x402_version'])

function answerFailure(error: unknown, context: Context): Reply {
  const { status, headers, text, code, details } = describeFailure(error, context)
  if (status === 403) return { status, body: { error: text, errorCode: code } }
  const invalidReason = status >= 500 ? 'verification_unavailable' : code
  return { status, headers, body: { isValid: false, invalidReason, error: text, errorCode: code, ...details } }
}
