import {
  bytesToHex,
  parseStandingOrder,
  ProtocolError,
  standingFault,
  standingOrderDigest,
  type Hex,
  type StandingOrder,
} from '@ergon/protocols'
import { Refusal, Unavailable } from '../errors.ts'
import type { ServedEscrow, ServedNetwork } from '../network/served-network.ts'
import type { StandingBook, StandingUse } from '../store/standing-book.ts'
import { isSignedBy, isSignedByContract } from '../verify/signature.ts'
import { rejected, type LifecycleAuth, type LifecycleStep } from './lifecycle.ts'

/** A payer's standing order as a release carries it (decision 0124). */
export type Warrant = { readonly order: StandingOrder; readonly signature: Hex }

export function readWarrant(value: unknown): Warrant | undefined {
  if (value === undefined || value === null) return undefined
  try {
    return parseStandingOrder(value)
  } catch (error) {
    if (!(error instanceof ProtocolError)) throw error
    throw new Refusal('invalid_payload', error.message, { cause: error })
  }
}

export type Warranted = {
  readonly auth: LifecycleAuth
  readonly step: LifecycleStep
  readonly paymentHash: Hex
  readonly target: { readonly network: ServedNetwork; readonly escrow: ServedEscrow }
}

/**
 * Whether an order lets a release through by itself: every bound, then the payer's signature, a contract's asked last.
 * Its count is taken when the release is about to be sent. Throws Unavailable when the chain does not tell.
 */
export async function judgeWarrant(
  { order, signature }: Warrant,
  { auth, step, paymentHash, target: { network } }: Warranted,
  now: number,
): Promise<Refusal | undefined> {
  const { action, amount, info } = step
  if (action !== 'release') return rejected('standing_action', 'a standing order lets releases through, nothing else')
  const fault = standingFault(order, { signer: auth.signer, amount, info, paymentHash, now })
  if (fault !== undefined) return rejected(fault, `the standing order does not allow this release (${fault})`)
  const digest = standingOrderDigest(order, network.chainId)
  const isSigned =
    isSignedBy(digest, signature, order.payer) ||
    (await isSignedByContract(network.rpc, digest, signature, order.payer))
  return isSigned ? undefined : rejected('standing_signature', 'the standing order is not signed by its payer')
}

/** A payment is released once under an order, and this is the name of that. */
export function useOf(
  { order }: Warrant,
  { step, paymentHash, target: { network } }: Warranted,
): StandingUse & { readonly onceKey: string } {
  const digest = bytesToHex(standingOrderDigest(order, network.chainId))
  return {
    order: digest,
    network: network.name,
    payer: order.payer,
    payment: paymentHash,
    amount: step.amount,
    maxTotal: order.maxTotal,
    maxCount: order.maxCount,
    notAfter: order.notAfter,
    onceKey: `standing:${digest}:${paymentHash}`,
  }
}

/**
 * Counts a use before its release may be sent, and gives it back where the end proves that nothing was. What is not
 * known stays counted: asking again for the same payment finds its place.
 */
export async function counting<T extends { readonly failure?: unknown }>(
  book: StandingBook | undefined,
  run: (hold: (use: StandingUse | undefined) => Promise<void>) => Promise<T>,
): Promise<T> {
  let held: StandingUse | undefined
  const hold = async (use: StandingUse | undefined): Promise<void> => {
    if (use === undefined) return
    if (book === undefined) throw rejected('standing_unsupported', 'this facilitator counts no standing orders')
    const answer = await book.hold(use)
    if (answer === 'revoked') throw rejected('standing_revoked', 'the standing order was taken back')
    if (answer === 'spent') throw rejected('standing_spent', 'the standing order has no room for this release')
    if (answer === 'other') throw rejected('replayed', 'this payment was released under the standing order before')
    held = use
  }
  try {
    const outcome = await run(hold)
    // What cannot be written now stays held, and is decided by the transaction it left.
    if (held !== undefined) await (outcome.failure === undefined ? book?.keep(held) : book?.drop(held))?.catch(ignore)
    return outcome
  } catch (error) {
    if (held !== undefined && movedNothing(error)) await book?.drop(held).catch(ignore)
    throw error
  }
}

const ignore = (): void => undefined
const movedNothing = (error: unknown): boolean =>
  error instanceof Refusal || (error instanceof Unavailable && error.details['broadcast'] === false)
