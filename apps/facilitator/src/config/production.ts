import { isGuessable, isPublishedKey, secretLength } from '@ergon/protocols'
import { StartupError } from '../errors.ts'
import type { Config } from './config.ts'
import type { Env } from './env.ts'
import type { Secrets } from './secrets.ts'

/** The first network where money is real, by its name. */
export function realNetworkOf({ networks, solana }: Pick<Config, 'networks' | 'solana'>): string | undefined {
  const rows = [...networks.map(({ row }) => row), ...(solana === undefined ? [] : [solana.row])]
  return rows.find(({ testnet }) => !testnet)?.name
}

/** Refuses to start with what is for development where money is real. Throws `StartupError` naming the setting. */
export function refuseInProduction(
  config: Pick<Config, 'networks' | 'solana'>,
  { privateKey, adminToken }: Secrets,
  env: Env = {},
): void {
  const real = realNetworkOf(config)
  if (real === undefined) return
  if (isPublishedKey(privateKey))
    throw new StartupError(`FACILITATOR_KEY is a published development key and ${real} is a real network`)
  if (adminToken !== undefined && isGuessable(adminToken)) {
    throw new StartupError(
      `FACILITATOR_ADMIN_TOKEN must be at least ${String(secretLength)} random characters where ${real} is served`,
    )
  }
  const faucet = Object.keys(env).find((name) => /FAUCET/.test(name) && env[name] !== '')
  if (faucet !== undefined) throw new StartupError(`${faucet} is for development and ${real} is a real network`)
}
