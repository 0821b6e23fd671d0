import type { AdminAct } from '../admin/audit-line.ts'
import { MarketError } from '../errors.ts'
import { sweepJournal } from '../ledger/journal.ts'
import { splitFee, type Amount, type Asset } from '../money/amount.ts'
import { networkNamed } from '../network.ts'
import type { Landed } from '../ports/rail.ts'
import type { OwedFee, Sweep } from '../ports/store.ts'
import { retryAfterMs } from '../settlements/settlement.ts'
import { auditLine } from './audit.ts'
import type { MarketDeps } from './deps.ts'
import { allOf } from './each-network.ts'
import { readable } from './readable.ts'

/** `in flight`: a transaction is on its way and nobody has read it from the chain yet. */
export type SweptFees = {
  readonly accrued: Amount
  readonly state: 'swept' | 'in flight' | 'nothing' | 'refused'
  readonly txHash: string | null
  readonly amount: Amount | null
}

/** Fees of one network that one sweep names. */
export const mostOwed = 500

export type Lease = { readonly now: Date; readonly until: Date }
type Swept = Pick<SweptFees, 'state' | 'txHash' | 'amount'>

/** For how long one process owns a sweep from now on. */
export function leaseOf({ clock, settings }: MarketDeps): Lease {
  const now = clock.now()
  return { now, until: new Date(now.getTime() + settings.leaseMs) }
}

/**
 * Moves accrued fees to the treasury now rather than at the next round of the duty, and says where they went. Null
 * means every network, every token.
 */
export async function sweepFees(
  deps: MarketDeps,
  which: { readonly network: string | null; readonly token: string | null },
  act: AdminAct,
): Promise<readonly SweptFees[]> {
  const lease = leaseOf(deps)
  if (which.network !== null) networkNamed(deps.networks, which.network)
  // The fee of a channel is paid where it stays, by the transaction that settles it.
  const isSwept = ({ network }: Asset): boolean => deps.networks.some((one) => one.name === network && one.hasEscrow)
  const accrued = (await deps.store.accruedFees()).filter(
    ({ asset }) =>
      isSwept(asset) &&
      (which.network ?? asset.network) === asset.network &&
      (which.token ?? asset.symbol) === asset.symbol,
  )
  const networks = [...new Set(accrued.map(({ asset }) => asset.network))]
  // Side by side, as the rounds of the duties: a network that does not answer holds up no other.
  const rounds = networks.map(async (network) => {
    const swept: SweptFees[] = []
    for (const amount of accrued.filter(({ asset }) => asset.network === network)) {
      const owed = await deps.store.owedFees(network, mostOwed)
      swept.push({ accrued: amount, ...(await sweepAsked(deps, amount, owed, act, lease)) })
    }
    return swept
  })
  const swept = allOf(await Promise.allSettled(rounds)).flat()
  return swept.toSorted((one, other) => accrued.indexOf(one.accrued) - accrued.indexOf(other.accrued))
}

/** The asking is written down before anything is sent; the ledger has what it moved. */
async function sweepAsked(
  deps: MarketDeps,
  { asset, atomic }: Amount,
  owed: readonly OwedFee[],
  act: AdminAct,
  lease: Lease,
): Promise<Swept> {
  await deps.store.transaction((tx) =>
    tx.addAudit(
      auditLine(
        deps,
        act,
        'fees.sweep',
        `${asset.network}:${asset.symbol}`,
        { accrued_atomic: atomic.toString() },
        { asked: true },
      ),
    ),
  )
  return sweep(
    deps,
    asset,
    owed.filter(({ bounty }) => bounty.asset.symbol === asset.symbol),
    lease,
  )
}

