import { readTransferAuthorization } from '../payment-auth.ts'
import type { Hex } from '../bytes.ts'
import type { TransferAuthorization } from '../eip3009.ts'
import { ProtocolError } from '../protocol-error.ts'
import { readCount, readDecimal, readHex, readRecord, readText, refuse, type WireRecord } from '../wire-reader.ts'
import type {
  PaymentPayloadV1,
  PaymentPayloadV2,
  PaymentRequest,
  PaymentRequiredV1,
  PaymentRequiredV2,
  PaymentRequirementsV1,
  PaymentRequirementsV2,
  ResourceInfo,
} from './envelope.ts'

/** The payload of the scheme `exact` on an EVM network. */
export type ExactPayload = { readonly signature: Hex; readonly authorization: TransferAuthorization }

const maxAccepts = 64

/**
 * Reads the body of /verify or /settle in either version. Known members are checked, foreign ones left
 * alone, since envelopes grow. Throws ProtocolError `malformed`, or `invalid_x402_version`.
 */
export function parsePaymentRequest(value: unknown): PaymentRequest {
  const record = readRecord(value, 'body')
  if (record['x402Version'] === 1) {
    return {
      x402Version: 1,
      paymentPayload: parsePaymentPayloadV1(record['paymentPayload']),
      paymentRequirements: parseRequirementsV1(record['paymentRequirements'], 'paymentRequirements'),
    }
  }
  if (record['x402Version'] !== 2) throw new ProtocolError('invalid_x402_version', 'x402Version must be 1 or 2')
  // The short form puts payload, resource and accepted at the top and repeats nothing.
  const paymentPayload = parsePaymentPayloadV2(record['paymentPayload'] ?? record)
  const requirements = record['paymentRequirements']
  return {
    x402Version: 2,
    paymentPayload,
    paymentRequirements:
      requirements === undefined ? paymentPayload.accepted : parseRequirementsV2(requirements, 'paymentRequirements'),
  }
}

/** Reads a version 1 payment, as `X-PAYMENT` carries it. Throws ProtocolError `malformed`. */
export function parsePaymentPayloadV1(value: unknown): PaymentPayloadV1 {
  const record = readRecord(value, 'paymentPayload')
  if (record['x402Version'] !== 1) refuse('paymentPayload.x402Version', '1')
  return {
    x402Version: 1,
    scheme: readText(record['scheme'], 'paymentPayload.scheme', 64),
    network: readText(record['network'], 'paymentPayload.network', 64),
    payload: readRecord(record['payload'], 'paymentPayload.payload'),
  }
}

/** Reads a version 2 payment, as `PAYMENT-SIGNATURE` carries it. Throws ProtocolError `malformed`. */
export function parsePaymentPayloadV2(value: unknown): PaymentPayloadV2 {
  const record = readRecord(value, 'paymentPayload')
  if (record['x402Version'] !== 2) refuse('paymentPayload.x402Version', '2')
  return {
    x402Version: 2,
    accepted: parseRequirementsV2(record['accepted'], 'paymentPayload.accepted'),
    payload: readRecord(record['payload'], 'paymentPayload.payload'),
    ...(record['resource'] === undefined ? {} : { resource: parseResource(record['resource']) }),
    ...optionalRecord('extensions', record['extensions'], 'paymentPayload.extensions'),
  }
}

/** Reads the payload of the scheme `exact`. Throws ProtocolError `malformed`. */
export function parseExactPayload(value: unknown): ExactPayload {
  const record = readRecord(value, 'payload')
  return {
    signature: readHex(record['signature'], 'payload.signature', 8192),
    authorization: readTransferAuthorization(record['authorization'], 'payload.authorization'),
  }
}

/** Reads version 1 requirements. Throws ProtocolError `malformed`. */
export function parseRequirementsV1(value: unknown, path: string): PaymentRequirementsV1 {
  const record = readRecord(value, path)
  return {
    ...readCommon(record, path),
    maxAmountRequired: readDecimal(record['maxAmountRequired'], `${path}.maxAmountRequired`).toString(),
    resource: readText(record['resource'] ?? '', `${path}.resource`),
    description: readText(record['description'] ?? '', `${path}.description`),
    mimeType: readText(record['mimeType'] ?? '', `${path}.mimeType`, 256),
    ...(record['outputSchema'] === null
      ? {}
      : optionalRecord('outputSchema', record['outputSchema'], `${path}.outputSchema`)),
  }
}

/** Reads version 2 requirements. Throws ProtocolError `malformed`. */
export function parseRequirementsV2(value: unknown, path: string): PaymentRequirementsV2 {
  const record = readRecord(value, path)
  return { ...readCommon(record, path), amount: readDecimal(record['amount'], `${path}.amount`).toString() }
}

function readCommon(record: WireRecord, path: string) {
  return {
    scheme: readText(record['scheme'], `${path}.scheme`, 64),
    network: readText(record['network'], `${path}.network`, 64),
    asset: readText(record['asset'], `${path}.asset`, 64),
    payTo: readText(record['payTo'], `${path}.payTo`, 64),
    maxTimeoutSeconds: readCount(record['maxTimeoutSeconds'], `${path}.maxTimeoutSeconds`),
    ...(record['extra'] === null ? {} : optionalRecord('extra', record['extra'], `${path}.extra`)),
  }
}

function optionalRecord<Key extends string>(
  key: Key,
  value: unknown,
  path: string,
): { readonly [K in Key]?: WireRecord } {
  if (value === undefined) return {}
  const entry: { [K in Key]?: WireRecord } = {}
  entry[key] = readRecord(value, path)
  return entry
}

function parseResource(value: unknown): ResourceInfo {
  const record = readRecord(value, 'resource')
  const { description, mimeType } = record
  return {
    url: readText(record['url'], 'resource.url'),
    ...(description === undefined ? {} : { description: readText(description, 'resource.description') }),
    ...(mimeType === undefined ? {} : { mimeType: readText(mimeType, 'resource.mimeType', 256) }),
  }
}

/** Reads a 402 answer in either version. Throws ProtocolError `malformed`, or `invalid_x402_version`. */
export function parsePaymentRequired(value: unknown): PaymentRequiredV1 | PaymentRequiredV2 {
  const record = readRecord(value, 'body')
  const accepts: unknown = record['accepts']
  if (!Array.isArray(accepts) || accepts.length > maxAccepts) refuse('body.accepts', `a list of at most ${maxAccepts}`)
  // Array.isArray answers any[]; the entries stay unknown until read.
  const entries = accepts as readonly unknown[]
  const error = record['error'] === undefined ? {} : { error: readText(record['error'], 'body.error') }
  if (record['x402Version'] === 1) {
    return {
      x402Version: 1,
      ...error,
      accepts: entries.map((entry, at) => parseRequirementsV1(entry, `accepts[${at}]`)),
    }
  }
  if (record['x402Version'] !== 2) throw new ProtocolError('invalid_x402_version', 'x402Version must be 1 or 2')
  return {
    x402Version: 2,
    ...error,
    resource: parseResource(record['resource']),
    accepts: entries.map((entry, at) => parseRequirementsV2(entry, `accepts[${at}]`)),
    ...optionalRecord('extensions', record['extensions'], 'body.extensions'),
  }
}
