import { everyNetwork } from '@ergon/contract/facts'
import { ConfigError } from './config-error.ts'
import type { Config } from './config.ts'
import type { RawSettings } from './env.ts'

/** Networks that take nothing new, and networks whose open money is left to its payers. @throws ConfigError */
export function readNetworkLists(
  raw: RawSettings,
  { networks, solana }: Pick<Config, 'networks' | 'solana'>,
): Pick<Config, 'closedNetworks' | 'leftNetworks'> {
  const served: readonly string[] = [
    ...networks.map(({ network }) => network.name),
    ...(solana === null ? [] : [solana.network.name]),
  ]
  const closedNetworks = namesIn(raw, 'SVC_CLOSED_NETWORKS')
  const unknown = closedNetworks.find((one) => one !== everyNetwork && !served.includes(one))
  if (unknown !== undefined)
    throw new ConfigError(`SVC_CLOSED_NETWORKS names ${unknown}, which is not served; served are ${served.join(', ')}`)
  if (closedNetworks.includes(everyNetwork) && closedNetworks.length > 1)
    throw new ConfigError(`SVC_CLOSED_NETWORKS is ${everyNetwork}, for every network, or a list of names`)
  return { closedNetworks, leftNetworks: namesIn(raw, 'SVC_LEFT_NETWORKS') }
}

function namesIn(raw: RawSettings, setting: string): readonly string[] {
  const given = (raw.text(setting) ?? '').split(',').map((one) => one.trim())
  return [...new Set(given.filter((one) => one !== ''))]
}
