import { lifecycleOrderDigest, type Address, type Hex, type LifecycleOrder, type PaymentInfo } from '@ergon/protocols'
import type { LifecycleMode } from '../config/config.ts'
import type { ServedEscrow, ServedNetwork } from '../network/served-network.ts'
import { invalid } from '../verify/escrow.ts'
import { isSignedBy, isSignedByContract } from '../verify/signature.ts'
import { readAddress, readHex, readHex32, readInteger, readRecord } from '../wire/read.ts'
import type { Refusal } from '../errors.ts'

/** A party's signed word that held money may move now (facts §3.1). */
export type LifecycleAuth = {
  readonly signer: Address
  readonly deadline: number
  readonly nonce: Hex
  readonly signature: Hex
}
export type LifecycleStep = {
  readonly action: 'release' | 'refundInEscrow'
  readonly amount: bigint
  readonly info: PaymentInfo
}
export type LifecycleRules = {
  readonly mode: LifecycleMode
  readonly delegates: readonly Address[]
  readonly onUnorderly: (category: string) => void
  /** Seconds that passed for a payment on a local chain by its operator's word (decision 0172). */
  readonly elapsed?: (paymentHash: Hex) => number
  /** When the store may have forgotten what it was told, unix seconds. */
  readonly wentBackAt?: () => number | undefined
}

const keys = ['signer', 'deadline', 'nonce', 'signature']
/** An order is for now; one signed far ahead could be kept for a moment its signer no longer means. */
export const maxAheadSec = 900

export function readLifecycleAuth(value: unknown): LifecycleAuth | undefined {
  if (value === undefined || value === null) return undefined
  const record = readRecord(value, 'payload.lifecycleAuth', keys)
  return {
    signer: readAddress(record['signer'], 'lifecycleAuth.signer'),
    deadline: readInteger(record['deadline'], 'lifecycleAuth.deadline'),
    nonce: readHex32(record['nonce'], 'lifecycleAuth.nonce'),
    signature: readHex(record['signature'], 'lifecycleAuth.signature', 8_192),
  }
}

/** The order's own faults, in the order callers rely on: missing, expired, deadline_too_far, bad_signature. */
export function judgeOrder(
  auth: LifecycleAuth | undefined,
  step: LifecycleStep,
  chainId: number,
  now: number,
): Refusal | undefined {
  if (auth === undefined) return rejected('missing', 'a signed lifecycle order is required (LIFECYCLE_ORDER_REQUIRED)')
  if (auth.deadline <= now) return rejected('expired', 'the lifecycle order is past its deadline')
  if (auth.deadline > now + maxAheadSec)
    return rejected('deadline_too_far', `the deadline may be at most ${maxAheadSec} seconds ahead`)
  return isSignedBy(digestOf(auth, step, chainId), auth.signature, auth.signer)
    ? undefined
    : rejected('bad_signature', 'the lifecycle order is not signed by its signer')
}

function digestOf(auth: LifecycleAuth, { action, amount, info }: LifecycleStep, chainId: number): Uint8Array {
  const order: LifecycleOrder = { action, amount, deadline: auth.deadline, nonce: auth.nonce, paymentInfo: info }
  return lifecycleOrderDigest(order, chainId)
}

type Target = { readonly network: ServedNetwork; readonly escrow: ServedEscrow }

/**
 * As `judgeOrder`; where no key signed, the signer is asked as a contract (ERC-1271), once and last, and only one that
 * may order the step. Throws Unavailable when the chain does not tell.
 */
export async function judgeSigned(
  auth: LifecycleAuth | undefined,
  step: LifecycleStep,
  { network, escrow }: Target,
  delegates: readonly Address[],
  now: number,
): Promise<Refusal | undefined> {
  const fault = judgeOrder(auth, step, network.chainId, now)
  const isUnproven = fault?.details['category'] === 'bad_signature'
  if (auth === undefined || !isUnproven || judgeRole(auth, step, escrow, delegates, now) !== undefined) return fault
  const isSigned = await isSignedByContract(
    network.rpc,
    digestOf(auth, step, network.chainId),
    auth.signature,
    auth.signer,
  )
  return isSigned ? undefined : fault
}

/** Whether the operator's owner orders, or one of its delegates. */
export function isTrusted({ signer }: LifecycleAuth, escrow: ServedEscrow, delegates: readonly Address[]): boolean {
  return signer === escrow.owner || delegates.includes(signer)
}

/** Who may order what: the payer never takes money back early, the payee never pays itself. */
export function judgeRole(
  auth: LifecycleAuth,
  step: LifecycleStep,
  escrow: ServedEscrow,
  delegates: readonly Address[],
  now: number,
): Refusal | undefined {
  const { signer } = auth
  const isOwner = isTrusted(auth, escrow, delegates)
  const isPayer = signer === step.info.payer
  const allowed =
    step.action === 'release'
      ? isOwner || isPayer
      : isOwner || signer === step.info.receiver || (isPayer && now >= step.info.authorizationExpiry)
  return allowed ? undefined : rejected('unauthorized_role', `${signer} may not order ${step.action}`)
}

/**
 * Whether a step may have been carried out and forgotten. The chain refuses to move a whole twice; a part it moves as
 * often as it is sent, and the nonce of its order is in the store alone. An order that was taken before the store went
 * back has run out `maxAheadSec` later; without an order, a resend is believed to have come by then.
 */
export function isForgettable(
  { amount, info }: LifecycleStep,
  auth: LifecycleAuth | undefined,
  { wentBackAt }: Pick<LifecycleRules, 'wentBackAt'>,
  now: number,
): boolean {
  const at = wentBackAt?.()
  return at !== undefined && amount < info.maxAmount && (auth?.deadline ?? now) <= at + maxAheadSec
}

export function rejected(category: string, text: string, details: Readonly<Record<string, unknown>> = {}): Refusal {
  return invalid('LifecycleAuthRejected', `Lifecycle order rejected: ${category}: ${text}`, { category, ...details })
}
