import { MarketError, type WalletCaller } from '@ergon/core'

/** A wallet named in the fields is the signer or nobody (spec §5.5). */
export function demandSigner(caller: WalletCaller, wallet: string | undefined, field: string): void {
  if (wallet !== undefined && wallet.toLowerCase() !== caller.wallet)
    throw new MarketError('FORBIDDEN', { field }, { message: `${field} must be the wallet that signed the request.` })
}
