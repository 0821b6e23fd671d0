import { cappedApprovalErrors } from '@ergon/contract'
import type { CallToolResult } from '@modelcontextprotocol/server'
import { refusal } from '../../dispatch/refusal.ts'
import { errorAnswer } from '../../dispatch/error-body.ts'
import type { Served } from '../../dispatch/dispatch.ts'
import type { InnerCall, Sender } from './inner-call.ts'
import type { PreparedTool } from './tool-call.ts'
import { toolResult } from './tool-result.ts'

type Json = Readonly<Record<string, unknown>>

/**
 * Tools that need a signature which only the caller's wallet can give (spec §5, OAuth 10): the call changes nothing and
 * answers what to sign, with the tool and the argument that take the signature.
 */
export type WalletActions = {
  /** What the call needs before it is even tried; undefined when it may go on. */
  before(tool: PreparedTool, sender: Sender, given: Json): Promise<CallToolResult | undefined>
  /** What a refused call lacks; undefined when no signature would help. */
  after(tool: string, sender: Sender, given: Json, served: Served): Promise<CallToolResult | undefined>
}

export function createWalletActions(calls: InnerCall): WalletActions {
  return {
    async before(tool, sender, given) {
      const needed = neededFirst[tool.name]
      return needed === undefined || given[needed.argument] !== undefined
        ? undefined
        : needed.answer(calls, tool, sender, given)
    },
    async after(tool, sender, given, served) {
      return lackingIn[tool]?.find(({ codes }) => codes.has(served.code))?.answer(calls, sender, given, served)
    },
  }
}

/** The argument without which a tool is not tried. */
const neededFirst: Readonly<Record<string, { readonly argument: string; readonly answer: typeof orderSteps }>> = {
  svc_order_service: { argument: 'payment_auth', answer: orderSteps },
}

/** The refusals of a tool that a signature would help against. */
type Lacking = { readonly codes: ReadonlySet<string | null>; readonly answer: typeof escrowToSign }
const lackingIn: Readonly<Record<string, readonly Lacking[]>> = {
  svc_assign_task: [{ codes: new Set(['escrow_signature_required']), answer: escrowToSign }],
  svc_approve_submission: [
    { codes: new Set(['LIFECYCLE_ORDER_REQUIRED', 'PAYMENT_AUTH_MISSING']), answer: releaseToSign },
    { codes: new Set<string>(cappedApprovalErrors), answer: approvalToSign },
  ],
}

type Signable = { readonly typed_data: unknown; readonly envelope: Json }

async function escrowToSign(calls: InnerCall, sender: Sender, given: Json, served: Served): Promise<CallToolResult> {
  const asked = await calls.read('tasks.assignChallenge', sender, {
    task_id: given['task_id'],
    executor_id: given['executor_id'],
  })
  if (asked.code !== null) return toolResult(asked)
  const challenge = asked.body as { readonly accepts: readonly { readonly extra: Signable }[] } // the contract's output
  const first = challenge.accepts[0]
  return toolResult(served, {
    challenge,
    ...(first === undefined
      ? {}
      : {
          wallet_action: {
            kind: 'eip712',
            typed_data: first.extra.typed_data,
            how_to_return: back('svc_assign_task', 'payment_auth', given, {
              format: 'JSON text of `value` with the signature in payload.signature',
              value: first.extra.envelope,
            }),
          },
        }),
  })
}

type ApproveChallenge = {
  readonly release_approval: { readonly typed_data: { readonly message: Json } }
  readonly lifecycle_order: { readonly typed_data: unknown; readonly order: Json } | null
  readonly settlement_auth_worker: Signable | null
  readonly settlement_auth_fee: Signable | null
}

async function releaseToSign(calls: InnerCall, sender: Sender, given: Json, served: Served): Promise<CallToolResult> {
  const asked = await calls.read('submissions.approveChallenge', sender, { submission_id: given['submission_id'] })
  if (asked.code !== null) return toolResult(asked)
  const challenge = asked.body as ApproveChallenge // the contract's output
  return toolResult(served, { challenge, wallet_action: moneyToSign(challenge, sender, given) })
}

