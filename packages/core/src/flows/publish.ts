import type { Category, EvidenceType, Party, Target } from '@ergon/contract'
import type { WalletCaller } from '../caller.ts'
import { readMeterTerms, type MeterTerms, type StreamingInput } from '../channels/metering.ts'
import { MarketError } from '../errors.ts'
import { formatUsd, type Asset } from '../money/amount.ts'
import { assetOn, networkNamed, requireOpenNetwork } from '../network.ts'
import { readPolicy, type TaskPolicy } from '../policy/policy.ts'
import type { NewEvent, NewTask } from '../ports/store.ts'
import { readBounty } from '../tasks/bounty.ts'
import { requireBuyer } from '../tasks/sell-intent.ts'
import type { Task } from '../tasks/task.ts'
import { wired } from './bind-channel.ts'
import type { MarketDeps } from './deps.ts'
import { listingFor, requireOrderable, requireSellersTerms, writeSeller } from './order-terms.ts'
import { feeUnpaid } from './pay-fee.ts'

export type PublishInput = {
  readonly title: string
  readonly instructions: string
  readonly category: Category
  /** Exact decimal text of the bounty in US dollars. */
  readonly bountyUsd: string
  readonly deadlineHours: number
  readonly evidenceRequired: readonly EvidenceType[]
  readonly evidenceOptional: readonly EvidenceType[]
  readonly locationHint: string | null
  readonly minReputation: number
  /** Null means the deployment's preferred network. */
  readonly network: string | null
  readonly token: string | null
  readonly target: Target
  /** A task that is paid by the unit out of a channel; absent for a bounty. */
  readonly streaming?: StreamingInput
  readonly publisherType: Party
  readonly paymentAuth: string | null
  /** The publisher says that it buys, whatever its words sound like. */
  readonly insists?: boolean
  /** The task orders this listing: its seller becomes the applicant, and nobody else may take it. */
  readonly listingId?: string
  /** The default policy is on from the start, whatever the operator gives to tasks without one. */
  readonly promises?: boolean
  readonly idempotency: { readonly key: string; readonly bodyHash: string } | null
}
export type Published = { readonly task: Task; readonly replayed: boolean }

const hourMs = 3_600_000

/**
 * Publishes a task: the caller is the payer, nothing moves on chain yet. Debts are read and an identity that is owed is
 * registered first; the writing itself is one statement and one commit.
 */
export async function publish(deps: MarketDeps, caller: WalletCaller, input: PublishInput): Promise<Published> {
  const listing = input.listingId === undefined ? null : await listingFor(deps, caller, input.listingId)
  // The words of an order are its seller's.
  requireBuyer(input, input.insists === true || listing !== null)
  const task = draftTask(deps, caller, input)
  if (listing !== null) {
    requireOrderable(listing, 'bounty_usd', input.bountyUsd)
    requireSellersTerms(deps, listing, task, input.paymentAuth)
  }
  const earlier = await withoutDebt(deps, caller.wallet, input.idempotency)
  if (earlier !== null) return { task: earlier, replayed: true }
  const { agentId } = await deps.identified(caller)
  const created = createdEvent(deps, task, listing?.id)
  const published = await deps.store.publish({ ...task, publisherAgentId: agentId }, created, input.idempotency)
  // A replay finishes what a crash left: the seller is written once.
  if (listing !== null) await deps.store.transaction((tx) => writeSeller(deps, tx, published.task, listing))
  return published
}

/**
 * A debt that arose since is no answer to what was published before it: that task, under its key. @throws FEE_UNPAID
 */
async function withoutDebt(
  deps: MarketDeps,
  wallet: string,
  idempotency: PublishInput['idempotency'],
): Promise<Published['task'] | null> {
  const owed = await deps.store.feeOwedBy(wallet)
  if (owed === null) return null
  const earlier = idempotency === null ? null : await deps.store.publishedUnder(wallet, idempotency)
  if (earlier === null) throw feeUnpaid(owed, wallet)
  return earlier
}

/** What the world is told of a new task. */
export function createdEvent(deps: MarketDeps, task: NewTask, listingId?: string): NewEvent<'task.created'> {
  return {
    id: deps.ids.next(),
    type: 'task.created',
    taskId: task.id,
    at: task.createdAt,
    data: {
      task_id: task.id,
      title: task.title,
      category: task.category,
      bounty_usd: Number(formatUsd(task.bounty)),
      network: task.bounty.asset.network,
      ...(listingId === undefined ? {} : { listing_id: listingId }),
    },
  }
}

/** The task as it will stand; network, token, bounty and authorization are checked, the wording is not. */
export function draftTask(deps: MarketDeps, caller: WalletCaller, input: PublishInput): NewTask {
  const { settings } = deps
  const isMetered = input.streaming !== undefined
  // A deployment without channels says so, whatever network is asked for.
  if (isMetered) wired(deps, { field: 'payment_streaming' })
  const network = networkNamed(deps.networks, input.network ?? settings.preferredNetwork)
  requireOpenNetwork(deps, network.name)
  const isDirect = network.paysInOne === true || (settings.paymentMode === 'fase1' && network.chainId !== null)
  // What else has no chain id pays by the tick alone.
  if (!network.hasEscrow && !isMetered && !isDirect)
    throw new MarketError('NETWORK_NO_ESCROW', { network: network.name })
  const bounty = readBounty(
    input.bountyUsd,
    assetOn(network, input.token ?? 'USDC'),
    settings.paymentMode,
    settings.bounds,
  )
  if (input.paymentAuth !== null) deps.signatures.receiverOf(input.paymentAuth, network.name)
  const now = deps.clock.now()
  return {
    id: deps.ids.next(),
    status: 'published',
    title: input.title,
    instructions: input.instructions,
    category: input.category,
    bounty,
    deadline: new Date(now.getTime() + input.deadlineHours * hourMs),
    publisherWallet: caller.wallet,
    publisherType: input.publisherType,
    publisherAgentId: caller.agentId,
    target: input.target,
    executorId: null,
    evidenceRequired: input.evidenceRequired,
    evidenceOptional: input.evidenceOptional,
    locationHint: input.locationHint,
    area: null,
    minReputation: input.minReputation,
    policy: isMetered || network.paysInOne === true ? null : (settings.policy ?? promisedBy(input)),
    reviewUntil: null,
    startBy: null,
    turn: null,
    escrowStatus: isMetered || isDirect ? 'none' : 'pending_assignment',
    escrowTx: null,
    paymentTx: null,
    refundTx: null,
    createdAt: now,
    updatedAt: now,
    paymentAuth: input.paymentAuth,
    ...meterOf(deps, input, bounty.asset),
  }
}

/** A payment that is signed already was signed for the deadline alone: a policy would have it refused at the lock. */
const promisedBy = ({ promises, paymentAuth }: PublishInput): TaskPolicy | null =>
  promises === true && paymentAuth === null ? readPolicy({}) : null

/** @throws NOT_WIRED where no channels are kept, NETWORK_NOT_ACCEPTED for a network without them */
function meterOf(deps: MarketDeps, { streaming }: PublishInput, asset: Asset): { readonly meter?: MeterTerms } {
  if (streaming === undefined) return {}
  const { network } = wired(deps)
  if (asset.network !== network)
    throw new MarketError('NETWORK_NOT_ACCEPTED', { network: asset.network, accepted: [network] })
  return { meter: readMeterTerms(streaming, asset) }
}
