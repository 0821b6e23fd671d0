import {
  MarketError,
  type Market,
  type ReleaseChallenge,
  type SignedReleaseOrder,
  type WalletCaller,
} from '@ergon/core'
import { sameAddress, type Hex, type Signer, type TypedData } from '@ergon/protocols'

/** Standing orders by the grant they were signed for; null where none is good now. */
export type FindWarrant = (key: {
  readonly grantId: string
  readonly chainId: number
  readonly token: string
}) => Promise<Readonly<Record<string, unknown>> | null>

export type StandingReleaseDeps = {
  readonly market: Pick<Market, 'approveChallenge'>
  readonly findWarrant: FindWarrant
  /** Whose lifecycle order a payer lets stand for its own; it has no other role (decision 0124). */
  readonly spender: Signer
}

/**
 * The release order that a token brings with it: signed by the spender, with the payer's standing order as its warrant.
 * Null where the payer signed none for this token, network and spender, or nothing is in escrow.
 */
export type StandingRelease = (caller: WalletCaller, submissionId: string) => Promise<SignedReleaseOrder | null>

/** Null where there is nothing to release: what that means, an approval under way say, the approval itself answers. */
async function releaseOf(
  market: StandingReleaseDeps['market'],
  caller: WalletCaller,
  submissionId: string,
): Promise<ReleaseChallenge | null> {
  try {
    return (await market.approveChallenge(caller, submissionId)).release
  } catch (error) {
    if (error instanceof MarketError && error.code === 'ESCROW_NOT_RELEASABLE') return null
    throw error
  }
}

/** Another secret is another spender, and what a payer signed for the former one allows this one nothing. */
function isFor({ spender: named }: Readonly<Record<string, unknown>>, { address }: Signer): boolean {
  return typeof named === 'string' && sameAddress(named, address)
}

export function createStandingRelease({ market, findWarrant, spender }: StandingReleaseDeps): StandingRelease {
  return async (caller, submissionId) => {
    if (caller.delegation === undefined) return null
    const release = await releaseOf(market, caller, submissionId)
    if (release === null) return null
    // The signatures port builds it with the typed data of @ergon/protocols.
    const document = release.typedData as unknown as TypedData & {
      readonly message: { readonly paymentInfo: { readonly token: string } }
    }
    const warrant = await findWarrant({
      grantId: caller.delegation.grantId,
      chainId: document.domain.chainId ?? 0,
      token: document.message.paymentInfo.token,
    })
    if (warrant === null || !isFor(warrant, spender)) return null
    const signature: Hex = await spender.signTypedData(document)
    return {
      signer: spender.address.toLowerCase(),
      deadline: release.deadline,
      nonce: release.nonce,
      signature,
      warrant,
    }
  }
}
