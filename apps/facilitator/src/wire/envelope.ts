import type { Address } from '@ergon/protocols'
import { Refusal } from '../errors.ts'
import {
  readAddress,
  readInteger,
  readOpenRecord,
  readOptionalText,
  readText,
  readUint,
  type WireRecord,
} from './read.ts'

export type Requirements = {
  readonly scheme: string | undefined
  readonly network: string | undefined
  /** maxAmountRequired (v1) or amount (v2). */
  readonly amount: bigint | undefined
  readonly asset: Address | undefined
  readonly payTo: Address | undefined
  readonly extra: WireRecord | undefined
}

/** What every accepted form of a verify or settle body comes down to (facts §2.1, §2.3). */
export type Envelope = {
  readonly version: 1 | 2
  readonly scheme: string
  readonly action: string | undefined
  /** As the request wrote it, and as the answer repeats it. */
  readonly network: string | undefined
  /** The network the payer's side named; it must be the same. */
  readonly payloadNetwork: string | undefined
  readonly payloadScheme: string | undefined
  readonly payload: unknown
  readonly requirements: Requirements | undefined
}

/**
 * The envelope is x402's, and who else reads it may find more in it: what is not known there is passed over. What is
 * signed, and what decides about money, has no unknown fields.
 */
export function readEnvelope(value: unknown): Envelope {
  const body = readOpenRecord(value, 'body')
  const version = body['x402Version']
  if (version !== 1 && version !== 2) throw new Refusal('invalid_x402_version', 'x402Version must be 1 or 2')
  const wrapped =
    body['paymentPayload'] === undefined ? undefined : readOpenRecord(body['paymentPayload'], 'paymentPayload')
  const inner = wrapped ?? body
  const accepted = inner['accepted'] === undefined ? undefined : readRequirements(inner['accepted'], 'accepted')
  const requirements =
    body['paymentRequirements'] === undefined
      ? accepted
      : readRequirements(body['paymentRequirements'], 'paymentRequirements')
  const payloadScheme = readOptionalText(inner['scheme'], 'scheme', 32) ?? accepted?.scheme
  const payloadNetwork = readOptionalText(inner['network'], 'network', 64) ?? accepted?.network
  const scheme = requirements?.scheme ?? payloadScheme
  if (scheme === undefined) throw new Refusal('invalid_payload', 'Missing required field: scheme')
  return {
    version,
    scheme: readText(scheme, 'scheme', 32),
    action:
      readOptionalText(inner['action'], 'action', 32) ??
      actionOf(inner['accepted']) ??
      readOptionalText(body['action'], 'action', 32),
    network: requirements?.network ?? payloadNetwork,
    payloadNetwork,
    payloadScheme,
    payload: inner['payload'],
    requirements,
  }
}

export function isEscrowScheme(scheme: string | undefined): boolean {
  return scheme === 'escrow' || scheme === 'commerce'
}

function readRequirements(value: unknown, path: string): Requirements {
  const record = readOpenRecord(value, path)
  const amount = record['maxAmountRequired'] ?? record['amount']
  if (record['maxTimeoutSeconds'] !== undefined) readInteger(record['maxTimeoutSeconds'], `${path}.maxTimeoutSeconds`)
  return {
    scheme: readOptionalText(record['scheme'], `${path}.scheme`, 32),
    network: readOptionalText(record['network'], `${path}.network`, 64),
    amount: amount === undefined ? undefined : readUint(amount, `${path}.amount`),
    asset: record['asset'] === undefined ? undefined : readAddress(record['asset'], `${path}.asset`),
    payTo: record['payTo'] === undefined ? undefined : readAddress(record['payTo'], `${path}.payTo`),
    extra:
      record['extra'] === undefined || record['extra'] === null
        ? undefined
        : readOpenRecord(record['extra'], `${path}.extra`),
  }
}

function actionOf(accepted: unknown): string | undefined {
  return accepted === undefined
    ? undefined
    : readOptionalText(readOpenRecord(accepted, 'accepted')['action'], 'accepted.action', 32)
}
