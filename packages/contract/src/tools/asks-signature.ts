import type { A2aAction, a2aActions } from '../a2a.ts'
import type { ErrorCode } from '../errors.ts'
import type { OperationName, Operations } from '../operations/index.ts'
import type { OutputOf } from '../operation.ts'
import { cappedApprovalErrors } from '../resources/decision.ts'
import type { ToolName, tools } from './tools.ts'
import type { ToSign } from './wallet-action.ts'

/** The refusals that a signature of the caller's wallet helps against. */
export const lackingCodes = [
  'escrow_signature_required',
  'LIFECYCLE_ORDER_REQUIRED',
  'PAYMENT_AUTH_MISSING',
  'SETTLEMENT_SIGNATURE_REQUIRED',
  'RULING_SIGNATURE_REQUIRED',
  ...cappedApprovalErrors,
] as const satisfies readonly ErrorCode[]
type LackingCode = (typeof lackingCodes)[number]

/** What tools and actions of the agent-to-agent protocol offer. */
type Offered = (typeof tools)[ToolName]['operation'] | (typeof a2aActions)[A2aAction]
/** Every operation among them that answers such a code; one that is added has to have its row below. */
type Asking = {
  [Name in Offered]: Extract<Operations[Name]['errors'][number], LackingCode> extends never ? never : Name
}[Offered]

type Fields = Readonly<Record<string, unknown>>
/** A refusal, the operation that hands out what to sign, and which of it is next. */
export type Asks<Challenge extends OperationName = OperationName> = {
  readonly codes: readonly LackingCode[]
  readonly challenge: Challenge
  readonly takes: readonly string[]
  /** The next document to sign; null where none would help. */
  next(challenge: OutputOf<Operations[Challenge]>, given: Fields, signer: string): Omit<ToSign, 'operation'> | null
}

const assigning: Asks<'tasks.assignChallenge'> = {
  codes: ['escrow_signature_required'],
  challenge: 'tasks.assignChallenge',
  takes: ['task_id', 'executor_id'],
  next: ({ accepts: [first] }) =>
    first === undefined ? null : { ...payment('payment_auth', first.extra), ...silence(first.extra.standing_order) },
}

type Standing = NonNullable<OutputOf<Operations['tasks.assignChallenge']>['accepts'][number]['extra']['standing_order']>

/** Where silence pays, the order that it pays by; the lock goes through without it. */
function silence(asked: Standing | undefined): Pick<ToSign, 'besides'> {
  if (asked === undefined) return {}
  return {
    besides: {
      says: 'Once the review time is over, work whose required checks passed is paid without you, by this order: this payment, once. Without it your silence opens a dispute.',
      parameter: 'standing_order',
      typedData: asked.typed_data,
      value: asked.order,
      signatureAt: 'signature',
      encoding: 'json_text',
    },
  }
}

/** What moves the money, in the mode of the task; mode fase1 pays worker and fee apart, one after the other. */
const releasing: Asks<'submissions.approveChallenge'> = {
  codes: ['LIFECYCLE_ORDER_REQUIRED', 'PAYMENT_AUTH_MISSING'],
  challenge: 'submissions.approveChallenge',
  takes: ['submission_id'],
  next(challenge, given, signer) {
    const { lifecycle_order: release } = challenge
    if (release !== null)
      return {
        parameter: 'lifecycle_order',
        typedData: release.typed_data,
        value: { signer, ...release.order },
        signatureAt: 'signature',
        encoding: 'object',
      }
    const parameter = given['settlement_auth_worker'] === undefined ? 'settlement_auth_worker' : 'settlement_auth_fee'
    const part = challenge[parameter]
    return part === null ? null : payment(parameter, part)
  },
}

/** A token is past what its wallet let it release: the wallet approves this one itself (spec §5, OAuth 10). */
const approvingPast: Asks<'submissions.approveChallenge'> = {
  codes: cappedApprovalErrors,
  challenge: 'submissions.approveChallenge',
  takes: ['submission_id'],
  next({ release_approval: { typed_data: typedData } }) {
    const { deadline, nonce } = typedData.message
    return {
      parameter: 'approval',
      typedData,
      value: { deadline, nonce },
      signatureAt: 'signature',
      encoding: 'json_text',
    }
  },
}

type Part = 'settlement_auth_worker' | 'settlement_auth_fee'

/** Nothing is held: the payer pays a share directly, the worker's part first. */
function payingApart(
  challenge: Readonly<Record<Part, Envelope | null>>,
  given: Fields,
): Omit<ToSign, 'operation'> | null {
  const parameter = given['settlement_auth_worker'] === undefined ? 'settlement_auth_worker' : 'settlement_auth_fee'
  const part = challenge[parameter]
  return part === null ? null : payment(parameter, part)
}

const words = (typedData: ToSign['typedData']) =>
  ({ parameter: 'signature', typedData, value: {}, signatureAt: 'signature', encoding: 'text' }) as const

const offering: Asks<'offers.challenge'> = {
  codes: ['SETTLEMENT_SIGNATURE_REQUIRED', 'PAYMENT_AUTH_MISSING'],
  challenge: 'offers.challenge',
  takes: ['task_id', 'worker_amount_usd'],
  next(challenge, given) {
    if (isSigned(given)) return payingApart(challenge, given)
    const { typed_data: typedData, expires_at, nonce } = challenge
    return { ...words(typedData), adds: { expires_at, nonce } }
  },
}

/** An offer is signed together with its end and its nonce. */
const isSigned = (given: Fields): boolean =>
  ['signature', 'expires_at', 'nonce'].every((name) => given[name] !== undefined)

const accepting: Asks<'offers.acceptChallenge'> = {
  codes: ['SETTLEMENT_SIGNATURE_REQUIRED', 'PAYMENT_AUTH_MISSING'],
  challenge: 'offers.acceptChallenge',
  takes: ['offer_id'],
  next: (challenge, given) =>
    given['signature'] === undefined ? words(challenge.typed_data) : payingApart(challenge, given),
}

/** A ruling is signed together with its end and its nonce; what is ruled is chosen before. */
const ruling: Asks<'disputes.rulingChallenge'> = {
  codes: ['RULING_SIGNATURE_REQUIRED'],
  challenge: 'disputes.rulingChallenge',
  takes: ['dispute_id', 'verdict', 'split_pct', 'reason', 'criteria'],
  next: ({ typed_data: typedData, deadline, nonce }) => ({ ...words(typedData), adds: { deadline, nonce } }),
}

type Envelope = { readonly typed_data: ToSign['typedData']; readonly envelope: Fields }

function payment(parameter: string, { typed_data: typedData, envelope }: Envelope): Omit<ToSign, 'operation'> {
  return { parameter, typedData, value: envelope, signatureAt: 'payload.signature', encoding: 'json_text' }
}

/** Every operation that can answer a block: what it lacks, and how to come by it. */
export const asksSignature: Readonly<Record<Asking, readonly Asks[]>> = {
  'tasks.assign': [assigning],
  'submissions.approve': [releasing, approvingPast],
  'offers.propose': [offering],
  'offers.accept': [accepting],
  'disputes.rule': [ruling],
}

/** Operations that cannot be done in one call without a signature over what exists only afterwards (OAuth 10). */
export const incompleteWithout = { 'listings.order': 'payment_auth' } as const satisfies Partial<
  Record<OperationName, string>
>

/** The tools that can answer a block. */
export type AskingTool = {
  [Name in ToolName]: (typeof tools)[Name]['operation'] extends Asking | keyof typeof incompleteWithout ? Name : never
}[ToolName]
