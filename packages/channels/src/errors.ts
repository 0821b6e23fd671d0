/** What the channel program means by its error numbers. */
export const channelErrors = {
  2: 'wrong_status',
  5: 'wrong_payer',
  6: 'wrong_payee',
  7: 'wrong_mint',
  10: 'wrong_rent_payer',
  200: 'zero_deposit',
  201: 'zero_grace_period',
  230: 'voucher_not_proved',
  231: 'voucher_malformed',
  232: 'voucher_of_another_channel',
  233: 'voucher_expired',
  234: 'voucher_not_above_settled',
  235: 'voucher_over_deposit',
  237: 'voucher_by_another_signer',
  238: 'voucher_without_magic',
  260: 'splits_refused',
  261: 'splits_refused',
  262: 'splits_refused',
  263: 'splits_refused',
  2000: 'wrong_channel_address',
  2003: 'open_slot_out_of_window',
  2201: 'grace_period_not_over',
  2401: 'wrong_treasury',
  2407: 'wrong_splits',
  2408: 'nothing_to_distribute',
  2414: 'reclaim_too_early',
} as const

export type ChannelErrorName = (typeof channelErrors)[keyof typeof channelErrors]

/**
 * Which error of the channel program a failed transaction ended with, out of the ledger's own words:
 * `{"InstructionError": [index, {"Custom": number}]}`. Undefined for every other failure; whether the instruction was
 * the channel program's is for the caller to know, who built the transaction.
 */
export function channelErrorOf(error: unknown): ChannelErrorName | undefined {
  const number = customError(error)
  return number === undefined || !isKnown(number) ? undefined : channelErrors[number]
}

function customError(error: unknown): number | undefined {
  if (typeof error !== 'object' || error === null || !('InstructionError' in error)) return undefined
  const pair = error.InstructionError
  const cause: unknown = Array.isArray(pair) ? pair[1] : undefined
  if (typeof cause !== 'object' || cause === null || !('Custom' in cause)) return undefined
  return typeof cause.Custom === 'number' || typeof cause.Custom === 'bigint' ? Number(cause.Custom) : undefined
}

function isKnown(number: number): number is keyof typeof channelErrors {
  return Object.hasOwn(channelErrors, number)
}
