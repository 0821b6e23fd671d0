import type { Address } from '../bytes.ts'
import { parseLifecycleAuth, type LifecycleAuthWire } from '../lifecycle-order.ts'
import { readTransferAuthorization, type PaymentAuth } from '../payment-auth.ts'
import { paymentInfoFromWire, type PaymentInfo } from '../payment-info.ts'
import { ProtocolError } from '../protocol-error.ts'
import { readAddress, readDecimal, readHex, readRecord, readText, type WireRecord } from '../wire-reader.ts'

/** Which deployment a request was made for. */
export type EscrowAddresses = { readonly escrow: Address; readonly operator: Address; readonly collector: Address }
/** An escrow action as /verify and /settle receive it. */
export type EscrowRequest = {
  readonly network: string
  readonly addresses: EscrowAddresses
  readonly extra: WireRecord
} & (
  | { readonly action: 'authorize'; readonly auth: PaymentAuth }
  | {
      readonly action: 'release' | 'refundInEscrow'
      readonly paymentInfo: PaymentInfo
      readonly amount: bigint
      readonly lifecycleAuth?: LifecycleAuthWire
    }
)

/** Whether a body is meant for the escrow scheme, whatever else is wrong with it. */
export function isEscrowRequest(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return false
  const parts = partsOf(readRecord(value, 'body'))
  return parts.scheme === 'escrow' || parts.scheme === 'commerce'
}

/**
 * Reads an escrow action, at the top of the body or wrapped in paymentPayload. Throws ProtocolError
 * `invalid_scheme`, `unknown_action`, `missing_field` or `malformed`.
 */
export function parseEscrowRequest(value: unknown): EscrowRequest {
  const parts = partsOf(readRecord(value, 'body'))
  if (parts.scheme !== 'escrow' && parts.scheme !== 'commerce') {
    throw new ProtocolError('invalid_scheme', "expected 'escrow'")
  }
  const requirements = readRecord(parts.requirements, 'paymentRequirements')
  for (const key of ['network', 'extra']) {
    if (requirements[key] === undefined) throw new ProtocolError('missing_field', `paymentRequirements.${key}`)
  }
  const network = readText(requirements['network'], 'paymentRequirements.network', 64)
  const extra = readRecord(requirements['extra'], 'paymentRequirements.extra')
  const common = { network, extra, addresses: readAddresses(extra) }
  const payload = readRecord(parts.payload, 'payload')
  const { action } = parts
  if (action === undefined || action === 'authorize')
    return { ...common, action: 'authorize', auth: readAuth(payload, network, extra) }
  if (action === 'release' || action === 'refundInEscrow') return { ...common, action, ...readMove(payload) }
  throw new ProtocolError(
    'unknown_action',
    typeof action === 'string' ? action.slice(0, 40).toWellFormed() : typeof action,
  )
}

type Parts = {
  readonly scheme: unknown
  readonly action: unknown
  readonly payload: unknown
  readonly requirements: unknown
}

function partsOf(body: WireRecord): Parts {
  const wrapper = isRecord(body['paymentPayload']) ? body['paymentPayload'] : {}
  const accepted = isRecord(wrapper['accepted']) ? wrapper['accepted'] : {}
  const requirements = body['paymentRequirements'] ?? wrapper['accepted']
  return {
    scheme: body['scheme'] ?? wrapper['scheme'] ?? accepted['scheme'],
    action: body['action'] ?? wrapper['action'] ?? accepted['action'],
    payload: body['payload'] ?? wrapper['payload'],
    requirements,
  }
}

function isRecord(value: unknown): value is WireRecord {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function readAddresses(extra: WireRecord): EscrowAddresses {
  return {
    escrow: readAddress(extra['escrowAddress'], 'extra.escrowAddress'),
    operator: readAddress(extra['operatorAddress'], 'extra.operatorAddress'),
    collector: readAddress(extra['tokenCollector'], 'extra.tokenCollector'),
  }
}

function readAuth(payload: WireRecord, network: string, extra: WireRecord): PaymentAuth {
  const authorization = readTransferAuthorization(payload['authorization'], 'authorization')
  return {
    network,
    authorization,
    signature: readHex(payload['signature'], 'payload.signature', 8192),
    paymentInfo: paymentInfoFromWire(payload['paymentInfo'], authorization.from),
    extra,
  }
}

function readMove(payload: WireRecord) {
  const payer = readAddress(payload['payer'], 'payload.payer')
  const lifecycleAuth = payload['lifecycleAuth']
  return {
    paymentInfo: paymentInfoFromWire(payload['paymentInfo'], payer),
    amount: readDecimal(payload['amount'], 'payload.amount', 120),
    ...(lifecycleAuth === undefined ? {} : { lifecycleAuth: parseLifecycleAuth(lifecycleAuth) }),
  }
}
