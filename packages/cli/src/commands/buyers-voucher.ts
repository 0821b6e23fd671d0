import { signVoucher, type Client, type GivenVoucher } from '@ergon/sdk'
import { usageError } from '../cli-error.ts'
import type { Call, OptionSpec } from '../command.ts'
import type { Session } from '../session.ts'
import { keyOption, solanaKey } from '../solana-key.ts'

/** What a tick takes of a buyer who signs. */
export const signOptions: Readonly<Record<'sign' | 'total' | 'key', OptionSpec>> = {
  sign: { about: 'Pay for it by a voucher of your own, where the channel was opened with --sign.' },
  total: { value: 'USD', about: 'What your voucher promises in all; one unit more than before when left out.' },
  key: keyOption,
}

/** The buyer's voucher over all that was accepted and this unit; undefined where the service signs. */
export async function buyersVoucher(
  call: Call,
  session: Session,
  { client, task_id }: { readonly client: Client; readonly task_id: string },
): Promise<GivenVoucher | undefined> {
  const total = call.text('total')
  if (!call.is('sign')) {
    if (total !== undefined) throw usageError('--total is what a voucher of yours promises', 'Say --sign as well.')
    return undefined
  }
  const signer = solanaKey(call, session)
  const [channel, meter] = await Promise.all([client.channels.get({ task_id }), client.meters.get({ task_id })])
  // Asked for again under its name, a unit would be promised twice; and so much time has no one price.
  if (total === undefined && (call.text('ref') !== undefined || meter.rate_usd_per_sec !== null))
    throw usageError('what the voucher promises is not known', 'Say what you pay in all: --total USD.')
  const accepted = BigInt(channel.newest_voucher?.voucher.cumulativeAmount ?? '0')
  const limit = least(micro(String(channel.cap_usd)), micro(String(channel.deposit_usd)))
  const cumulative = total === undefined ? least(accepted + micro(meter.price_per_unit), limit) : micro(total)
  if (cumulative > limit)
    throw usageError(`the channel may pay ${String(channel.cap_usd)} in all`, 'Promise at most that much.')
  return signVoucher(signer, { channel_id: channel.channel_id, cumulative })
}

const least = (one: bigint, other: bigint): bigint => (one < other ? one : other)

/** Millionths of a dollar. */
function micro(usd: string): bigint {
  const [, whole = '', part = ''] = /^(\d{1,9})(?:\.(\d{1,6}))?$/.exec(usd) ?? []
  if (whole === '') throw usageError(`${usd} is no amount`, 'Write it as 0.05, with six decimals at most.')
  return BigInt(whole) * 1_000_000n + BigInt(part.padEnd(6, '0'))
}