/** A token is past what its wallet let it release: the wallet approves this one itself (spec §5, OAuth 10). */
async function approvalToSign(calls: InnerCall, sender: Sender, given: Json, served: Served): Promise<CallToolResult> {
  const asked = await calls.read('submissions.approveChallenge', sender, { submission_id: given['submission_id'] })
  // What cannot be handed out to be signed does not hide why it was asked for.
  if (asked.code !== null) return toolResult(served)
  const challenge = asked.body as ApproveChallenge // the contract's output
  const { typed_data } = challenge.release_approval
  const { deadline, nonce } = typed_data.message
  const action = {
    kind: 'eip712',
    typed_data,
    how_to_return: back('svc_approve_submission', 'approval', given, {
      format: 'JSON text of `value` with the signature in signature',
      value: { deadline, nonce, signature: '' },
    }),
  }
  const isOrdered = given['lifecycle_order'] !== undefined || given['settlement_auth_worker'] !== undefined
  // The approval serves one call, so what moves the money is signed with it and returned beside it.
  return toolResult(served, {
    challenge,
    wallet_action: isOrdered ? action : { ...action, also: moneyToSign(challenge, sender, given) },
  })
}

/** What moves the money, in the mode of the task. */
function moneyToSign(challenge: ApproveChallenge, sender: Sender, given: Json): Json {
  const { lifecycle_order: release } = challenge
  if (release !== null)
    return {
      kind: 'eip712',
      typed_data: release.typed_data,
      how_to_return: back('svc_approve_submission', 'lifecycle_order', given, {
        format: '`value` with the signature in signature',
        value: { signer: sender.principal.wallet, ...release.order, signature: '' },
      }),
    }
  const direct = (parameter: 'settlement_auth_worker' | 'settlement_auth_fee'): Json | undefined => {
    const part = challenge[parameter]
    return part === null
      ? undefined
      : {
          kind: 'eip712',
          typed_data: part.typed_data,
          how_to_return: back('svc_approve_submission', parameter, given, {
            format: 'JSON text of `value` with the signature in payload.signature',
            value: part.envelope,
          }),
        }
  }
  // Mode fase1 pays worker and fee apart: two signatures, returned together.
  return { ...direct('settlement_auth_worker'), also: direct('settlement_auth_fee') }
}

/** The tool and the argument that take the signature, never a header; the rest of the call as it was. */
function back(tool: string, parameter: string, given: Json, how: Json): Json {
  return { tool, parameter, arguments: given, ...how }
}

type Listing = {
  readonly title: string
  readonly description: string
  readonly category: string
  readonly unit_price_usd: number
  readonly evidence_schema: readonly string[]
  readonly payment_network: string
  readonly seller_executor_id: string
}

/** An order is a task and an escrow lock: two calls, the second with a signature over a task that exists only then. */
async function orderSteps(calls: InnerCall, tool: PreparedTool, sender: Sender, given: Json): Promise<CallToolResult> {
  const asked = await calls.run('listings.get', sender, () => {
    tool.check(given)
    return { input: { listing_id: given['listing_id'] }, decimals: {} }
  })
  if (asked.code !== null) return toolResult(asked)
  const listing = asked.body as Listing // the contract's output
  const { status, code, body } = errorAnswer(
    refusal(
      'escrow_signature_required',
      {},
      'An order is a task whose bounty you lock for its seller; nothing was ordered yet.',
    ),
    sender.request.requestId,
  )
  const { custom_instructions: more, deadline_hours: hours } = given
  const publish = {
    title: listing.title,
    instructions: typeof more === 'string' ? `${listing.description}\n\n${more}` : listing.description,
    category: listing.category,
    bounty_usd: listing.unit_price_usd,
    evidence_required: listing.evidence_schema,
    payment_network: given['payment_network'] ?? listing.payment_network,
    ...(hours === undefined ? {} : { deadline_hours: hours }),
  }
  return toolResult(
    { status, code, body, headers: {}, wallet: sender.principal.wallet, caller: null },
    {
      wallet_action: {
        kind: 'eip712_incomplete',
        instead: {
          says: 'Publish the task, wait until the seller applied, then assign the seller: svc_assign_task hands out what to sign.',
          steps: [
            { tool: 'svc_publish_task', arguments: publish },
            { tool: 'svc_assign_task', arguments: { executor_id: listing.seller_executor_id } },
          ],
          rest: `POST /api/v1/services/${String(given['listing_id'])}/order does the first step, with the seller as its applicant.`,
        },
        how_to_return: { tool: 'svc_assign_task', parameter: 'payment_auth' },
      },
    },
  )
}
