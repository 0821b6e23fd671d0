import { lifecycleOrderDigest, type Address, type Hex, type LifecycleOrder, type PaymentInfo } from '@ergon/protocols'
import type { LifecycleMode } from '../config/config.ts'
import type { ServedEscrow } from '../network/served-network.ts'
import { invalid } from '../verify/escrow.ts'
import { isSignedBy } from '../verify/signature.ts'
import { readAddress, readHex, readHex32, readInteger, readRecord } from '../wire/read.ts'
import type { Refusal } from '../errors.ts'

/** A party's signed word that held money may move now (facts §3.1). */
export type LifecycleAuth = { readonly signer: Address; readonly deadline: number; readonly nonce: Hex; readonly signature: Hex }
export type LifecycleStep = { readonly action: 'release' | 'refundInEscrow'; readonly amount: bigint; readonly info: PaymentInfo }
export type LifecycleRules = { readonly mode: LifecycleMode; readonly delegates: readonly Address[]; readonly onUnorderly: (category: string) => void }

const keys = new Set(['signer', 'deadline', 'nonce', 'signature'])
/** An order is for now; one signed far ahead could be kept for a moment its signer no longer means. */
const maxAheadSec = 900

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
export function judgeOrder(auth: LifecycleAuth | undefined, step: LifecycleStep, chainId: number, now: number): Refusal | undefined {
  if (auth === undefined) return rejected('missing', 'a signed lifecycle order is required (LIFECYCLE_ORDER_REQUIRED)')
  if (auth.deadline <= now) return rejected('expired', 'the lifecycle order is past its deadline')
  if (auth.deadline > now + maxAheadSec) return rejected('deadline_too_far', `the deadline may be at most ${maxAheadSec} seconds ahead`)
  const order: LifecycleOrder = { action: step.action, amount: step.amount, deadline: auth.deadline, nonce: auth.nonce, paymentInfo: step.info }
  return isSignedBy(lifecycleOrderDigest(order, chainId), auth.signature, auth.signer) ? undefined : rejected('bad_signature', 'the lifecycle order is not signed by its signer')
}

/** Who may order what: the payer never takes money back early, the payee never pays itself. */
export function judgeRole(auth: LifecycleAuth, step: LifecycleStep, escrow: ServedEscrow, delegates: readonly Address[], now: number): Refusal | undefined {
  const { signer } = auth
  const isOwner = signer === escrow.owner || delegates.includes(signer)
  const isPayer = signer === step.info.payer
  const allowed = step.action === 'release'
    ? isOwner || isPayer
    : isOwner || signer === step.info.receiver || (isPayer && now >= step.info.authorizationExpiry)
  return allowed ? undefined : rejected('unauthorized_role', `${signer} may not order ${step.action}`)
}

export function rejected(category: string, text: string, details: Readonly<Record<string, unknown>> = {}): Refusal {
  return invalid('LifecycleAuthRejected', `Lifecycle order rejected: ${category}: ${text}`, { category, ...details })
}
