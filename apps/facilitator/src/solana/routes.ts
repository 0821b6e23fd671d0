import { pending, Refusal, Unavailable } from '../errors.ts'
import { demandTimely, keepMs } from '../settle/carry-out.ts'
import { finalRefusal } from '../chain/recognise.ts'
import type { Terms } from '../chain/draft.ts'
import type { Context } from '../http/context.ts'
import { ok, type Reply } from '../http/exchange.ts'
import { hashNames, within } from '../settle/await-outcome.ts'
import { networkNameIn } from './envelope.ts'
import type { SolanaNetwork } from './network.ts'
import type { Begun } from './settler.ts'

/** The Solana network that a body names, however it writes it; another cluster's name is no network here. */
export function solanaNamed(name: string | undefined, { solana }: Context): SolanaNetwork | 'other' | undefined {
  if (name === undefined) return undefined
  if (solana !== undefined && (name === solana.terms.name || name === solana.terms.caip2)) return solana
  return name === 'solana' || name.startsWith('solana:') || name.startsWith('solana-') ? 'other' : undefined
}

export function notServed(): Refusal {
  return new Refusal('UnsupportedNetwork', 'invalid_network', { details: { reason: 'invalid_network' } })
}

/** Whether a payment would settle now. */
export async function verifyOnSolana(value: unknown, { settler }: SolanaNetwork): Promise<Reply> {
  try {
    const { payer } = await settler.verify(value)
    return ok({ isValid: true, payer })
  } catch (error) {
    if (!(error instanceof Refusal) || error.status !== 400 || malformedCodes.has(error.code)) throw error
    const { reason, errorMessage } = error.details
    return ok({
      isValid: false,
      invalidReason: typeof reason === 'string' ? reason : error.code,
      ...(typeof errorMessage === 'string' ? { invalidMessage: errorMessage } : {}),
      errorCode: error.code,
    })
  }
}

const malformedCodes = new Set(['invalid_payload', 'invalid_x402_version'])

/** Settles and waits for the end as long as a caller may be kept. @throws Refusal, Unavailable */
export async function settleOnSolana(
  value: unknown,
  terms: Terms,
  { settler, terms: { name } }: SolanaNetwork,
  context: Context,
): Promise<Reply> {
  const run = async (): Promise<Begun> => {
    demandTimely(terms, context)
    return settler.settle(value, terms)
  }
  const { payer, signature, end } = await begin(run, terms, context)
  const ended = await within(end, context)
  if (ended === undefined) throw pending(hashNames(signature))
  const base = { payer, network: networkNameIn(value) ?? name, ...hashNames(signature) }
  if (ended.kind === 'succeeded') return ok({ success: true, ...base })
  const failure = ended.failure ?? expired
  // The very bytes: they failed for good, or can land no more.
  return ok({ success: false, errorReason: failure.reason, errorCode: failure.code, final: true, ...base })
}

const expired = {
  code: 'expired_authorization',
  reason: 'transaction_expired: its blockhash is too old, and it never landed',
}

/** A refusal under a key is bound to the key before it is told, so that no copy of the request is carried out later. */
async function begin(run: () => Promise<Begun>, terms: Terms, context: Context): Promise<Begun> {
  const { idempotencyKey: key, requestHash } = terms
  try {
    return await run()
  } catch (error) {
    if (error instanceof Refusal) {
      const isOpen = key === undefined || error.details['final'] === true || error.isPassing
      if (isOpen || neverBound.has(error.code)) throw error
      const { status, code, message, details } = error
      const stored = { status, code, message, details }
      const bound = await context.intents
        .bind(key, requestHash, stored, keepMs(terms, context))
        .catch((cause: unknown) => {
          throw pending({}, cause)
        })
      if (bound.refusal !== null && bound.requestHash === requestHash) throw finalRefusal(bound.refusal)
      // Another attempt of the same order was first, and it has a transaction.
      return run()
    }
    if (error instanceof Unavailable && error.code !== 'store_unavailable') throw error
    // A store that did not answer may hold the promise to send, and whoever finds it keeps it.
    throw pending({}, error)
  }
}

const neverBound = new Set(['invalid_payload', 'invalid_x402_version', 'idempotency_key_conflict'])
