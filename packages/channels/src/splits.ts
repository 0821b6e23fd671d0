import { bytesToHex, concatBytes, ProtocolError, sha256, toBase58, type Hex } from '@ergon/protocols'
import { addressBytes } from './addresses.ts'
import { u16, u32, type FieldReader } from './little-endian.ts'

/** A share of what is settled, in basis points, for the owner of a token account. The payee gets what is left. */
export type Split = { readonly recipient: string; readonly bps: number }

/** What each recipient and the payee get out of a distribution; what rounding leaves over is the treasury's. */
export type Payouts = {
  readonly recipients: readonly bigint[]
  readonly payee: bigint
  readonly dust: bigint
}

const wholeBps = 10_000n
/** As many as the program takes. */
export const maxSplits = 32

/** The bytes whose hash a channel is opened with. @throws ProtocolError `splits` for what the program refuses. */
export function encodeSplits(splits: readonly Split[]): Uint8Array {
  demandSplits(splits)
  const entries = splits.map(({ recipient, bps }) => concatBytes(addressBytes(recipient), u16(bps)))
  return concatBytes(u32(splits.length), ...entries)
}

/** Reads the splits that begin where the reader is. @throws ProtocolError */
export function readSplits(fields: FieldReader): readonly Split[] {
  const count = fields.u32()
  if (count > maxSplits) throw refused(`at most ${maxSplits} recipients`)
  const splits = Array.from({ length: count }, () => ({ recipient: toBase58(fields.bytes(32)), bps: fields.u16() }))
  demandSplits(splits)
  return splits
}

/** What a distribution is held against: SHA-256 over the splits. */
export function splitsHash(splits: readonly Split[]): Hex {
  return bytesToHex(sha256(encodeSplits(splits)))
}

/**
 * What the next distribution pays. Shares are of the whole settled amount, less what its share of the amount paid
 * before was, so that many distributions pay what one would have paid.
 *
 * @param settled atomic units settled so far.
 * @param paid the channel's payout watermark: atomic units that earlier distributions have shared out.
 */
export function payouts(splits: readonly Split[], settled: bigint, paid: bigint): Payouts {
  demandSplits(splits)
  const shareOf = (bps: bigint): bigint => (settled * bps) / wholeBps - (paid * bps) / wholeBps
  const recipients = splits.map(({ bps }) => shareOf(BigInt(bps)))
  const payee = shareOf(wholeBps - splits.reduce((sum, { bps }) => sum + BigInt(bps), 0n))
  const out = recipients.reduce((sum, share) => sum + share, payee)
  return { recipients, payee, dust: settled - paid - out }
}

function demandSplits(splits: readonly Split[]): void {
  if (splits.length > maxSplits) throw refused(`at most ${maxSplits} recipients`)
  if (splits.some(({ bps }) => !Number.isInteger(bps) || bps <= 0)) throw refused('shares above 0')
  if (splits.reduce((sum, { bps }) => sum + bps, 0) > Number(wholeBps)) throw refused('shares of at most 10000 in all')
  if (new Set(splits.map(({ recipient }) => recipient)).size !== splits.length) throw refused('each recipient once')
}

function refused(expected: string): ProtocolError {
  return new ProtocolError('splits', `splits need ${expected}`)
}
