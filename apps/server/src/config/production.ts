import { isLoopback } from '@ergon/protocols'
import { ConfigError } from './config-error.ts'
import type { Config } from './config.ts'

/** The first network where money is real, by its name. */
export function realNetworkOf({ networks }: Pick<Config, 'networks'>): string | undefined {
  return networks.find((one) => !one.network.testnet)?.network.name
}

/**
 * Refuses to start with what is for development where money is real (decision 0090); keys and secrets are judged where
 * they are read. @throws ConfigError naming the setting
 */
export function refuseInProduction({
  networks,
  baseUrl,
  mcpUrl,
  mcpConformance,
  web,
}: Pick<Config, 'networks' | 'baseUrl' | 'mcpUrl' | 'mcpConformance' | 'web'>): void {
  const real = realNetworkOf({ networks })
  if (real === undefined) return
  for (const [name, url] of [
    ['SVC_BASE_URL', baseUrl],
    ['SVC_MCP_URL', mcpUrl],
  ] as const) {
    if (url.startsWith('http:') && !isLoopback(new URL(url).hostname))
      throw new ConfigError(
        `${name} must be https: sessions and signatures travel over it, and ${real} is a real network`,
      )
  }
  if (mcpConformance) throw new ConfigError(`SVC_MCP_CONFORMANCE is for tests and ${real} is a real network`)
  if (web !== null && web.faucetUrl !== null)
    throw new ConfigError(`SVC_FAUCET_URL is for localnet alone and ${real} is a real network`)
}
