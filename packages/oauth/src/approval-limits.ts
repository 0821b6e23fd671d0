import type { ApprovalLimits } from './ports.ts'

/** Spec §8: at most 100.00 USD for an approval, at most 50 of them. */
export const mostApproval: ApprovalLimits = { maxCents: 10_000n, maxCount: 50 }

/** The limits as they were typed, or what is wrong with which of them. */
export function readLimits(usd: string, count: string): ApprovalLimits | { readonly fault: 'usd' | 'count' } {
  const money = /^(\d{1,3})(?:[.,](\d{1,2}))?$/.exec(usd.trim())
  const maxCents = money === null ? 0n : BigInt(money[1] ?? '0') * 100n + BigInt((money[2] ?? '').padEnd(2, '0'))
  if (maxCents < 1n || maxCents > mostApproval.maxCents) return { fault: 'usd' }
  const maxCount = /^\d{1,2}$/.test(count.trim()) ? Number(count.trim()) : 0
  if (maxCount < 1 || maxCount > mostApproval.maxCount) return { fault: 'count' }
  return { maxCents, maxCount }
}

/** Dollars with two digits of cents: `7.50`. */
export function usdOf(cents: bigint): string {
  return `${String(cents / 100n)}.${String(cents % 100n).padStart(2, '0')}`
}

/** @throws RangeError when it is not what {@link usdOf} writes */
export function centsOf(usd: string): bigint {
  const parts = /^(\d{1,9})\.(\d{2})$/.exec(usd)
  if (parts === null) throw new RangeError('not an amount in dollars and cents')
  return BigInt(parts[1] ?? '0') * 100n + BigInt(parts[2] ?? '0')
}
