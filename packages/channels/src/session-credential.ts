import { ProtocolError, readRecord, type WireRecord } from '@ergon/protocols'
import { fromHeaderJson, toHeaderJson, type CanonicalValue } from './canonical-json.ts'
import type { SessionAction } from './session-action.ts'
import { actionToWire, readAction } from './session-action-wire.ts'
import { sessionIntent, sessionMethod } from './session-request.ts'

/** `Authorization: Payment`: the challenge it answers, and what its client does. */
export type SessionCredential = { readonly challenge: WireRecord; readonly action: SessionAction }

/** @returns the value of the header. */
export function credentialHeader(challenge: CanonicalValue, action: SessionAction): string {
  return `Payment ${toHeaderJson({ challenge, payload: actionToWire(action) })}`
}

/**
 * Reads the value of an `Authorization` header. Members nobody knows are refused, and so is an opening that carries a
 * `bump`: the program finds it by itself, and a wrong one could belong to the right address.
 *
 * @throws ProtocolError `malformed`
 */
export function readCredential(header: string): SessionCredential {
  const [, token] = /^Payment +([A-Za-z0-9_-]+)$/i.exec(header) ?? []
  if (token === undefined) throw new ProtocolError('malformed', 'the credential must be Payment and base64url')
  const { challenge, payload } = readRecord(fromHeaderJson(token), 'credential', ['challenge', 'payload'], ['source'])
  return { challenge: readRecord(challenge, 'challenge'), action: readAction(payload) }
}

/** What a client gets with the answer it paid for. Amounts in atomic units. */
export type SessionReceipt = {
  readonly channelId: string
  /** RFC 3339. */
  readonly timestamp: string
  readonly challengeId?: string
  readonly acceptedCumulative: bigint
  readonly spent: bigint
  readonly idleTimeoutSec?: number
  /** The base58 signature of the transaction that ended it. */
  readonly txHash?: string
  readonly refunded?: bigint
}

/** The value of a `Payment-Receipt` header. */
export function receiptHeader(receipt: SessionReceipt): string {
  return toHeaderJson({
    method: sessionMethod,
    intent: sessionIntent,
    reference: receipt.channelId,
    status: 'success',
    timestamp: receipt.timestamp,
    challengeId: receipt.challengeId,
    acceptedCumulative: receipt.acceptedCumulative.toString(),
    spent: receipt.spent.toString(),
    idleTimeoutSeconds: receipt.idleTimeoutSec,
    txHash: receipt.txHash,
    refunded: receipt.refunded?.toString(),
  })
}
