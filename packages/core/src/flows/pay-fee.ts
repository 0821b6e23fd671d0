import type { WalletCaller } from '../caller.ts'
import { MarketError } from '../errors.ts'
import { askedFor, type Amount } from '../money/amount.ts'
import type { DirectTerms, TypedData } from '../ports/signatures.ts'
import type { UnpaidFee } from '../ports/store-debts.ts'
import { claimed, leaseEnd } from '../settlements/settlement.ts'
import { chargeOrder, requireBalanceOf } from './approve.ts'
import type { MarketDeps } from './deps.ts'
import { ownTask } from './read.ts'
import { attempt } from './settle.ts'

/** `auth` null: the authorization signed before may still land, and no other is taken beside it. */
export type FeeChallenge = {
  readonly taskId: string
  readonly fee: Amount
  readonly auth: {
    readonly typedData: TypedData
    readonly envelope: Readonly<Record<string, unknown>>
    readonly expiresAt: Date
  } | null
}
export type FeePayment = {
  readonly state: 'paid' | 'paying'
  readonly taskId: string
  readonly fee: Amount
  readonly feeTx: string | null
}

/** Whoever moved the money of a fee away after the payout publishes nothing before it is paid. @throws FEE_UNPAID */
export async function requireNoDebt(deps: MarketDeps, wallet: string): Promise<void> {
  const owed = await deps.store.feeOwedBy(wallet)
  if (owed !== null) throw feeUnpaid(owed, wallet)
}

/** Names what is owed and where it is paid. */
export function feeUnpaid({ taskId, fee, isUnderWay }: UnpaidFee, wallet: string): MarketError {
  const challenge = `/api/v1/tasks/${taskId}/fee/challenge`
  return new MarketError('FEE_UNPAID', {
    task_id: taskId,
    ...askedFor(fee),
    token: fee.asset.symbol,
    wallet_address: wallet,
    is_under_way: isUnderWay,
    challenge,
  })
}

/**
 * What the payer signs to pay a fee that is owed; nothing while the authorization it signed before may still land.
 * Reads only.
 */
export async function feeChallenge(deps: MarketDeps, caller: WalletCaller, taskId: string): Promise<FeeChallenge> {
  const owed = await ownDebt(deps, caller, taskId)
  const now = deps.clock.now()
  const auth = owed.isUnderWay
    ? null
    : deps.signatures.directChallenge({ ...(await termsOf(deps, owed)), taskId, part: 'fee' }, now)
  return { taskId, fee: owed.fee, auth }
}

/**
 * Pays an unpaid fee: claim, pay, confirm, as at the approval. @throws FEE_NOT_OWED, APPROVAL_IN_FLIGHT,
 * INSUFFICIENT_FUNDS
 */
export async function payFee(
  deps: MarketDeps,
  caller: WalletCaller,
  taskId: string,
  feeAuth: string,
): Promise<FeePayment> {
  const owed = await ownDebt(deps, caller, taskId)
  if (owed.isUnderWay) throw inFlight(owed)
  const transfer = await deps.signatures.readDirectPayment(feeAuth, await termsOf(deps, owed), deps.clock.now())
  await requireBalanceOf(deps, owed.payer, owed.fee)
  await deps.payments?.take(caller, 1)
  const now = deps.clock.now()
  const id = deps.ids.next()
  const settlement = claimed(id, now, {
    taskId,
    submissionId: owed.submissionId,
    executorId: owed.executorId,
    purpose: 'fee',
    subject: owed.subject,
    order: chargeOrder(transfer)(id),
  })
  await deps.store.transaction(async (tx) => {
    if (!(await tx.claimSettlement(settlement, leaseEnd(now)))) throw inFlight(owed)
  })
  const ending = await attempt(deps, settlement)
  if (ending.state === 'refused') {
    const { code, details, message } = ending.refusal
    throw new MarketError(code, { ...details, task_id: taskId }, message === undefined ? {} : { message })
  }
  if (ending.state === 'open') deps.wakeup.settlements()
  return {
    state: ending.state === 'open' ? 'paying' : 'paid',
    taskId,
    fee: owed.fee,
    feeTx: ending.state === 'open' ? null : ending.txHash,
  }
}

/** The state of the fee of a task; null while it is owed and nobody is paying it. */
export async function feePaid(deps: MarketDeps, caller: WalletCaller, taskId: string): Promise<FeePayment | null> {
  await ownTask(deps, caller, taskId)
  const last = await deps.store.settlement(taskId, 'fee')
  if (last === null || last.status === 'refused' || last.order.kind !== 'charge') return null
  const isPaid = last.status === 'confirmed'
  return {
    state: isPaid ? 'paid' : 'paying',
    taskId,
    fee: last.order.transfer.amount,
    feeTx: isPaid ? last.txHash : null,
  }
}

async function ownDebt(deps: MarketDeps, caller: WalletCaller, taskId: string): Promise<UnpaidFee> {
  await ownTask(deps, caller, taskId)
  const owed = await deps.store.feeOwedFor(taskId)
  if (owed === null) throw new MarketError('FEE_NOT_OWED', { task_id: taskId })
  return owed
}

async function termsOf(deps: MarketDeps, { fee, payer }: UnpaidFee): Promise<DirectTerms> {
  const { network } = fee.asset
  return { network, from: payer, to: await deps.signatures.treasury(network, fee.asset), amount: fee }
}

function inFlight({ taskId }: UnpaidFee): MarketError {
  return new MarketError(
    'APPROVAL_IN_FLIGHT',
    { task_id: taskId },
    { message: 'The fee may already be in progress under the authorization signed earlier.' },
  )
}
