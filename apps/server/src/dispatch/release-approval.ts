import { MarketError, type Market, type WalletCaller } from '@ergon/core'
import {
  bytesToHex,
  hashTypedData,
  hexToBytes,
  isHex32,
  recoverAddress,
  releaseApprovalMaxAheadSec,
  sameAddress,
  type Hex,
  type TypedData,
} from '@ergon/protocols'
import type { ContractWallets, NonceStore } from './authenticate.ts'

export type ApprovalDeps = {
  readonly market: Pick<Market, 'approveChallenge'>
  readonly nonces: NonceStore
  readonly contracts: ContractWallets
  /** Milliseconds. */
  readonly now: () => number
}

type Approval = { readonly deadline: number; readonly nonce: Hex; readonly signature: Hex }

/**
 * Checks a ReleaseApproval (spec §5.8, decision 0015): the payer signed exactly the document that the approve challenge
 * hands out, with a deadline at most 900 s ahead and a nonce that is used once.
 * @throws APPROVAL_INVALID, nonce_store_unavailable, and what the challenge throws
 */
export function createApprovalCheck(
  deps: ApprovalDeps,
): (caller: WalletCaller, submissionId: string, raw: string) => Promise<void> {
  return async (caller, submissionId, raw) => {
    const approval = readApproval(raw)
    const nowSec = deps.now() / 1000
    if (approval.deadline < nowSec) throw invalid('its deadline has passed')
    if (approval.deadline > nowSec + releaseApprovalMaxAheadSec)
      throw invalid(`its deadline is more than ${String(releaseApprovalMaxAheadSec)} seconds ahead`)
    const challenge = await deps.market.approveChallenge(caller, submissionId)
    // The signatures port builds it with the typed data of @ergon/protocols.
    const document = challenge.releaseApproval as unknown as TypedData
    const signed = {
      ...document,
      message: { ...document.message, deadline: String(approval.deadline), nonce: approval.nonce },
    }
    const payer = String(document.message['payer'])
    if (!(await isSignedBy(deps, payer, Number(document.domain.chainId), hashTypedData(signed), approval.signature)))
      throw invalid('it is not signed by the payer for this submission and amount')
    await consume(deps.nonces, `approval:${payer.toLowerCase()}:${approval.nonce.toLowerCase()}`, approval.deadline)
  }
}

function readApproval(raw: string): Approval {
  let value: unknown
  try {
    value = JSON.parse(raw)
  } catch {
    throw invalid('it is not JSON')
  }
  const { deadline, nonce, signature } = (typeof value === 'object' && value !== null ? value : {}) as Readonly<
    Record<string, unknown>
  > // fields are checked below
  if (!Number.isSafeInteger(Number(deadline)) || (typeof deadline !== 'number' && typeof deadline !== 'string'))
    throw invalid('it has no deadline in unix seconds')
  if (!isHex32(nonce)) throw invalid('it has no nonce of 32 bytes')
  if (typeof signature !== 'string' || !/^0x(?:[0-9a-fA-F]{2}){1,4096}$/.test(signature))
    throw invalid('it has no signature')
  // Tested above to begin with 0x.
  return { deadline: Number(deadline), nonce, signature: signature as Hex }
}

/** Whether a wallet signed a digest, by its key or by its contract. @throws identity_check_unavailable */
export async function isSignedBy(
  deps: Pick<ApprovalDeps, 'contracts'>,
  payer: string,
  chainId: number,
  digest: Uint8Array,
  signature: Hex,
): Promise<boolean> {
  const signer = recoverAddress(digest, hexToBytes(signature))
  if (signer !== undefined && sameAddress(signer, payer)) return true
  try {
    return await deps.contracts.isValidSignature({ chainId, address: payer, hash: bytesToHex(digest), signature })
  } catch (cause) {
    throw new MarketError('identity_check_unavailable', {}, { cause })
  }
}

async function consume(nonces: NonceStore, key: string, expiresAt: number): Promise<void> {
  let isNew: boolean
  try {
    isNew = await nonces.consume(key, expiresAt)
  } catch (cause) {
    throw new MarketError('nonce_store_unavailable', {}, { cause })
  }
  if (!isNew) throw invalid('it has been used')
}

function invalid(reason: string): MarketError {
  return new MarketError('APPROVAL_INVALID', { reason }, { message: `The release approval is invalid: ${reason}.` })
}
