import { ProtocolError, readRecord, readText, type WireRecord } from '@ergon/protocols'
import { isSolanaAddress } from './addresses.ts'
import { fromHeaderJson, toHeaderJson, type CanonicalValue } from './canonical-json.ts'
import type { Split } from './splits.ts'

export type SessionNetwork = 'mainnet' | 'devnet' | 'localnet'
/** Who signs vouchers: the operator as it meters, or the client for each amount. */
export type VoucherSigner = 'operator' | 'client'

/** What a service asks for before it meters: the request of a `session` challenge. Amounts in atomic units. */
export type SessionRequest = {
  /** The price of one unit. */
  readonly amount: bigint
  readonly unitType?: string
  /** The channel's payee. */
  readonly recipient: string
  /** The mint. */
  readonly currency: string
  readonly minimumDeposit?: bigint
  readonly suggestedDeposit?: bigint
  readonly description?: string
  readonly externalId?: string
  readonly network: SessionNetwork
  readonly channelProgram: string
  readonly tokenProgram?: string
  readonly decimals: number
  /** Pays fee and rent. */
  readonly operator: string
  readonly voucherSigner: VoucherSigner
  /** The key that signs vouchers where the operator does. */
  readonly authorizedSigner?: string
  readonly gracePeriodSec: number
  readonly splits: readonly Split[]
  readonly minVoucherDelta?: bigint
  readonly idleTimeoutOptionsSec?: readonly number[]
  /** For a new channel: what its opening must name, both read at once. */
  readonly recentBlockhash?: string
  readonly recentSlot?: bigint
  /** For one that is open already: which. */
  readonly channelId?: string
}

/** The challenge of `WWW-Authenticate: Payment`. */
export type SessionChallenge = {
  readonly id: string
  readonly realm: string
  /** RFC 3339; until when an opening for it is taken. */
  readonly expires?: string
  readonly request: SessionRequest
}

export const sessionMethod = 'solana'
export const sessionIntent = 'session'

/** The value of a `WWW-Authenticate` header. */
export function challengeHeader({ id, realm, expires, request }: SessionChallenge): string {
  const fields = {
    id,
    realm,
    method: sessionMethod,
    intent: sessionIntent,
    ...(expires === undefined ? {} : { expires }),
    request: toHeaderJson(requestToWire(request)),
  }
  return `Payment ${Object.entries(fields)
    .map(([name, value]) => `${name}="${quotable(value)}"`)
    .join(', ')}`
}

/** The request as the draft writes it; what is not set is left out. */
export function requestToWire(request: SessionRequest): CanonicalValue {
  const text = (amount: bigint | undefined): string | undefined => amount?.toString()
  return {
    amount: request.amount.toString(),
    unitType: request.unitType,
    recipient: request.recipient,
    currency: request.currency,
    minimumDeposit: text(request.minimumDeposit),
    suggestedDeposit: text(request.suggestedDeposit),
    description: request.description,
    externalId: request.externalId,
    methodDetails: {
      network: request.network,
      channelProgram: request.channelProgram,
      tokenProgram: request.tokenProgram,
      decimals: request.decimals,
      feePayer: true,
      feePayerKey: request.operator,
      voucherSigner: request.voucherSigner,
      operator: request.authorizedSigner,
      gracePeriodSeconds: request.gracePeriodSec,
      distributionSplits: splitsToWire(request.splits),
      minVoucherDelta: text(request.minVoucherDelta),
      idleTimeoutOptionsSeconds: request.idleTimeoutOptionsSec,
      recentBlockhash: request.recentBlockhash,
      recentSlot: text(request.recentSlot),
      channelId: request.channelId,
    },
  }
}

