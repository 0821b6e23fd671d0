import { ConfigError } from './config-error.ts'
import type { Config } from './config.ts'
import type { RawSettings } from './env.ts'

/** Where agents are known and rated: as named, or the first network with registries. @throws ConfigError */
export function readIdentityNetwork(
  raw: RawSettings,
  networks: Config['networks'],
): Pick<Config, 'identityNetwork' | 'isIdentityNetworkNamed'> {
  const homes: readonly string[] = networks
    .filter(({ network }) => network.erc8004 !== undefined)
    .map(({ network }) => network.name)
  const [first] = homes
  if (first === undefined) throw new ConfigError('none of SVC_NETWORKS has ERC-8004 registries')
  const named = raw.text('SVC_IDENTITY_NETWORK')
  if (named !== undefined && !homes.includes(named))
    throw new ConfigError(
      `SVC_IDENTITY_NETWORK must be one of SVC_NETWORKS with ERC-8004 registries: ${homes.join(', ')}`,
    )
  return { identityNetwork: named ?? first, isIdentityNetworkNamed: named !== undefined }
}
