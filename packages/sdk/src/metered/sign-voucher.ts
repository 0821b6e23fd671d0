import { encodeVoucher } from '@ergon/channels'
import { toBase58 } from '@ergon/protocols'
import type { Input } from '../client.ts'
import type { SolanaSigner } from '../paying/solana-signer.ts'

/** What a tick takes as `voucher` where the buyer signs. */
export type GivenVoucher = NonNullable<Input<'channels.tick'>['voucher']>

/**
 * Promises so much in all out of a channel that was opened for this key: what was accepted so far, and the unit that is
 * paid now. Whoever has it can collect it; it never expires, and a higher one takes its place.
 */
export async function signVoucher(
  signer: SolanaSigner,
  { channel_id: channelId, cumulative }: { readonly channel_id: string; readonly cumulative: bigint },
): Promise<GivenVoucher> {
  const signature = await signer.sign(encodeVoucher({ channelId, cumulative, expiresAt: 0n }))
  const voucher = { channelId, cumulativeAmount: cumulative.toString(), expiresAt: 0 }
  return { voucher, signer: signer.address, signature: toBase58(signature), signatureType: 'ed25519' }
}
