import type { PaymentMode } from '@ergon/contract'
import { cutText } from '../cut-text.ts'
import { MarketError } from '../errors.ts'
import { formatUsd, parseUsd, type Amount, type Asset } from '../money/amount.ts'

/**
 * Reads a bounty and holds it to the bounds: 0.01 at least; 100 at most with escrow (spec §2).
 * @throws INVALID_BOUNTY naming field, constraint, bound and what was received.
 */
export function readBounty(
  text: string,
  asset: Asset,
  mode: PaymentMode,
  bounds: { readonly min: string; readonly escrowMax: string; readonly max: string },
): Amount {
  const bounty = parseBounty(text, asset)
  const max = mode === 'fase1' ? bounds.max : bounds.escrowMax
  if (bounty.atomic < parseUsd(bounds.min, asset).atomic) throw refused('minimum', { min: bounds.min }, text)
  if (bounty.atomic > parseUsd(max, asset).atomic) throw refused('maximum', { max }, formatUsd(bounty))
  return bounty
}

function parseBounty(text: string, asset: Asset): Amount {
  try {
    return parseUsd(text, asset)
  } catch (cause) {
    throw new MarketError(
      'INVALID_BOUNTY',
      { field: 'bounty_usd', constraint: `at most ${String(asset.decimals)} decimals`, received: cutText(text, 40) },
      { cause },
    )
  }
}

function refused(constraint: string, bound: Record<string, string>, received: string): MarketError {
  return new MarketError('INVALID_BOUNTY', { field: 'bounty_usd', constraint, ...bound, received })
}

export type BountyBounds = Parameters<typeof readBounty>[3]
