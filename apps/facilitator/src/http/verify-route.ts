import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { Refusal } from '../errors.ts'
import { judgeEscrowAuthorization, requireSigned } from '../verify/escrow.ts'
import { checkExactOnChain, judgeExact } from '../verify/exact.ts'
import { isEscrowScheme, readEnvelope, type Envelope } from '../wire/envelope.ts'
import { readBody } from './body.ts'
import type { Context } from './context.ts'
import { describeFailure } from './failure.ts'

type Verdict = { readonly isValid: boolean; readonly invalidReason?: string; readonly errorCode?: string; readonly payer?: string }
type BlockCheck = (...addresses: readonly (string | undefined)[]) => void

export function addVerifyRoute(app: FastifyInstance, context: Context, check: BlockCheck): void {
  app.post('/verify', async (request: FastifyRequest, reply: FastifyReply) => {
    try {
      const envelope = readEnvelope(readBody(request).value)
      return isEscrowScheme(envelope.scheme) ? await verifyEscrow(envelope, context, check) : await verifyExact(envelope, context, check)
    } catch (error) {
      return answerFailure(error, reply, context)
    }
  })
}

async function verifyExact(envelope: Envelope, context: Context, check: BlockCheck): Promise<Verdict> {
  const verdict = judgeExact(envelope, context.networks, context.now())
  check(verdict.payer, envelope.requirements?.payTo)
  const payer = verdict.payer === undefined ? {} : { payer: verdict.payer }
  const reason = verdict.reason ?? await checkExactOnChain(verdict.payment)
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
    return { isValid: false, invalidReason: error.message, errorCode: error.code, ...(payer === undefined ? {} : { payer }) }
  }
}

const malformedCodes = new Set(['invalid_payload', 'invalid_x402_version'])

function answerFailure(error: unknown, reply: FastifyReply, context: Context): object {
  const failure = describeFailure(error, reply, context.log)
  reply.code(failure.status)
  if (failure.status === 403) return { error: failure.text, errorCode: failure.code }
  return { isValid: false, invalidReason: failure.status >= 500 ? 'verification_unavailable' : failure.code, error: failure.text, errorCode: failure.code, ...failure.details }
}
