import { errorCatalogue } from '@ergon/contract'
import { MarketError, type Amount, type Market, type WalletCaller } from '@ergon/core'

/** One release that a token asks for; `cents` of a USD, rounded up. */
type Asked = {
  readonly grantId: string
  readonly wallet: string
  readonly submissionId: string
  readonly reservation: string
  readonly cents: bigint
  readonly maxCents: bigint
  readonly maxCount: number
  readonly expiresAt: Date
}

/** Where the approvals of a token are counted, for every process alike. */
export type ApprovalCount = {
  reserve(asked: Asked): Promise<'reserved' | 'known' | 'over' | 'exhausted'>
  giveBack(asked: Pick<Asked, 'grantId' | 'submissionId' | 'reservation'>): Promise<void>
  noteRefused(refused: Pick<Asked, 'grantId'> & { submissionId: string | null; code: string }): Promise<void>
}

export type CappedApprovalDeps = {
  readonly market: Pick<Market, 'sumToApprove'>
  readonly approvals: ApprovalCount
  readonly newId: () => string
  /** Hears that the count could not be reached: no token releases anything until it can. */
  readonly onUnavailable: (cause: unknown, asked: { readonly submissionId: string; readonly grantId: string }) => void
}

/** Runs an approval within what its caller was let release; whoever proved the wallet itself has no such bound. */
export type WithinCap = <T>(caller: WalletCaller, submissionId: string, approve: () => Promise<T>) => Promise<T>

/**
 * The limits of `agent:approve` (spec §5, OAuth 9): count and amount are reserved before anything is claimed, and given
 * back when the approval is refused before money moved. What may have moved stays reserved until that is known.
 */
export function createWithinCap({ market, approvals, newId, onUnavailable }: CappedApprovalDeps): WithinCap {
  return async (caller, submissionId, approve) => {
    const { delegation } = caller
    if (delegation === undefined) return approve()
    const { grantId, expiresAt } = delegation
    if (delegation.approval === null) {
      // Nobody looked whether there is such a submission, so the owner is not told of each one that was named.
      await note(approvals, { grantId, submissionId: null, code: 'approval_budget_missing' })
      throw new MarketError('approval_budget_missing', { submission_id: submissionId })
    }
    const cents = centsOf(await market.sumToApprove(caller, submissionId))
    if (cents === null) {
      await note(approvals, { grantId, submissionId, code: 'approval_amount_unknown' })
      throw new MarketError('approval_amount_unknown', { submission_id: submissionId })
    }
    const asked = {
      grantId,
      wallet: caller.wallet,
      submissionId,
      reservation: newId(),
      cents,
      ...delegation.approval,
      expiresAt,
    }
    const isOwn = await reserve(approvals, asked, onUnavailable)
    try {
      return await approve()
    } catch (error) {
      // A reservation that cannot be given back now is given back by the duty that settles them.
      if (isOwn && movedNothing(error)) await approvals.giveBack(asked).catch(() => undefined)
      throw error
    }
  }
}

/** Whether this attempt holds the reservation; one that another attempt holds is that one's to give back. */
async function reserve(
  approvals: ApprovalCount,
  asked: Asked,
  onUnavailable: CappedApprovalDeps['onUnavailable'],
): Promise<boolean> {
  const reserved = await approvals.reserve(asked).catch((cause: unknown) => {
    onUnavailable(cause, asked)
    throw new MarketError('approval_budget_unavailable', { submission_id: asked.submissionId }, { cause })
  })
  const { submissionId: submission_id, maxCents, maxCount } = asked
  if (reserved === 'over')
    throw new MarketError('approval_amount_over_limit', { submission_id, limit_usd: dollars(maxCents) })
  if (reserved === 'exhausted') throw new MarketError('approval_count_exhausted', { submission_id, limit: maxCount })
  return reserved === 'reserved'
}

/** The refusal is said whether it can be noted or not. */
const note = (approvals: ApprovalCount, refused: Parameters<ApprovalCount['noteRefused']>[0]): Promise<void> =>
  approvals.noteRefused(refused).catch(() => undefined)

/** The larger of bounty and escrowed amount, in cents rounded up; null where neither names one. */
function centsOf({ bounty, escrowed }: { bounty: Amount; escrowed: bigint | null }): bigint | null {
  const atomic = escrowed !== null && escrowed > bounty.atomic ? escrowed : bounty.atomic
  // The limit is in dollars: what a token that follows another currency is worth in them, nobody here knows.
  if (atomic <= 0n || !bounty.asset.symbol.includes('USD')) return null
  const unit = 10n ** BigInt(bounty.asset.decimals)
  return (atomic * 100n + unit - 1n) / unit
}

const dollars = (cents: bigint): string => `${String(cents / 100n)}.${String(cents % 100n).padStart(2, '0')}`

/** A code below 500 is said before the claim or when it was given back, and so is the one failure that is retried. */
function movedNothing(error: unknown): boolean {
  return error instanceof MarketError && (errorCatalogue[error.code].status < 500 || error.code === 'SETTLEMENT_FAILED')
}
