/** Atomic units of a dollar amount as the wire carries it; six decimals are all it can say (spec §2). */
export function atomicOf(usd: number, decimals: number): bigint {
  const [whole = '0', part = ''] = usd.toFixed(6).split('.')
  const millionths = BigInt(whole + part)
  return decimals >= 6 ? millionths * 10n ** BigInt(decimals - 6) : millionths / 10n ** BigInt(6 - decimals)
}

/** The dollar amount of atomic units, as the wire carries it. */
export function usdOf(atomic: bigint, decimals: number): number {
  const digits = atomic.toString().padStart(decimals + 1, '0')
  return Number(`${digits.slice(0, digits.length - decimals)}.${digits.slice(digits.length - decimals)}`)
}
