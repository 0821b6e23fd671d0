import { createHmac, timingSafeEqual } from 'node:crypto'
import {
  canonicalJson,
  challengeHeader,
  requestFromWire,
  requestToWire,
  toHeaderJson,
  type SessionRequest,
  type VoucherSigner,
} from '@ergon/channels'
import { ProtocolError, type WireRecord } from '@ergon/protocols'
import type { Config, Secrets } from '../config/config.ts'
import type { Endpoint } from '../config/endpoints.ts'
import { Refusal } from '../errors.ts'
import type { Recent } from './recent.ts'

/** The seller's share; the operator is the payee of the channel and keeps the rest. */
export const sellerBps = 8_700

/** What a credential answers, proven to be ours. */
export type OwnChallenge = { readonly id: string; readonly expiresAt: number; readonly request: SessionRequest }

/** Challenges carry all that is needed to know them again: nothing is stored for those that nobody answers. */
export type Challenges = {
  /** The values of `WWW-Authenticate`, one for each way to sign vouchers. */
  headers(endpoint: Endpoint, recent: Recent | undefined, nowMs: number): readonly string[]
  /** @throws Refusal `invalid_challenge` for one that is not ours, or of another endpoint's terms. */
  read(challenge: WireRecord, endpoint: Endpoint): OwnChallenge
}

const lifeMs = 300_000

export function createChallenges(config: Config, { operator, voucher }: Secrets): Challenges {
  // Whoever restarts with the same keys knows its challenges again.
  const secret = createHmac('sha256', voucher.seed).update('ergon gateway challenges').digest()
  const idOf = (expires: string, request: string): string => {
    const bound = canonicalJson({ realm: config.realm, expires, request })
    return createHmac('sha256', secret).update(bound).digest('base64url')
  }
  const requestOf = (endpoint: Endpoint, voucherSigner: VoucherSigner, recent?: Recent): SessionRequest => ({
    amount: endpoint.price,
    unitType: 'request',
    recipient: operator.address,
    currency: config.mint,
    minimumDeposit: config.deposits.least,
    suggestedDeposit: config.deposits.suggested,
    network: config.network,
    channelProgram: config.channelProgram,
    decimals: 6,
    operator: operator.address,
    voucherSigner,
    ...(voucherSigner === 'operator' ? { authorizedSigner: voucher.address } : {}),
    gracePeriodSec: config.graceSec,
    splits: [{ recipient: endpoint.payee, bps: sellerBps }],
    idleTimeoutOptionsSec: [config.idleSec],
    ...(recent === undefined ? {} : { recentBlockhash: recent.blockhash, recentSlot: recent.slot }),
  })
  return {
    headers: (endpoint, recent, nowMs) =>
      config.voucherSigners.map((voucherSigner) => {
        const request = requestOf(endpoint, voucherSigner, recent)
        const expires = new Date(nowMs + lifeMs).toISOString()
        const id = idOf(expires, toHeaderJson(requestToWire(request)))
        return challengeHeader({ id, realm: config.realm, expires, request })
      }),
    read(challenge, endpoint) {
      const { id, realm, method, intent, expires, request } = challenge
      const isText = [id, realm, method, intent, expires, request].every((field) => typeof field === 'string')
      if (!isText || realm !== config.realm || method !== 'solana' || intent !== 'session') throw foreign()
      // Each has just been asked whether it is a text.
      const [text, until, own] = [String(request), String(expires), String(id)]
      if (!isSame(own, idOf(until, text))) throw foreign()
      const asked = readRequest(text)
      const { recentBlockhash: _, recentSlot: __, ...terms } = asked
      const current = requestOf(endpoint, asked.voucherSigner)
      if (canonicalJson(requestToWire(terms)) !== canonicalJson(requestToWire(current)))
        throw new Refusal(402, 'invalid_challenge', 'the challenge is of other terms than this endpoint has now', {
          type: 'invalid-challenge',
        })
      return { id: own, expiresAt: Date.parse(until), request: asked }
    },
  }
}

function readRequest(text: string): SessionRequest {
  try {
    return requestFromWire(text)
  } catch (cause) {
    if (cause instanceof ProtocolError) throw foreign()
    throw cause
  }
}

function isSame(one: string, other: string): boolean {
  const [a, b] = [Buffer.from(one), Buffer.from(other)]
  return a.length === b.length && timingSafeEqual(a, b)
}

function foreign(): Refusal {
  return new Refusal(402, 'invalid_challenge', 'the credential answers no challenge of this gateway', {
    type: 'invalid-challenge',
  })
}
