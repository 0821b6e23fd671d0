import { codesOf, isDeclined } from './declined.ts'
import { OtherAccount } from './other-account.ts'

/** The person closed the explanation or the wallet. */
export class SigningRefused extends Error {
  override readonly name = 'SigningRefused'
}

const longestReason = 300
/** EIP-1474: the resource is not available; wallets say so while their window is open. */
const alreadyAsking = -32_002

/** The wallet could not do it, for the reason that it gives. */
export class WalletFailed extends Error {
  override readonly name = 'WalletFailed'
  /** In the words of the wallet; empty when it gave none. */
  readonly reason: string
  /** It waits for an answer to what it asked before. */
  readonly isAsking: boolean

  constructor(cause: unknown) {
    super('the wallet failed', { cause })
    this.isAsking = codesOf(cause).includes(alreadyAsking)
    const said: unknown = typeof cause === 'object' && cause !== null ? Reflect.get(cause, 'message') : cause
    this.reason = typeof said === 'string' ? said.trim().slice(0, longestReason) : ''
  }
}

/** What came of asking a wallet that rejected: a no of the person, another account, or a failure. */
export function failureOf(cause: unknown): Error {
  if (cause instanceof OtherAccount) return cause
  return isDeclined(cause) ? new SigningRefused('refused in the wallet', { cause }) : new WalletFailed(cause)
}
