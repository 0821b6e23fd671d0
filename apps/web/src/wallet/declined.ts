/** The person said no: EIP-1193, and what is said for it behind WalletConnect and ethers. */
export function isDeclined(cause: unknown): boolean {
  return codesOf(cause).some((code) => code === 4001 || code === 5000 || code === 'ACTION_REJECTED')
}

/** Every code in an error, wherever the wallet put it. */
export function codesOf(cause: unknown, depth = 3): readonly unknown[] {
  if (typeof cause !== 'object' || cause === null || depth === 0) return []
  const field = (name: string): unknown => Reflect.get(cause, name)
  return [field('code'), ...['data', 'originalError', 'cause'].flatMap((name) => codesOf(field(name), depth - 1))]
}
