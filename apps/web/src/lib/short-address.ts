/** As much of a wallet, transaction or hash as the eye compares. */
export function shortAddress(value: string): string {
  return value.length > 14 ? `${value.slice(0, 6)}…${value.slice(-4)}` : value
}
