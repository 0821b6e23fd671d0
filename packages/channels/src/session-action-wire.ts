import { base64ToBytes, bytesToBase64, ProtocolError, readRecord, readText, type WireRecord } from '@ergon/protocols'
import type { CanonicalValue } from './canonical-json.ts'
import type { SignedVoucher } from './closing.ts'
import type { SessionAction, SessionProof } from './session-action.ts'
import { readKey, readU64, readWhole, splitsFromWire, splitsToWire } from './session-request.ts'

/** The payload of a credential as the draft writes it. */
export function actionToWire(action: SessionAction): CanonicalValue {
  switch (action.action) {
    case 'open':
      return {
        action: 'open',
        channelId: action.channelId,
        payer: action.payer,
        payee: action.payee,
        mint: action.mint,
        authorizedSigner: action.authorizedSigner,
        salt: action.salt.toString(),
        depositAmount: action.deposit.toString(),
        gracePeriodSeconds: action.gracePeriodSec,
        openSlot: action.openSlot.toString(),
        distributionSplits: splitsToWire(action.splits),
        idleTimeoutSeconds: action.idleTimeoutSec,
        authentication: action.proof && proofToWire(action.proof),
        transaction: bytesToBase64(action.wire),
      }
    case 'voucher':
      return { action: 'voucher', voucher: voucherToWire(action.signed, action.signer) }
    case 'use':
      return { action: 'use', channelId: action.channelId, authentication: proofToWire(action.proof) }
    case 'topUp':
      return {
        action: 'topUp',
        channelId: action.channelId,
        additionalAmount: action.amount.toString(),
        transaction: bytesToBase64(action.wire),
      }
    case 'close':
      return {
        action: 'close',
        channelId: action.channelId,
        voucher: action.last && voucherToWire(action.last.signed, action.last.signer),
        authentication: action.proof && proofToWire(action.proof),
      }
  }
}

/** @throws ProtocolError `malformed` for members nobody knows, an opening's `bump` among them. */
export function readAction(payload: unknown): SessionAction {
  const wire = readRecord(payload, 'payload')
  switch (wire['action']) {
    case 'open':
      return readOpen(wire)
    case 'voucher':
      return { action: 'voucher', ...readVoucher(exactly(wire, ['voucher'])['voucher']) }
    case 'use': {
      const { authentication } = exactly(wire, ['channelId', 'authentication'])
      return { action: 'use', channelId: readKey(wire, 'channelId'), proof: readProof(authentication) }
    }
    case 'topUp': {
      const { transaction } = exactly(wire, ['channelId', 'additionalAmount', 'transaction'])
      const amount = readU64(wire, 'additionalAmount')
      return { action: 'topUp', channelId: readKey(wire, 'channelId'), amount, wire: readWire(transaction) }
    }
    case 'close': {
      const { voucher, authentication } = exactly(wire, ['channelId'], ['voucher', 'authentication'])
      return {
        action: 'close',
        channelId: readKey(wire, 'channelId'),
        ...(voucher === undefined ? {} : { last: readVoucher(voucher) }),
        ...(authentication === undefined ? {} : { proof: readProof(authentication) }),
      }
    }
    default:
      throw malformed('payload.action must be open, voucher, use, topUp or close')
  }
}

const claimed = ['channelId', 'payer', 'payee', 'mint', 'authorizedSigner', 'salt', 'depositAmount', 'openSlot']

function readOpen(wire: WireRecord): SessionAction {
  const optional = ['distributionSplits', 'idleTimeoutSeconds', 'authentication', 'authorizationPolicy', 'capabilities']
  exactly(wire, [...claimed, 'gracePeriodSeconds', 'transaction'], optional)
  const { idleTimeoutSeconds, authentication } = wire
  return {
    action: 'open',
    channelId: readKey(wire, 'channelId'),
    payer: readKey(wire, 'payer'),
    payee: readKey(wire, 'payee'),
    mint: readKey(wire, 'mint'),
    authorizedSigner: readKey(wire, 'authorizedSigner'),
    salt: readU64(wire, 'salt'),
    deposit: readU64(wire, 'depositAmount'),
    gracePeriodSec: readWhole(wire, 'gracePeriodSeconds', 0xffff_ffff),
    openSlot: readU64(wire, 'openSlot'),
    splits: splitsFromWire(wire['distributionSplits']),
    ...(idleTimeoutSeconds === undefined ? {} : { idleTimeoutSec: readWhole(wire, 'idleTimeoutSeconds', 2_592_000) }),
    ...(authentication === undefined ? {} : { proof: readProof(authentication) }),
    wire: readWire(wire['transaction']),
  }
}

/** Later drafts call the inner object `data`; the bytes that are signed are the same. */
function readVoucher(value: unknown): { readonly signed: SignedVoucher; readonly signer: string } {
  const wire = readRecord(value, 'voucher', ['signer', 'signature', 'signatureType'], ['voucher', 'data'])
  if (wire['signatureType'] !== 'ed25519') throw malformed('voucher.signatureType must be ed25519')
  if ((wire['voucher'] === undefined) === (wire['data'] === undefined)) throw malformed('voucher.voucher must be there')
  const inner = readRecord(
    wire['voucher'] ?? wire['data'],
    'voucher.voucher',
    ['channelId', 'cumulativeAmount'],
    ['expiresAt'],
  )
  const expiresAt = inner['expiresAt'] ?? 0
  if (typeof expiresAt !== 'number' || !Number.isSafeInteger(expiresAt) || expiresAt < 0)
    throw malformed('voucher.voucher.expiresAt must be whole seconds')
  const voucher = {
    channelId: readKey(inner, 'channelId'),
    cumulative: readU64(inner, 'cumulativeAmount'),
    expiresAt: BigInt(expiresAt),
  }
  const signature = readText(wire['signature'], 'voucher.signature', 88)
  return { signed: { voucher, signature }, signer: readKey(wire, 'signer') }
}

function readProof(value: unknown): SessionProof {
  const wire = readRecord(value, 'authentication', ['type', 'challengeId', 'payer', 'signature'])
  if (wire['type'] !== 'proof') throw malformed('authentication.type must be proof')
  return {
    challengeId: readText(wire['challengeId'], 'authentication.challengeId', 256),
    payer: readKey(wire, 'payer'),
    signature: readText(wire['signature'], 'authentication.signature', 88),
  }
}

function readWire(value: unknown): Uint8Array {
  const bytes = base64ToBytes(readText(value, 'transaction', 2_048))
  if (bytes === undefined) throw malformed('transaction must be base64')
  return bytes
}

function proofToWire({ challengeId, payer, signature }: SessionProof): CanonicalValue {
  return { type: 'proof', challengeId, payer, signature }
}

function voucherToWire({ voucher, signature }: SignedVoucher, signer: string): CanonicalValue {
  const { channelId, cumulative, expiresAt } = voucher
  const ends = expiresAt === 0n ? undefined : Number(expiresAt)
  return {
    voucher: { channelId, cumulativeAmount: cumulative.toString(), expiresAt: ends },
    signer,
    signature,
    signatureType: 'ed25519',
  }
}

function exactly(wire: WireRecord, names: readonly string[], optional: readonly string[] = []): WireRecord {
  return readRecord(wire, 'payload', ['action', ...names], optional)
}

function malformed(message: string): ProtocolError {
  return new ProtocolError('malformed', message)
}
