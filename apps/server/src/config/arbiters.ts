import { ConfigError } from './config-error.ts'
import type { RawSettings } from './env.ts'

/** Wallets that may rule on disputes: lower case, each once. @throws ConfigError */
export function readArbiters(raw: RawSettings): readonly string[] {
  const given = (raw.text('SVC_ARBITERS') ?? '').toLowerCase().split(',')
  const wallets = [...new Set(given.map((one) => one.trim()).filter((one) => one !== ''))]
  const unknown = wallets.find((one) => !/^0x[0-9a-f]{40}$/.test(one))
  if (unknown !== undefined) throw new ConfigError(`SVC_ARBITERS names no wallet: ${unknown}`)
  if (wallets.length > 10) throw new ConfigError('SVC_ARBITERS names more than ten wallets')
  return wallets
}
