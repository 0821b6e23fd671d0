import { MarketError } from '../errors.ts'
import type { Channel, GivenVoucher } from './channel.ts'
import { isTimed, tickOfVoucher, type Tick } from './metering.ts'

/**
 * What a buyer's voucher buys: it names the channel, says more than the last one and no more than the work costs, up to
 * the limit. Its signature is looked at last, because that takes longest.
 *
 * @throws VALIDATION_FAILED with the `fault`, SESSION_CAP_EXCEEDED
 */
export function boughtBy(
  channel: Channel,
  key: string,
  voucher: GivenVoucher | null,
  { now, isSigned }: { readonly now: Date; readonly isSigned: (voucher: GivenVoucher, key: string) => boolean },
): Tick & { readonly signature: string } {
  if (voucher === null) throw refused('missing', channel)
  if (voucher.channelId !== channel.id) throw refused('other_channel', channel)
  if (voucher.signer !== null && voucher.signer !== key) throw refused('other_signer', channel)
  if (voucher.cumulative > channel.limit)
    throw new MarketError('SESSION_CAP_EXCEEDED', { limit_uusdc: channel.limit.toString() })
  if (voucher.cumulative <= channel.cumulative) throw refused('not_raised', channel)
  const tick = tickOfVoucher(channel, now, voucher.cumulative)
  if (tick === null) throw refused(isTimed(channel.unit) ? 'more_than_the_time' : 'another_amount', channel)
  if (!isSigned(voucher, key)) throw refused('signature', channel)
  return { ...tick, signature: voucher.signature }
}

function refused(fault: string, { cumulative, price }: Channel): MarketError {
  return new MarketError('VALIDATION_FAILED', {
    field: 'voucher',
    fault,
    constraint: "the buyer's voucher over all that was accepted and this unit",
    accepted_uusdc: cumulative.toString(),
    price_uusdc: price.toString(),
  })
}
