import type { MeterUnit } from '@ergon/contract'
import type { WalletCaller } from '../caller.ts'
import { boughtBy } from '../channels/buyer-voucher.ts'
import type { AcceptedTick, Channel, GivenVoucher } from '../channels/channel.ts'
import { isSpent, tickOf, type Tick } from '../channels/metering.ts'
import type { Ticked, TickedTask, TickTurn } from '../channels/tick-turn.ts'
import { MarketError } from '../errors.ts'
import { isFinal } from '../tasks/lifecycle.ts'
import { wired } from './bind-channel.ts'
import type { MarketDeps } from './deps.ts'
import { requireSubmittable } from './submit.ts'

export type TickInput = {
  /** What shows the unit of work: at least one member. */
  readonly evidence: Readonly<Record<string, unknown>>
  /** Both checked, never preferred; null: not given. */
  readonly unit: MeterUnit | null
  readonly payee: string | null
  readonly note: string | null
  /** What the buyer promises with this unit; null where this deployment signs. */
  readonly voucher: GivenVoucher | null
  readonly idempotency: AcceptedTick['idempotency']
}
/** A tick shows a unit of work and is no place to keep files. */
const mostEvidenceChars = 4_096

/**
 * One unit of work, from the publisher or the assigned worker. The ticks of a channel wait for one another; the voucher
 * is signed under the lock and durable before anybody is told of it. What is refused changes nothing.
 *
 * @throws no_channel_bound; CHANNEL_EXPIRED where nothing will be taken any more, TASK_NOT_SUBMITTABLE while the task
 * is not being worked on; SESSION_CAP_EXCEEDED, IDEMPOTENCY_KEY_REUSED; VALIDATION_FAILED for work that costs nothing
 * yet.
 */
export async function tick(deps: MarketDeps, caller: WalletCaller, taskId: string, input: TickInput): Promise<Ticked> {
  wired(deps)
  return deps.store.takeTick(taskId, input.idempotency?.key ?? null, (turn) => {
    if (turn === null) throw new MarketError('TASK_NOT_FOUND', { task_id: taskId })
    return decide(deps, caller, input, turn)
  })
}

function decide(deps: MarketDeps, caller: WalletCaller, input: TickInput, turn: TickTurn): Ticked {
  const { task, channel, earlier } = turn
  if (caller.wallet !== task.publisherWallet && caller.wallet !== task.workerWallet)
    throw new MarketError('FORBIDDEN', { task_id: task.id })
  requireEvidence(input.evidence)
  if (channel === null) throw new MarketError('no_channel_bound', { task_id: task.id })
  if (earlier !== null) return { tick: sameTick(earlier, input), channel, replayed: true }
  requireSame('unit', input.unit, channel.unit)
  requireSame('payee', input.payee, channel.worker)
  requireRunning(task, channel, deps.clock.now())
  return accept(deps, channel, caller, input)
}

function accept(deps: MarketDeps, channel: Channel, caller: WalletCaller, input: TickInput): Ticked {
  if (isSpent(channel)) throw new MarketError('SESSION_CAP_EXCEEDED', { limit_uusdc: channel.limit.toString() })
  const at = deps.clock.now()
  const { measuredUntil, ...next } = chargeFor(deps, channel, input.voucher, at)
  const accepted: AcceptedTick = {
    ...next,
    id: deps.ids.next(),
    channelId: channel.id,
    index: channel.vouchers + 1,
    evidence: input.evidence,
    note: input.note,
    author: caller.wallet,
    idempotency: input.idempotency,
    at,
  }
  const { cumulative, measured, signature, index: vouchers } = accepted
  const raised = { ...channel, cumulative, measured, measuredUntil, signature, vouchers, updatedAt: at }
  return { tick: accepted, channel: raised, replayed: false }
}

/** What the unit costs, with the voucher over it: signed here, or brought by the buyer. */
function chargeFor(
  deps: MarketDeps,
  channel: Channel,
  voucher: GivenVoucher | null,
  now: Date,
): Tick & { readonly signature: string } {
  const { vouchers } = wired(deps)
  const next = tickOf(channel, now)
  if (next.amount === 0n)
    throw new MarketError('VALIDATION_FAILED', {
      field: 'evidence',
      constraint: 'work that costs something since the last tick',
    })
  const { voucherKey } = channel
  if (voucherKey !== null)
    return boughtBy(channel, voucherKey, voucher, { now, isSigned: (one, key) => vouchers.isSigned(one, key) })
  if (voucher !== null)
    throw new MarketError('VALIDATION_FAILED', { field: 'voucher', constraint: 'none: this service signs them' })
  return { ...next, signature: vouchers.sign(channel.id, next.cumulative) }
}

/** Only a task that is being worked on takes ticks, on a channel that is open. */
function requireRunning(task: TickedTask, { status }: Channel, now: Date): void {
  if (status !== 'open') throw new MarketError('CHANNEL_EXPIRED', { status })
  if (isFinal(task.status) || task.deadline <= now)
    throw new MarketError('CHANNEL_EXPIRED', { status, task_status: task.status })
  requireSubmittable(task, now)
}

function requireEvidence(evidence: TickInput['evidence']): void {
  if (Object.keys(evidence).length > 0 && JSON.stringify(evidence).length <= mostEvidenceChars) return
  throw new MarketError('VALIDATION_FAILED', {
    field: 'evidence',
    constraint: `an object with a member, of at most ${String(mostEvidenceChars)} characters as JSON`,
  })
}

function requireSame(field: string, given: string | null, known: string): void {
  if (given !== null && given !== known)
    throw new MarketError('VALIDATION_FAILED', { field, constraint: known, received: given })
}

/** What was accepted under the key of this call. @throws IDEMPOTENCY_KEY_REUSED for another body */
function sameTick(earlier: AcceptedTick, { idempotency }: TickInput): AcceptedTick {
  if (earlier.idempotency?.bodyHash !== idempotency?.bodyHash) throw new MarketError('IDEMPOTENCY_KEY_REUSED')
  return earlier
}