/** Reads the request of a challenge, for a client. @throws ProtocolError */
export function requestFromWire(text: string): SessionRequest {
  const wire = readRecord(fromHeaderJson(text), 'request')
  const details = readRecord(wire['methodDetails'], 'request.methodDetails')
  if (details['feePayer'] !== true) throw malformed('methodDetails.feePayer', 'true: the operator pays fee and rent')
  return {
    amount: readU64(wire, 'amount'),
    recipient: readKey(wire, 'recipient'),
    currency: readKey(wire, 'currency'),
    ...optional(wire, 'unitType', 'unitType', readShort),
    ...optional(wire, 'minimumDeposit', 'minimumDeposit', readU64),
    ...optional(wire, 'suggestedDeposit', 'suggestedDeposit', readU64),
    ...optional(wire, 'description', 'description', readShort),
    ...optional(wire, 'externalId', 'externalId', readShort),
    network: readOneOf(details, 'network', ['mainnet', 'devnet', 'localnet']),
    channelProgram: readKey(details, 'channelProgram'),
    ...optional(details, 'tokenProgram', 'tokenProgram', readKey),
    decimals: readWhole(details, 'decimals', 18),
    operator: readKey(details, 'feePayerKey'),
    voucherSigner:
      details['voucherSigner'] === undefined ? 'client' : readOneOf(details, 'voucherSigner', ['operator', 'client']),
    ...optional(details, 'operator', 'authorizedSigner', readKey),
    gracePeriodSec: readWhole(details, 'gracePeriodSeconds', 0xffff_ffff),
    splits: splitsFromWire(details['distributionSplits']),
    ...optional(details, 'minVoucherDelta', 'minVoucherDelta', readU64),
    ...optional(details, 'idleTimeoutOptionsSeconds', 'idleTimeoutOptionsSec', readWholes),
    ...optional(details, 'recentBlockhash', 'recentBlockhash', readKey),
    ...optional(details, 'recentSlot', 'recentSlot', readU64),
    ...optional(details, 'channelId', 'channelId', readKey),
  }
}

export function splitsToWire(splits: readonly Split[]): CanonicalValue {
  return splits.map(({ recipient, bps }) => ({ recipient, shareBps: bps }))
}

/** @throws ProtocolError */
export function splitsFromWire(value: unknown): readonly Split[] {
  if (value === undefined) return []
  if (!Array.isArray(value) || value.length > 32) throw malformed('distributionSplits', 'at most 32 recipients')
  return value.map((entry) => {
    const split = readRecord(entry, 'distributionSplits', ['recipient', 'shareBps'])
    return { recipient: readKey(split, 'recipient'), bps: readWhole(split, 'shareBps', 10_000) }
  })
}

/** An unsigned 64-bit number as a decimal text. @throws ProtocolError */
export function readU64(record: WireRecord, name: string): bigint {
  const value = record[name]
  if (typeof value !== 'string' || !/^(0|[1-9][0-9]{0,19})$/.test(value) || BigInt(value) >= 2n ** 64n)
    throw malformed(name, 'an unsigned 64-bit number as a decimal text')
  return BigInt(value)
}

/** A base58 address. @throws ProtocolError */
export function readKey(record: WireRecord, name: string): string {
  const value = record[name]
  if (!isSolanaAddress(value)) throw malformed(name, '32 bytes in base58')
  return value
}

/** A whole number from 0 to `most`. @throws ProtocolError */
export function readWhole(record: WireRecord, name: string, most: number): number {
  const value = record[name]
  if (typeof value !== 'number' || !Number.isInteger(value) || value < 0 || value > most)
    throw malformed(name, `a whole number from 0 to ${most}`)
  return value
}

function readWholes(record: WireRecord, name: string): readonly number[] {
  const value = record[name]
  if (!Array.isArray(value) || value.length > 16) throw malformed(name, 'at most 16 whole numbers')
  return value.map((one: unknown) => readWhole({ [name]: one }, name, 2_592_000))
}

function readShort(record: WireRecord, name: string): string {
  return readText(record[name], name, 256)
}

function readOneOf<Word extends string>(record: WireRecord, name: string, words: readonly Word[]): Word {
  const found = words.find((word) => word === record[name])
  if (found === undefined) throw malformed(name, `one of ${words.join(', ')}`)
  return found
}

function optional<Name extends string, Value>(
  record: WireRecord,
  name: string,
  as: Name,
  read: (record: WireRecord, name: string) => Value,
): { readonly [key in Name]?: Value } {
  // One computed name of the type's own: TypeScript widens it to text.
  return record[name] === undefined ? {} : ({ [as]: read(record, name) } as { readonly [key in Name]?: Value })
}

/** What may be written between quotes of a header. */
function quotable(value: string): string {
  if (!/^[\x20-\x7e]*$/.test(value)) throw malformed('challenge', 'printable ASCII')
  return value.replaceAll(/["\\]/g, '\\$&')
}

function malformed(name: string, expected: string): ProtocolError {
  return new ProtocolError('malformed', `${name} must be ${expected}`)
}
