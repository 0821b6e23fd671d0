import { StartupError } from '../errors.ts'
import type { GasLimits } from '../gas/gas-budget.ts'
import { unitsOf } from './decimal.ts'

type Shape = { readonly places: number; readonly example: string }

/**
 * What a day may cost, `wallet/client/total`; undefined for `off`. Each of the three is there: an empty one would read
 * as 0, which is no limit. Throws `StartupError` naming the setting.
 */
export function dayLimits(name: string, text: string, { places, example }: Shape): GasLimits | undefined {
  if (text === 'off') return undefined
  const parts = text.split('/').map((part) => unitsOf(part, places))
  const [wallet, client, total] = parts
  if (wallet === undefined || client === undefined || total === undefined || parts.length > 3)
    throw new StartupError(`${name} must be off or ${example}`)
  return { wallet: Number(wallet), client: Number(client), total: Number(total) }
}
