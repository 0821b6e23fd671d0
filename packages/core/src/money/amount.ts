/** A stablecoin on one network. */
export type Asset = { readonly symbol: string; readonly network: string; readonly decimals: number }

/** Money inside the service: atomic units of an asset, never a `number`. */
export type Amount = { readonly atomic: bigint; readonly asset: Asset }
