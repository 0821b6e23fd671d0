import { createHash } from 'node:crypto'
import { accountProof, MarketError } from '@ergon/core'
import { parseCaip10 } from '@ergon/protocols'
import type { Accounts } from './accounts.ts'
import type { Principal } from './authenticate.ts'
import type { BearerGrant, BearerGrants } from './bearer-grants.ts'
import type { ErrorAnswer } from './error-body.ts'
import { demand, type Limits } from './limits.ts'
import { claimOf } from './refused-signatures.ts'
import type { RawRequest } from './request.ts'

export type BearersDeps = {
  readonly grants: BearerGrants
  readonly accounts: Pick<Accounts, 'check' | 'proofOf'>
  readonly limits: Pick<Limits, 'refused'>
  /** What tokens have to be for: the tool endpoint without its trailing slash (spec §5, OAuth 2). */
  readonly resource: string
  /** Where a client learns who issues tokens for it. */
  readonly metadataUrl: string
  /** Milliseconds. */
  readonly now: () => number
}

/** The door for delegated tokens; there is none while the rail is off. */
export type Bearers = {
  /**
   * Whose token a request carries; undefined where it carries none. @throws invalid_token, API_KEY_REFUSED,
   * MALFORMED_BODY to what proves itself twice, RATE_LIMITED to whoever guesses, ACCOUNT_PROOF_DIFFERS, SERVICE_BUSY
   */
  prove(request: RawRequest): Promise<Principal | undefined>
  /** The headers by which a client learns how to get a token that would do (spec §5, OAuth 1 and 8). */
  challenge(error: ErrorAnswer): Readonly<Record<string, string>>
  /** Notes that a call was refused for want of a scope, whatever else it was refused for is not noted. */
  stepUp(grant: BearerGrant, refused: unknown): void
}

const bearerLine = /^\s*bearer(?:\s+(.*?))?\s*$/i
/** RFC 6750 §2.1; ours are about 700 characters long. */
const tokenShape = /^[A-Za-z0-9._~+/-]{1,4096}=*$/
/** What dashboards exchanged once (spec §5.11); no key is taken here. */
const agentKey = /^svc_[a-z]+_/

export function createBearers(deps: BearersDeps): Bearers {
  return {
    async prove(request) {
      const token = tokenOf(request)
      if (token === undefined) return undefined
      const grant = await grantOf(deps, request, token)
      const proof = await proofOf(deps, grant)
      return { wallet: grant.wallet, proof, via: 'bearer', grant, consumeNonce: () => Promise.resolve() }
    },
    challenge: (error) => {
      const asked = challengeOf(error, deps.metadataUrl)
      return asked === undefined ? {} : { 'www-authenticate': asked }
    },
    stepUp(grant, refused) {
      if (refused instanceof MarketError && refused.code === 'insufficient_scope')
        deps.grants.missed?.(grant, String(refused.details['scope']))
    },
  }
}

/** The token that a request carries, in the shape of one. @throws as `prove` */
export function tokenOf(request: RawRequest): string | undefined {
  const lines = request.headers.filter(([name]) => name.length === 13 && name.toLowerCase() === 'authorization')
  const bearer = lines.find(([, value]) => bearerLine.test(value))
  if (bearer === undefined) return undefined
  if (lines.length > 1 || claimOf(request) !== null)
    throw new MarketError('MALFORMED_BODY', {}, { message: 'A request proves itself once: by a signature or a token.' })
  const token = bearerLine.exec(bearer[1])?.[1] ?? ''
  if (agentKey.test(token)) throw new MarketError('API_KEY_REFUSED')
  if (!tokenShape.test(token)) throw new MarketError('invalid_token')
  return token
}

/** A token that is refused counts against its address, so that guessing costs the guesser (decision 0090). */
async function grantOf(deps: BearersDeps, request: RawRequest, token: string): Promise<BearerGrant> {
  const now = deps.now()
  const { refused } = deps.limits
  const claim = { ip: request.ip, account: `token ${createHash('sha256').update(token).digest('base64url')}` }
  const verdict = refused.look(claim, now)
  if (verdict !== null) demand(verdict, now)
  let grant: BearerGrant | undefined
  try {
    grant = await deps.grants.grantOf(token, deps.resource)
  } catch (cause) {
    // Whether it was taken back is not known, so it opens nothing.
    throw new MarketError('SERVICE_BUSY', {}, { cause })
  }
  if (grant !== undefined && grant.expiresAt.getTime() > now) {
    refused.proved(claim, now)
    return grant
  }
  refused.failed(claim, now)
  throw new MarketError('invalid_token')
}

/**
 * The account is the one that consented: a key's wherever it signed, a contract's on its own chain alone (decision
 * 0097). What is known of it is believed; consent notes it before a token is issued.
 */
async function proofOf({ accounts }: BearersDeps, { wallet, account }: BearerGrant): Promise<Principal['proof']> {
  const known = await accounts.proofOf(wallet)
  if (known === null || known === 'key') return 'key'
  const proof = accountProof(false, parseCaip10(account).chainId ?? 0)
  await accounts.check({ wallet, proof })
  return proof
}

function challengeOf({ code, body }: ErrorAnswer, metadataUrl: string): string | undefined {
  const resource = `resource_metadata="${metadataUrl}"`
  // Nobody failed who sent nothing, so RFC 6750 §3.1 names no error.
  if (code === 'UNAUTHORIZED') return `Bearer ${resource}, scope="task:read"`
  const failed = `Bearer error="${code}", error_description="${quotable(body.message)}", ${resource}`
  if (code === 'invalid_token') return `${failed}, scope="task:read"`
  if (code === 'insufficient_scope') return `${failed}, scope="${String(body.details?.['scope'])}"`
  return undefined
}

/** What may stand in a quoted string of a header. */
const quotable = (text: string): string => text.replaceAll(/[^\x20-\x7e]|["\\]/g, '')
