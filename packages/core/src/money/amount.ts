import { splitFee as splitAtomic } from '@ergon/contract/facts'
import { cutText } from '../cut-text.ts'
import { MarketError } from '../errors.ts'

/** A stablecoin on one network. */
export type Asset = { readonly symbol: string; readonly network: string; readonly decimals: number }

/** Money inside the service: atomic units of an asset, never a `number`. */
export type Amount = { readonly atomic: bigint; readonly asset: Asset }

const decimalText = /^(0|[1-9][0-9]{0,12})(?:\.([0-9]{1,18}))?$/

/**
 * Reads exact decimal text.
 * @throws VALIDATION_FAILED for anything that is not a plain decimal, or has more decimals than the asset (decision
 * 0009).
 */
export function parseUsd(text: string, asset: Asset): Amount {
  const match = decimalText.exec(text)
  const fraction = match?.[2] ?? ''
  if (match === null || fraction.length > asset.decimals) {
    throw new MarketError('VALIDATION_FAILED', {
      constraint: `a decimal with at most ${String(asset.decimals)} places`,
      received: cutText(text, 40),
    })
  }
  const atomic = BigInt(match[1] ?? '0') * 10n ** BigInt(asset.decimals) + BigInt(fraction.padEnd(asset.decimals, '0'))
  return { atomic, asset }
}

/** What every refusal of a payment names: the network, and the dollars it asks for (spec §7, 402). */
export const askedFor = (amount: Amount): { readonly network: string; readonly required_usdc: number } => ({
  network: amount.asset.network,
  required_usdc: Number(formatUsd(amount)),
})

/** Writes exact decimal text without trailing zeros; the inverse of `parseUsd`. */
export function formatUsd(amount: Amount): string {
  const digits = amount.atomic.toString().padStart(amount.asset.decimals + 1, '0')
  const cut = digits.length - amount.asset.decimals
  const fraction = digits.slice(cut).replace(/0+$/, '')
  return fraction === '' ? digits.slice(0, cut) : `${digits.slice(0, cut)}.${fraction}`
}

export type Split = { readonly gross: Amount; readonly fee: Amount; readonly payout: Amount }

/**
 * A gross amount as fee and payout, rounded as the contract does. `shareBps`: the share that the chain says it kept, in
 * hundredths of a percent, where that is known.
 */
export function splitFee(gross: Amount, shareBps?: number): Split {
  const { fee, payout } = splitAtomic(gross.atomic, shareBps)
  return { gross, fee: { ...gross, atomic: fee }, payout: { ...gross, atomic: payout } }
}
