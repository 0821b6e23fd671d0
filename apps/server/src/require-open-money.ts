import type { ProcessLog } from '@ergon/process'
import type { Pool } from 'pg'
import { openMoneyFaults, type ServedTerms } from './adapters/proof/open-money-faults.ts'
import { agentsElsewhere, readOpenMoney, type OpenMoney } from './adapters/postgres/index.ts'
import { ConfigError } from './config/config-error.ts'
import type { Config } from './config/config.ts'
import type { Secrets } from './config/secrets.ts'

/**
 * Refuses settings under which something that is open could not be brought to its end: nobody would see it, and the
 * money would wait for its payer to take it back on chain (decision 0298). What the operator leaves behind on purpose
 * is told and let pass. Answers the networks that are not served and on which something is open.
 * @throws ConfigError naming what is open, and the way out
 */
export async function requireOpenMoney(
  pool: Pool,
  config: Pick<Config, 'networks' | 'solana' | 'leftNetworks'>,
  secrets: Pick<Secrets, 'solana'>,
  log: Pick<ProcessLog, 'warn'>,
): Promise<readonly string[]> {
  const open = await readOpenMoney(pool)
  const served = servedTerms(config, secrets)
  const faults = openMoneyFaults(served, open)
  const isLeft = (network: string): boolean => config.leftNetworks.includes(network)
  for (const { network, sentence } of faults.filter((one) => isLeft(one.network)))
    log.warn({ network }, `left to its payers, as SVC_LEFT_NETWORKS says: ${sentence}`)
  const withoutEffect = config.leftNetworks.filter((one) => !faults.some(({ network }) => network === one))
  if (withoutEffect.length > 0)
    log.warn(`SVC_LEFT_NETWORKS names ${withoutEffect.join(', ')}, where nothing open would be left behind`)
  const standing = faults.filter((one) => !isLeft(one.network))
  if (standing.length > 0)
    throw new ConfigError(
      `${standing.map(({ sentence }) => sentence).join('; ')}. SVC_LEFT_NETWORKS starts without that money`,
    )
  const names = [...served.networks.map(({ name }) => name), served.solana?.network]
  for (const { network, count } of open.published.filter((one) => !names.includes(one.network)))
    log.warn({ network, count }, 'tasks were published on a network that is no longer served: nobody can be assigned')
  return [...networksOf(open)].filter((network) => !names.includes(network))
}

function networksOf({ held, channels, promised, moving, fees, published }: OpenMoney): ReadonlySet<string> {
  return new Set([
    ...held.map(({ sample }) => sample.network),
    ...[channels, promised, moving, fees, published].flat().map(({ network }) => network),
  ])
}

/**
 * Refuses an order of networks under which everybody would be a stranger: agents are registered anew, and what they
 * were rated counts no more (decision 0300). @throws ConfigError
 */
export async function requireKnownAgents(
  pool: Pool,
  { identityNetwork, isIdentityNetworkNamed }: Pick<Config, 'identityNetwork' | 'isIdentityNetworkNamed'>,
): Promise<void> {
  const known = isIdentityNetworkNamed ? null : await agentsElsewhere(pool, identityNetwork)
  if (known === null) return
  throw new ConfigError(
    `agents are known on ${known} and none on ${identityNetwork}, ` +
      `which is now the first of SVC_NETWORKS with registries: ` +
      `set SVC_IDENTITY_NETWORK to ${known}, or to ${identityNetwork} to begin anew there`,
  )
}

function servedTerms(
  { networks, solana }: Pick<Config, 'networks' | 'solana'>,
  secrets: Pick<Secrets, 'solana'>,
): ServedTerms {
  return {
    networks: networks.map(({ network }) => network),
    solana:
      solana === null || secrets.solana === undefined
        ? null
        : {
            network: solana.network.name,
            operator: secrets.solana.operator.address,
            voucherKey: secrets.solana.voucher.address,
            paysBounties: solana.paysBounties,
          },
  }
}
