import { MarketError } from '../errors.ts'
import type { DirectPayment } from '../escrow/direct-payment.ts'
import { splitFee } from '../money/amount.ts'
import type { OfferPayments } from '../settlement-offers/offer.ts'
import type { Task } from '../tasks/task.ts'
import type { MarketDeps } from './deps.ts'
import { splitsOf } from './pay-in-one.ts'
import type { Sides } from './sides.ts'

const wholeOrNothing =
  'Nothing is held for this task, and on its network the whole bounty is paid, when work is approved. ' +
  'A settlement can only end it without pay.'

/** @throws OFFER_NOT_OPEN where a share of the bounty cannot be paid: a network that pays in one pays all of it. */
export function demandDivisible(deps: MarketDeps, task: Task): void {
  if (splitsOf(deps, task) === undefined) return
  const details = { task_id: task.id, network: task.bounty.asset.network }
  throw new MarketError('OFFER_NOT_OPEN', details, { message: wholeOrNothing })
}

/** @throws OFFER_NOT_OPEN where there is no work of this worker that a direct payment could be for */
export async function requireHandedIn(
  { store }: MarketDeps,
  { task, worker }: Pick<Sides, 'task' | 'worker'>,
): Promise<void> {
  if ((await store.submissions(task.id)).some(({ executorId }) => executorId === worker.id)) return
  throw new MarketError(
    'OFFER_NOT_OPEN',
    { task_id: task.id, status: task.status },
    { message: 'Nothing is held for this task, so only work that was handed in can be paid, by a direct payment.' },
  )
}

/**
 * Mode fase1: the payer's direct payments of what an offer gives the worker, whose work has been handed in.
 * @throws OFFER_NOT_OPEN, PAYMENT_AUTH_MISSING, INVALID_PAYMENT_AUTH, and what their reader throws
 */
export async function readPayments(
  deps: MarketDeps,
  { task, worker }: Pick<Sides, 'task' | 'worker'>,
  toWorker: bigint,
  given: OfferPayments | null,
): Promise<{ readonly payout: DirectPayment; readonly fee: DirectPayment | null }> {
  demandDivisible(deps, task)
  await requireHandedIn(deps, { task, worker })
  const { asset } = task.bounty
  const { network } = asset
  const { payout, fee } = splitFee({ atomic: toWorker, asset })
  if (given === null || (fee.atomic > 0n && given.fee === null))
    throw new MarketError(
      'PAYMENT_AUTH_MISSING',
      { fields: ['settlement_auth_worker', 'settlement_auth_fee'] },
      { message: 'Nothing is held for this task: the payer sends its direct payments of the share and the fee.' },
    )
  const now = deps.clock.now()
  const from = task.publisherWallet
  const paying = await deps.signatures.readDirectPayment(
    given.payout,
    { network, from, to: worker.wallet, amount: payout },
    now,
  )
  if (fee.atomic === 0n || given.fee === null) return { payout: paying, fee: null }
  const to = await deps.signatures.treasury(network, asset)
  const keeping = await deps.signatures.readDirectPayment(given.fee, { network, from, to, amount: fee }, now)
  if (keeping.nonce === paying.nonce)
    throw new MarketError('INVALID_PAYMENT_AUTH', { constraint: 'two different nonces' })
  return { payout: paying, fee: keeping }
}
