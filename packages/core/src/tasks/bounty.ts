import type { PaymentMode } from '@ergon/contract'
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
  const bounty = parseBounty(text, asset, bounds.min)
  const max = mode === 'fase1' ? bounds.max : bounds.escrowMax
  if (bounty.atomic < parseUsd(bounds.min, asset).atomic) throw refused('minimum', bounds.min, text)
  if (bounty.atomic > parseUsd(max, asset).atomic) throw refused('maximum', bounds.min, formatUsd(bounty), max)
  return bounty
}

function parseBounty(text: string, asset: Asset, min: string): Amount {
  try {
    return parseUsd(text, asset)
  } catch (cause) {
    throw refused(text.startsWith('-') ? 'minimum' : 'decimals', min, text, undefined, cause)
  }
}

/** The four details of the specification, of the same types whoever refuses (spec §7); `max` where it was passed. */
function refused(
  constraint: 'minimum' | 'maximum' | 'decimals',
  min: string,
  received: string,
  max?: string,
  cause?: unknown,
): MarketError {
  return new MarketError(
    'INVALID_BOUNTY',
    {
      constraint,
      field: 'bounty_usd',
      min: Number(min),
      received: Number(received),
      ...(max === undefined ? {} : { max: Number(max) }),
    },
    cause === undefined ? {} : { cause },
  )
}

export type BountyBounds = Parameters<typeof readBounty>[3]
