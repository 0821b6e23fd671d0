import { bytesToHex, concatBytes, hexToBytes, ProtocolError, toBase58, type Hex } from '@ergon/protocols'
import { addressBytes } from './addresses.ts'
import { i64, readFields, u32, u64 } from './little-endian.ts'

/** In the order of the program's numbers. */
export const channelStatuses = ['open', 'sealed', 'closing', 'distributed'] as const
export type ChannelStatus = (typeof channelStatuses)[number]

/** A channel as its account holds it. Amounts in atomic units, times in unix seconds, addresses in base58. */
export type ChannelAccount = {
  readonly bump: number
  readonly status: ChannelStatus
  readonly salt: bigint
  readonly deposit: bigint
  readonly settled: bigint
  /** How much of what is settled earlier distributions have shared out. */
  readonly payoutWatermark: bigint
  /** When its payer asked to close it; 0 for never. */
  readonly closureStartedAt: bigint
  /** When its payer took the rest; 0 for never. */
  readonly payerWithdrawnAt: bigint
  /** Seconds its payee has, once closing, to bring the last voucher. */
  readonly gracePeriodSec: number
  readonly distributionHash: Hex
  readonly payer: string
  readonly payee: string
  readonly authorizedSigner: string
  readonly mint: string
  readonly rentPayer: string
  readonly openSlot: bigint
}

export const channelAccountLength = 256
const discriminator = 1
const version = 1

/** @throws ProtocolError `malformed` for data of another length, kind, version or status. */
export function decodeChannel(data: Uint8Array): ChannelAccount {
  if (data.length !== channelAccountLength)
    throw new ProtocolError('malformed', `a channel's account has ${channelAccountLength} bytes`)
  const fields = readFields(data)
  if (fields.u8() !== discriminator || fields.u8() !== version)
    throw new ProtocolError('malformed', 'an account of this kind and version is no channel')
  const bump = fields.u8()
  const status = channelStatuses[fields.u8()]
  if (status === undefined) throw new ProtocolError('malformed', 'a channel has one of four states')
  const address = (): string => toBase58(fields.bytes(32))
  return {
    bump,
    status,
    salt: fields.u64(),
    deposit: fields.u64(),
    settled: fields.u64(),
    payoutWatermark: fields.u64(),
    closureStartedAt: fields.i64(),
    payerWithdrawnAt: fields.i64(),
    gracePeriodSec: fields.u32(),
    distributionHash: bytesToHex(fields.bytes(32)),
    payer: address(),
    payee: address(),
    authorizedSigner: address(),
    mint: address(),
    rentPayer: address(),
    openSlot: fields.u64(),
  }
}

/** The 256 bytes of a channel's account. @throws ProtocolError */
export function encodeChannel(channel: ChannelAccount): Uint8Array {
  return concatBytes(
    Uint8Array.of(discriminator, version, channel.bump, channelStatuses.indexOf(channel.status)),
    ...[channel.salt, channel.deposit, channel.settled, channel.payoutWatermark].map(u64),
    ...[channel.closureStartedAt, channel.payerWithdrawnAt].map(i64),
    u32(channel.gracePeriodSec),
    hexToBytes(channel.distributionHash),
    ...[channel.payer, channel.payee, channel.authorizedSigner, channel.mint, channel.rentPayer].map(addressBytes),
    u64(channel.openSlot),
  )
}
