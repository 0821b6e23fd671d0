import { Refusal } from '../errors.ts'
import {
  judgeEscrowAuthorization,
  readAction,
  requireSigned,
  simulateAuthorize,
  unknownAction,
} from '../verify/escrow.ts'
import { judgeExact, simulateExact } from '../verify/exact.ts'
import { networkNameIn } from '../solana/envelope.ts'
import { solanaNamed, verifyOnSolana } from '../solana/routes.ts'
import { isEscrowScheme, readEnvelope, type Envelope } from '../wire/envelope.ts'
import { readBody } from './body.ts'
import type { BlockCheck, Context } from './context.ts'
import { ok, type Reply } from './exchange.ts'
import { describeFailure } from './failure.ts'
import type { Router } from './router.ts'

type Verdict = {
  readonly isValid: boolean
  readonly invalidReason?: string
  readonly invalidMessage?: string
  readonly errorCode?: string
  readonly payer?: string
}

export function addVerifyRoute(router: Router, context: Context, check: BlockCheck): void {
  router.on('POST', '/verify', async ({ request }) => {
    try {
      const { value } = readBody(request)
      const solana = solanaNamed(networkNameIn(value), context)
      if (solana === 'other') return ok({ isValid: false, invalidReason: 'invalid_network' })
      if (solana !== undefined) return await verifyOnSolana(value, solana)
      const envelope = readEnvelope(value)
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
  const fault = verdict.reason === undefined ? await simulateExact(verdict.payment) : { reason: verdict.reason }
  if (fault === undefined) return { isValid: true, ...payer }
  const { reason: invalidReason, message: invalidMessage } = fault
  return { isValid: false, invalidReason, ...(invalidMessage === undefined ? {} : { invalidMessage }), ...payer }
}

async function verifyEscrow(envelope: Envelope, context: Context, check: BlockCheck): Promise<Verdict> {
  let payer: string | undefined
  try {
    const action = readAction(envelope)
    if (action !== 'authorize') throw unknownAction(`verify answers for authorize alone, and not for ${action}`)
    const judged = judgeEscrowAuthorization(envelope, context.networks, context.now())
    const { info } = judged
    payer = info.payer
    check(info.payer, info.receiver)
    const refusal = await simulateAuthorize(await requireSigned(judged))
    if (refusal !== undefined) throw refusal
    return { isValid: true, payer }
  } catch (error) {
    if (!(error instanceof Refusal) || error.status !== 400 || malformedCodes.has(error.code)) throw error
    return {
      isValid: false,
      invalidReason: plainReasons[error.code] ?? error.message,
      errorCode: error.code,
      ...(payer === undefined ? {} : { payer }),
    }
  }
}

/** In the words of the reference, whatever the contract says (facts §2.2). */
const plainReasons: Readonly<Record<string, string>> = {
  insufficient_balance: 'insufficient_funds',
  nonce_already_used: 'nonce_already_used',
}

const malformedCodes = new Set(['invalid_payload', 'invalid_x402_version'])

function answerFailure(error: unknown, context: Context): Reply {
  const { status, headers, text, code, details } = describeFailure(error, context)
  if (status === 403) return { status, body: { error: text, errorCode: code } }
  const invalidReason = status >= 500 ? 'verification_unavailable' : code
  return { status, headers, body: { isValid: false, invalidReason, error: text, errorCode: code, ...details } }
}
