import { fromBase58, isSignedByEd25519, ProtocolError, utf8 } from '@ergon/protocols'
import { addressBytes } from './addresses.ts'
import { canonicalJson } from './canonical-json.ts'
import type { SignedVoucher } from './closing.ts'
import type { VerifiedOpen } from './open-verifier.ts'
import { encodeSplits, type Split } from './splits.ts'

/** A payer's word that an operator may sign vouchers of a channel for as long as the channel is open. */
export type SessionProof = { readonly challengeId: string; readonly payer: string; readonly signature: string }

/** What a client says about the transaction it sends; the transaction decides. */
export type OpenClaim = {
  readonly channelId: string
  readonly payer: string
  readonly payee: string
  readonly mint: string
  readonly authorizedSigner: string
  readonly salt: bigint
  readonly deposit: bigint
  readonly gracePeriodSec: number
  readonly openSlot: bigint
  readonly splits: readonly Split[]
}

/** What a client does with a session. */
export type SessionAction =
  | (OpenClaim & {
      readonly action: 'open'
      readonly idleTimeoutSec?: number
      readonly proof?: SessionProof
      readonly wire: Uint8Array
    })
  | { readonly action: 'voucher'; readonly signed: SignedVoucher; readonly signer: string }
  | { readonly action: 'use'; readonly channelId: string; readonly proof: SessionProof }
  | { readonly action: 'topUp'; readonly channelId: string; readonly amount: bigint; readonly wire: Uint8Array }
  | {
      readonly action: 'close'
      readonly channelId: string
      readonly proof?: SessionProof
      readonly last?: { readonly signed: SignedVoucher; readonly signer: string }
    }

/** Refuses a claim that differs from what the transaction does. @throws ProtocolError `claim` */
export function demandClaimed(claim: OpenClaim, open: VerifiedOpen): void {
  const names = ['channelId', 'payer', 'payee', 'mint', 'authorizedSigner', 'salt', 'deposit', 'openSlot'] as const
  const other = [...names, 'gracePeriodSec' as const].find((name) => claim[name] !== open[name])
  const isOtherSplit = String(encodeSplits(claim.splits)) !== String(encodeSplits(open.splits))
  const name = other ?? (isOtherSplit ? 'splits' : undefined)
  if (name !== undefined) throw new ProtocolError('claim', `the credential and its transaction differ in ${name}`)
}

/** The text a payer signs once to let the operator sign vouchers. */
export function proofText(channelId: string, { challengeId, payer }: Omit<SessionProof, 'signature'>): string {
  return canonicalJson({ channelId, domain: 'mpp-session-auth-v1', payer, sessionChallengeId: challengeId })
}

/** Whether the payer it names signed this proof for the channel. */
export function isProved(channelId: string, proof: SessionProof): boolean {
  try {
    const [signature, key] = [fromBase58(proof.signature), addressBytes(proof.payer)]
    return isSignedByEd25519(utf8(proofText(channelId, proof)), signature, key)
  } catch {
    return false
  }
}