/** Moves what the operator contract has collected to the treasury; one sweep in flight an asset. */
export async function sweep(deps: MarketDeps, asset: Asset, owed: readonly OwedFee[], lease: Lease): Promise<Swept> {
  const id = deps.ids.next()
  const intent = await deps.store.leaseSweep({ id, asset, key: `sweep:${id}`, attempts: 0 }, lease.now, lease.until)
  if (intent === null) return { state: 'in flight', txHash: null, amount: null }
  const answer = await deps.rails(asset.network).sweepFees(asset, intent.key)
  const now = deps.clock.now()
  if (answer.outcome === 'settled' && answer.amount !== undefined) {
    await confirmSweep(deps, intent, { ...answer, amount: answer.amount }, now)
    return { state: 'swept', txHash: answer.txHash, amount: { atomic: answer.amount, asset } }
  }
  if (answer.outcome === 'nothing' || (answer.outcome === 'refused' && answer.final)) {
    // The key is spent: the next round asks under a new one.
    await deps.store.transaction((tx) => tx.endSweep(intent.id, { status: 'empty' }, now))
    if (answer.outcome === 'refused') return { state: 'refused', txHash: null, amount: null }
    await endSweptOtherwise(
      deps,
      asset,
      owed.filter(({ since }) => now.getTime() - since.getTime() > otherwiseAfterMs),
      now,
    )
    return { state: 'nothing', txHash: null, amount: null }
  }
  const dueAt = new Date(now.getTime() + retryAfterMs(intent.attempts))
  await deps.store.transaction((tx) => tx.endSweep(intent.id, { status: 'open', dueAt }, now))
  if (answer.outcome === 'refused') return { state: 'refused', txHash: null, amount: null }
  return { state: 'in flight', txHash: 'txHash' in answer ? (answer.txHash ?? null) : null, amount: null }
}

/** As the duty sweeps: a refusal is a fault that its loop reports. @throws SETTLEMENT_FAILED */
export async function sweepDue(deps: MarketDeps, asset: Asset, owed: readonly OwedFee[], lease: Lease): Promise<void> {
  const { state } = await sweep(deps, asset, owed, lease)
  if (state === 'refused') throw new MarketError('SETTLEMENT_FAILED', { network: asset.network, token: asset.symbol })
}

/** How long a contract without fees may contradict a capture before it is believed. */
const otherwiseAfterMs = 600_000

/**
 * Anybody may send the fees on; they reach the treasury all the same, in a transaction that is not ours to name. The
 * ledger follows the logs (decision 0083). An answer under a key of long ago tells what was there then: the contract is
 * asked how much it holds now.
 */
async function endSweptOtherwise(deps: MarketDeps, asset: Asset, owed: readonly OwedFee[], now: Date): Promise<void> {
  const holdings = owed.length === 0 ? null : await readable(() => deps.rails(asset.network).holdings(asset))
  if (holdings?.operator !== 0n) return
  for (const { taskId, bounty } of owed) {
    const { fee } = splitFee(bounty)
    await deps.store.transaction(async (tx) => {
      if (!(await tx.settleFee(taskId, null, now))) return
      await tx.addPaymentEvent({
        id: deps.ids.next(),
        taskId,
        type: 'disburse_fee',
        status: 'in_doubt',
        amount: fee,
        asset,
        from: null,
        to: null,
        txHash: null,
        note: 'sent to the treasury by another wallet',
        at: now,
      })
    })
  }
}

async function confirmSweep(
  deps: MarketDeps,
  intent: Sweep,
  landed: Landed & { readonly amount: bigint },
  now: Date,
): Promise<void> {
  await deps.store.transaction(async (tx) => {
    const { txHash, blockNumber, amount } = landed
    const first = await tx.endSweep(intent.id, { status: 'confirmed', txHash, blockNumber, amount }, now)
    const { asset } = intent
    const said = { network: asset.network, asset, txHash, blockNumber, logIndex: landed.logIndex, atomic: amount }
    // Whoever follows the chain may have seen it first (decision 0083), or seen it again: mined anew in another block
    // it moved what was there by then, and this answer is of before.
    const isNew = !(await tx.isDistributed(said)) && (await tx.addDistribution(said))
    if (first && isNew)
      await tx.post({
        id: deps.ids.next(),
        taskId: null,
        asset: intent.asset,
        at: now,
        postings: sweepJournal(landed.amount),
      })
  })
}
