import { givenOf, writtenFault, type Env } from '@ergon/process'

/** The environment as this process reads it; nothing here decides. */
export type RawSettings = {
  readonly host: string | undefined
  readonly port: string | undefined
  readonly databaseUrl: string | undefined
  readonly networks: string | undefined
  readonly networksFile: string | undefined
  readonly rpcUrls: ReadonlyMap<string, string>
  /** Of every setting that is set. */
  readonly names: readonly string[]
  /** What is wrong with how it is written; undefined: nothing. */
  readonly fault: string | undefined
  readonly orderDelegates: string | undefined
  readonly walletFactories: string | undefined
  readonly lifecycleMode: string | undefined
  readonly blacklistFile: string | undefined
  readonly rateLimit: string | undefined
  readonly gasPerDay: string | undefined
  readonly paymentGasPerDay: string | undefined
  readonly highestFeeGwei: string | undefined
  readonly gasAlarm: string | undefined
  readonly smallestPayment: string | undefined
  readonly settleWaitMs: string | undefined
  readonly rpcTimeoutMs: string | undefined
  readonly leaseWaitMs: string | undefined
  readonly databaseWaitMs: string | undefined
  readonly mining: string | undefined
  readonly shedAboveMs: string | undefined
  readonly metricsHost: string | undefined
  readonly metricsPort: string | undefined
  readonly logLevel: string | undefined
  readonly solana: RawSolana
}

export type RawSolana = {
  readonly genesis: string | undefined
  readonly mint: string | undefined
  readonly witnesses: string | undefined
  readonly priority: string | undefined
  readonly perDay: string | undefined
  readonly alarm: string | undefined
}

const rpcPrefix = 'FACILITATOR_RPC_'

export function readEnv(whole: Env): RawSettings {
  const env = givenOf(whole)
  const rpcUrls = new Map<string, string>()
  for (const [key, value] of Object.entries(env)) {
    if (!key.startsWith(rpcPrefix) || key === 'FACILITATOR_RPC_TIMEOUT_MS' || value === undefined) continue
    rpcUrls.set(key.slice(rpcPrefix.length).toLowerCase().replaceAll('_', '-'), value)
  }
  return {
    host: env['FACILITATOR_HOST'],
    port: env['FACILITATOR_PORT'],
    databaseUrl: env['DATABASE_URL'],
    networks: env['FACILITATOR_NETWORKS'],
    networksFile: env['FACILITATOR_NETWORKS_FILE'],
    rpcUrls,
    names: Object.keys(env).filter((name) => name.startsWith('FACILITATOR_')),
    fault: writtenFault(whole, 'FACILITATOR_'),
    orderDelegates: env['FACILITATOR_ORDER_DELEGATES'],
    walletFactories: env['FACILITATOR_WALLET_FACTORIES'],
    lifecycleMode: env['FACILITATOR_LIFECYCLE_MODE'],
    blacklistFile: env['FACILITATOR_BLACKLIST_FILE'],
    rateLimit: env['FACILITATOR_RATE_LIMIT'],
    gasPerDay: env['FACILITATOR_GAS_PER_DAY'],
    paymentGasPerDay: env['FACILITATOR_PAYMENT_GAS_PER_DAY'],
    highestFeeGwei: env['FACILITATOR_HIGHEST_FEE_GWEI'],
    gasAlarm: env['FACILITATOR_GAS_ALARM'],
    smallestPayment: env['FACILITATOR_SMALLEST_PAYMENT'],
    settleWaitMs: env['FACILITATOR_SETTLE_WAIT_MS'],
    rpcTimeoutMs: env['FACILITATOR_RPC_TIMEOUT_MS'],
    leaseWaitMs: env['FACILITATOR_LEASE_WAIT_MS'],
    databaseWaitMs: env['FACILITATOR_DATABASE_WAIT_MS'],
    mining: env['FACILITATOR_MINING'],
    shedAboveMs: env['FACILITATOR_SHED_ABOVE_MS'],
    metricsHost: env['FACILITATOR_METRICS_HOST'],
    metricsPort: env['FACILITATOR_METRICS_PORT'],
    logLevel: env['FACILITATOR_LOG_LEVEL'],
    solana: {
      genesis: env['FACILITATOR_SOLANA_GENESIS'],
      mint: env['FACILITATOR_SOLANA_MINT'],
      witnesses: env['FACILITATOR_SOLANA_WITNESSES'],
      priority: env['FACILITATOR_SOLANA_PRIORITY'],
      perDay: env['FACILITATOR_SOL_PER_DAY'],
      alarm: env['FACILITATOR_SOL_ALARM'],
    },
  }
}
