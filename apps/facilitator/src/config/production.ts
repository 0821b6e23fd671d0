import type { Env } from '@ergon/process'
import { isGuessable, isPublishedKey, secretLength } from '@ergon/protocols'
import { localKeys } from '@ergon/solana-ledger'
import { StartupError } from '../errors.ts'
import type { Config } from './config.ts'
import type { Secrets } from './secrets.ts'

/** The first network where money is real, by its name. */
export function realNetworkOf({ networks, solana }: Pick<Config, 'networks' | 'solana'>): string | undefined {
  const rows = [...networks.map(({ row }) => row), ...(solana === undefined ? [] : [solana.row])]
  return rows.find(({ testnet }) => !testnet)?.name
}

/** Refuses to start with what is for development where money is real. Throws `StartupError` naming the setting. */
export function refuseInProduction(
  config: Pick<Config, 'networks' | 'solana'>,
  { privateKey, solanaSeed, adminToken }: Secrets,
  env: Env = {},
): void {
  const real = realNetworkOf(config)
  if (real === undefined) return
  if (isPublishedKey(privateKey))
    throw new StartupError(`FACILITATOR_KEY is a published development key and ${real} is a real network`)
  if (config.solana?.row.testnet === false && solanaSeed !== undefined && isEmbedded(solanaSeed))
    throw new StartupError('FACILITATOR_SOLANA_KEY is the embedded ledger’s and public; make one of your own')
  if (adminToken !== undefined && isGuessable(adminToken)) {
    throw new StartupError(
      `FACILITATOR_ADMIN_TOKEN must be at least ${String(secretLength)} random characters where ${real} is served`,
    )
  }
  const faucet = Object.keys(env).find((name) => /FAUCET/.test(name) && env[name] !== '')
  if (faucet !== undefined) throw new StartupError(`${faucet} is for development and ${real} is a real network`)
}

function isEmbedded(seed: Uint8Array): boolean {
  return Object.values(localKeys).some((one) => Buffer.compare(one.seed, seed) === 0)
}
