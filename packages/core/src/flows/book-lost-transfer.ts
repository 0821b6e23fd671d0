import type { DirectPayment } from '../escrow/direct-payment.ts'
import { directlyPaid, type DirectPart } from '../escrow/direct-nonce.ts'
import { splitFee, type Amount } from '../money/amount.ts'
import type { SpentNonce } from '../ports/chain-logs.ts'
import { claimed, leaseEnd, type Settlement } from '../settlements/settlement.ts'
import type { Task } from '../tasks/task.ts'
import { chargeOrder } from './approve.ts'
import { confirmSettlement } from './confirm.ts'
import type { MarketDeps } from './deps.ts'
import { readable } from './readable.ts'

/** `unread`: the chain could not be asked. `unfit`: its task does not wait for it, and a person decides. */
export type LostTransfer =
  { readonly state: 'booked' | 'known' | 'unread' } | { readonly state: 'unfit'; readonly task: Task }

type Payable = {
  readonly submissionId: string
  readonly executorId: string
  readonly to: string
  readonly amount: Amount
}

/**
 * A direct payment that no row names: the database is older than the chain, as after a restore (decision 0189). Its
 * nonce says which task it paid; what that task asks for is claimed again, and the log confirms it. A nonce that
 * carries no task of ours is not ours, and nothing here knows it.
 */
export async function bookLostTransfer(deps: MarketDeps, spent: SpentNonce, network: string): Promise<LostTransfer> {
  const said = directlyPaid(spent.nonce)
  const task = said === null ? null : await deps.store.task(said.taskId)
  if (said === null || task === null) return { state: 'known' }
  const last = await deps.store.settlement(task.id, said.part)
  if (last?.order.kind === 'charge' && last.order.transfer.nonce === spent.nonce) return { state: 'known' }
  const payable = task.bounty.asset.network === network ? await payableOf(deps, task, said.part) : null
  if (payable === null || spent.payer !== task.publisherWallet) return { state: 'unfit', task }
  const { submissionId, executorId, to, amount } = payable
  const id = deps.ids.next()
  // Nobody has the signature any more, and nobody needs it: the log shows that it was used.
  const transfer: DirectPayment = {
    network,
    amount,
    token: spent.token,
    from: task.publisherWallet,
    to,
    validAfter: 0n,
    validBefore: 0n,
    nonce: spent.nonce,
    signature: '0x',
  }
  const settlement = claimed(id, deps.clock.now(), {
    taskId: task.id,
    submissionId,
    executorId,
    purpose: said.part,
    subject: `${said.part}:${submissionId}`,
    order: chargeOrder(transfer)(id),
  })
  const found = await readable(() => deps.rails(network).find(settlement.order))
  if (found === null) return { state: 'unread' }
  if (found.state !== 'landed' || !(await claimAgain(deps, task, settlement))) return { state: 'unfit', task }
  await confirmSettlement(deps, settlement, found)
  return { state: 'booked' }
}

/** Whom a part of the task is owed to; null where the task waits for no such payment. */
async function payableOf(deps: MarketDeps, task: Task, part: DirectPart): Promise<Payable | null> {
  const split = splitFee(task.bounty)
  if (part === 'fee') {
    const payout = await deps.store.settlement(task.id, 'payout')
    if (payout?.status !== 'confirmed' || payout.submissionId === null || payout.executorId === null) return null
    const to = await deps.signatures.treasury(task.bounty.asset.network, task.bounty.asset)
    return { submissionId: payout.submissionId, executorId: payout.executorId, to, amount: split.fee }
  }
  const waiting = (await deps.store.submissions(task.id)).find(({ status }) => status === 'pending_review')
  const worker = waiting === undefined ? null : await deps.store.worker(waiting.executorId)
  if (waiting === undefined || worker === null) return null
  return { submissionId: waiting.id, executorId: worker.id, to: worker.wallet, amount: split.payout }
}

/**
 * False when the task waits for nobody any more, or was claimed meanwhile. The fee of a payout is owed from here on,
 * unless its own payment is found as well (decision 0082).
 */
async function claimAgain(deps: MarketDeps, { id, bounty }: Task, settlement: Settlement): Promise<boolean> {
  const now = deps.clock.now()
  const { submissionId, purpose } = settlement
  if (submissionId === null) return false
  return deps.store.transaction(async (tx) => {
    const [task, submission] = [await tx.lockTask(id), await tx.lockSubmission(submissionId)]
    if (task === null || submission === null || (await tx.hasOpenSettlement(id))) return false
    if (purpose === 'fee') return tx.claimSettlement(settlement, leaseEnd(now))
    if (submission.status !== 'pending_review' || task.status !== 'verifying' || task.escrowStatus !== 'none')
      return false
    if (!(await tx.claimSettlement(settlement, leaseEnd(now)))) return false
    const owed = await feeOf(deps, settlement, splitFee(bounty).fee, now)
    if (owed === null) return true
    await tx.claimSettlement(owed, leaseEnd(now))
    await tx.endSettlement(owed.id, { status: 'refused', code: 'SETTLEMENT_FAILED' }, now)
    return true
  })
}

async function feeOf(deps: MarketDeps, payout: Settlement, amount: Amount, now: Date): Promise<Settlement | null> {
  const { order, submissionId } = payout
  if (order.kind !== 'charge' || amount.atomic === 0n) return null
  const { network, nonce } = order.transfer
  const to = await deps.signatures.treasury(network, amount.asset)
  const id = deps.ids.next()
  const transfer = { ...order.transfer, to, amount, nonce: `${nonce}:fee` }
  const { taskId, executorId } = payout
  return claimed(id, now, {
    taskId,
    submissionId,
    executorId,
    purpose: 'fee',
    subject: `fee:${submissionId ?? ''}`,
    order: chargeOrder(transfer)(id),
  })
}
