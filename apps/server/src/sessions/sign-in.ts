import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto'
import { MarketError, type AccountProof } from '@ergon/core'
import { buildSignInMessage, lowerAddress, parseSignInMessage, type Hex, type SignInFields } from '@ergon/protocols'
import type { NonceStore } from '../dispatch/authenticate.ts'
import type { Site } from './origins.ts'
import { proofOf, type WalletSignatureDeps } from './wallet-signature.ts'

export type SignInChallenge = { readonly message: string; readonly nonce: string; readonly expiresAt: Date }

export type SignIn = {
  challenge(wallet: string, chainId: number, site: Site): SignInChallenge
  /**
   * Whose wallet signed a text of ours. @throws SIGN_IN_REFUSED, RATE_LIMITED, identity_check_unavailable,
   * nonce_store_unavailable
   */
  prove(
    message: string,
    signature: Hex,
    ip: string,
  ): Promise<{ readonly wallet: string; readonly chainId: number; readonly proof: AccountProof }>
}

export type SignInDeps = WalletSignatureDeps & {
  /** Thirty-two bytes that nothing else is keyed with. */
  readonly key: Uint8Array
  readonly nonces: NonceStore
  readonly now: () => Date
}

const lifeMs = 600_000
const seedChars = 16
const statement = 'Sign in to the task marketplace. This moves no money and costs no gas.'

/**
 * Sign-in by EIP-4361. The nonce carries a seal over every other byte of the text, so a text of ours is known again
 * without being stored, asking for texts fills no table, and nothing in it can be changed. A nonce is spent by the
 * sign-in that succeeds (spec §5.9, decision 0048).
 */
export function createSignIn(deps: SignInDeps): SignIn {
  const seal = (fields: SignInFields, seed: string): string =>
    createHmac('sha256', deps.key)
      .update(buildSignInMessage({ ...fields, nonce: seed }))
      .digest('hex')
      .slice(0, 32)
  return {
    challenge(wallet, chainId, { domain, uri }) {
      const now = deps.now()
      const expiresAt = new Date(now.getTime() + lifeMs)
      const seed = randomBytes(seedChars / 2).toString('hex')
      const fields = {
        domain,
        uri,
        address: lowerAddress(wallet),
        statement,
        chainId,
        nonce: seed,
        issuedAt: now.toISOString(),
        expirationTime: expiresAt.toISOString(),
      }
      const nonce = seed + seal(fields, seed)
      return { message: buildSignInMessage({ ...fields, nonce }), nonce, expiresAt }
    },
    async prove(message, signature, ip) {
      const fields = read(message)
      const seed = fields.nonce.slice(0, seedChars)
      if (seed.length < seedChars || !same(fields.nonce, seed + seal(fields, seed)))
        throw refused('the text is not one that was handed out')
      const expiresAt = Date.parse(fields.expirationTime ?? '')
      if (!(expiresAt > deps.now().getTime())) throw refused('the text has expired')
      const proof = await proofOf(deps, { account: fields, message, signature }, ip)
      if (proof === null) throw refused('the wallet did not sign this text')
      const signedAt = Date.parse(fields.issuedAt) / 1_000
      if (!(await consume(deps.nonces, fields.nonce, expiresAt / 1_000, signedAt)))
        throw refused('the text has been used')
      return { wallet: fields.address, chainId: fields.chainId, proof }
    },
  }
}

function read(message: string): SignInFields {
  try {
    return parseSignInMessage(message)
  } catch (cause) {
    throw refused('the text is not one that was handed out', cause)
  }
}

async function consume(nonces: NonceStore, nonce: string, expiresAt: number, signedAt: number): Promise<boolean> {
  try {
    return await nonces.consume(`sign-in:${nonce}`, expiresAt, signedAt)
  } catch (cause) {
    throw new MarketError('nonce_store_unavailable', {}, { cause })
  }
}

function same(left: string, right: string): boolean {
  return left.length === right.length && timingSafeEqual(Buffer.from(left), Buffer.from(right))
}

function refused(reason: string, cause?: unknown): MarketError {
  return new MarketError(
    'SIGN_IN_REFUSED',
    { reason },
    { message: `The sign-in was refused: ${reason}.`, ...(cause === undefined ? {} : { cause }) },
  )
}
