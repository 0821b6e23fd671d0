/** What the domain needs to know of a payment network; the server builds it from the network table. */
export type MarketNetwork = {
  readonly name: string
  readonly caip2: string
  readonly chainId: number | null
  readonly hasEscrow: boolean
  readonly tokens: Readonly<Record<string, { readonly address: string; readonly decimals: number }>>
  readonly takesRatings: boolean
}
