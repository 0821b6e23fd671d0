import { incompleteWithout, type OperationName, type WalletAction } from '@ergon/contract'
import type { CallToolResult } from '@modelcontextprotocol/server'
import { isRefusal, refusal } from '../../dispatch/refusal.ts'
import { errorAnswer } from '../../dispatch/error-body.ts'
import type { Served } from '../../dispatch/dispatch.ts'
import { asksFor, isLimit, type WalletActions } from '../../dispatch/wallet-actions.ts'
import type { InnerCall, Sender } from './inner-call.ts'
import type { PreparedTool } from './tool-call.ts'
import { toolResult } from './tool-result.ts'

type Json = Readonly<Record<string, unknown>>

/**
 * Tools that need a signature which only the caller's wallet can give (spec §5, OAuth 10): the call changes nothing and
 * answers what to sign, with the tool and the argument that take the signature.
 */
export type ToolActions = {
  /** What the call needs before it is even tried; undefined when it may go on. */
  before(tool: PreparedTool, sender: Sender, given: Json): Promise<CallToolResult | undefined>
  /** What a refused call lacks; undefined when no signature would help. */
  after(tool: PreparedTool, sender: Sender, given: Json, served: Served): Promise<CallToolResult | undefined>
}

const incomplete: Readonly<Partial<Record<OperationName, string>>> = incompleteWithout

export function createToolActions(calls: InnerCall, actions: WalletActions): ToolActions {
  return {
    async before(tool, sender, given) {
      const argument = incomplete[tool.tool.operation]
      return argument === undefined || given[argument] !== undefined
        ? undefined
        : orderSteps(calls, tool, sender, given)
    },
    async after({ tool: { operation } }, sender, given, served) {
      const code = served.code ?? ''
      if (asksFor({ operation, code }) === undefined) return undefined
      let refused: Served | null = null
      const handed = await actions({ operation, given, code, wallet: sender.principal.wallet }, async (name, input) => {
        const asked = await calls.read(name, sender, input)
        if (asked.code === null) return asked.body
        refused = asked
        throw refusedChallenge
      }).catch((error: unknown) => {
        // Whether a linked signer was asked cannot be read now: no other document is handed out beside it.
        if (isRefusal(error)) refused = servedOf(error, sender)
        else if (error !== refusedChallenge) throw error
        return null
      })
      if (handed !== null) return toolResult(served, handed)
      return refused === null || isLimit(code) ? undefined : toolResult(refused)
    },
  }
}

function servedOf(error: Error, { principal: { wallet }, request: { requestId } }: Sender): Served {
  const { status, code, body } = errorAnswer(error, requestId)
  return { status, code, body, headers: {}, wallet, caller: null }
}

const refusedChallenge = new Error('the challenge was refused')

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
  const nothingYet = refusal(
    'escrow_signature_required',
    {},
    'An order is a task whose bounty you lock for its seller; nothing was ordered yet.',
  )
  const { custom_instructions: more, deadline_hours: hours } = given
  const publish = {
    title: listing.title,
    instructions: typeof more === 'string' ? `${listing.description}\n\n${more}` : listing.description,
    category: listing.category,
    bounty_usd: listing.unit_price_usd,
    evidence_required: listing.evidence_schema,
    payment_network: given['payment_network'] ?? listing.payment_network,
    listing_id: given['listing_id'],
    ...(hours === undefined ? {} : { deadline_hours: hours }),
  }
  const wallet_action: WalletAction = {
    kind: 'eip712_incomplete',
    reason: 'escrow_signature_required',
    instead: {
      says:
        'Publish the task as an order: its seller is told and becomes the applicant. Then assign the seller: ' +
        'svc_assign_task hands out what to sign.',
      steps: [
        { tool: 'svc_publish_task', arguments: publish },
        {
          tool: 'svc_assign_task',
          arguments: { executor_id: listing.seller_executor_id },
          takes: { task_id: 'svc_publish_task.id' },
        },
      ],
    },
    how_to_return: { tool: 'svc_assign_task', action: 'tasks/assign', parameter: 'payment_auth', arguments: {} },
  }
  return toolResult(servedOf(nothingYet, sender), { wallet_action })
}
