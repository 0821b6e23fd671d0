/** Who is asking. `agentId` is the caller's ERC-8004 id on the deployment's identity network, once known. */
export type Anonymous = { readonly kind: 'anonymous' }
export type WalletCaller = { readonly kind: 'wallet'; readonly wallet: string; readonly agentId: number | null }
/** Who holds the admin key of this deployment; owns no rows. */
export type AdminCaller = { readonly kind: 'admin' }
export type Caller = Anonymous | WalletCaller
