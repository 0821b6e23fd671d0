import type { ErrorCode } from '@ergon/contract'
import { tooManyContracts } from './limits.ts'
import { accountProof, MarketError, type AccountProof, type WalletCaller } from '@ergon/core'
import { verifyRequest, type SigningPolicyRules, type VerifyRequestOptions } from '@ergon/protocols'
import type { Accounts } from './accounts.ts'
import type { BearerGrant } from './bearer-grants.ts'
import type { MayAskContract } from './contract-lanes.ts'
import type { RawRequest } from './request.ts'

export type NonceStore = {
  /** As of `verifyRequest`; without `createdAt` the store asks for no age. */
  consume(key: string, expiresAt: number, createdAt?: number): Promise<boolean>
}
export type ContractWallets = VerifyRequestOptions['contracts']

/** A proven account. The nonce of its signature is not consumed yet; a session and a token have none. */
export type Principal = {
  readonly wallet: string
  readonly proof: AccountProof
  readonly via: WalletCaller['via']
  /** What the token carries; there whenever `via` is a bearer. */
  readonly grant?: BearerGrant
  /** @throws SIGNATURE_REPLAYED, nonce_store_unavailable */
  consumeNonce(): Promise<void>
}

export type Authenticate = (request: RawRequest) => Promise<Principal | null>

export type AuthenticateDeps = {
  readonly policy: SigningPolicyRules
  readonly nonces: NonceStore
  readonly contracts: ContractWallets
  readonly mayAskContract: MayAskContract
  readonly accounts: Pick<Accounts, 'check'>
  /** Milliseconds. */
  readonly now: () => number
}

/**
 * Proves who signed, or null when nothing claims a signature. The nonce is only noted here and consumed by the caller
 * of `consumeNonce`, after the identity, the access and the fields were found good: until then nothing has changed,
 * so a 503 can be answered by the same request again, and a refused body may be corrected (decision 0004).
 * @throws the 401 and 503 codes of spec §5, ACCOUNT_PROOF_DIFFERS, RATE_LIMITED when the budget for unknown contract
 * wallets is spent
 */
export function createAuthenticate(deps: AuthenticateDeps): Authenticate {
  return async (request) => {
    if (!claimsSignature(request)) return null
    let noted: Noted | undefined
    let overBudget = false
    const result = await verifyRequest(request, {
      policy: deps.policy,
      now: deps.now() / 1000,
      nonces: {
        consume: (key, expiresAt, createdAt) => {
          noted = { key, expiresAt, createdAt }
          return Promise.resolve(true)
        },
      },
      contracts: {
        isValidSignature: (call) => {
          overBudget = !deps.mayAskContract(request.ip, call)
          return overBudget ? Promise.reject(new Error('over budget')) : deps.contracts.isValidSignature(call)
        },
      },
    })
    if (!result.ok) throw overBudget ? tooManyContracts() : signatureRefusal(result.code, result.reason)
    const proof = noted
    if (proof === undefined) throw new MarketError('INTERNAL')
    const proven = { wallet: result.address, proof: accountProof(result.byKey, result.chainId) }
    await deps.accounts.check(proven)
    return { ...proven, via: 'signature', consumeNonce: () => consume(deps.nonces, proof) }
  }
}

type Noted = { readonly key: string; readonly expiresAt: number; readonly createdAt: number }

async function consume(nonces: NonceStore, { key, expiresAt, createdAt }: Noted): Promise<void> {
  let isNew: boolean
  try {
    isNew = await nonces.consume(key, expiresAt, createdAt)
  } catch (cause) {
    throw new MarketError('nonce_store_unavailable', {}, { cause })
  }
  if (!isNew) throw signatureRefusal('replay', 'the nonce has been used')
}

/** Half a signature is a signature that fails, never an anonymous caller (spec §5.2). */
function claimsSignature(request: RawRequest): boolean {
  return request.headers.some(([name]) => {
    if (name.length !== 9 && name.length !== 15) return false
    const lower = name.toLowerCase()
    return lower === 'signature' || lower === 'signature-input'
  })
}

const namedCodes: Readonly<Record<string, ErrorCode>> = {
  authority_not_allowed: 'authority_not_allowed',
  expired: 'SIGNATURE_EXPIRED',
  not_yet_valid: 'SIGNATURE_EXPIRED',
  replay: 'SIGNATURE_REPLAYED',
  identity_check_unavailable: 'identity_check_unavailable',
  nonce_store_unavailable: 'nonce_store_unavailable',
}

/** `reason_code` is the verifier's own name of the broken rule. */
function signatureRefusal(code: string, reason: string): MarketError {
  return new MarketError(
    namedCodes[code] ?? 'INVALID_SIGNATURE_HEADERS',
    { reason_code: code },
    { message: `The request signature is invalid: ${reason}.` },
  )
}
