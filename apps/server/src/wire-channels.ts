import type { Channels } from '@ergon/core'
import { checkCluster, createRpcLedger, LedgerUnavailable, localMint, type RpcLedger } from '@ergon/solana-ledger'
import type { Pool } from 'pg'
import { createChannelLedger, type ChannelTerms } from './adapters/channels/channel-ledger.ts'
import { createOpeningLedger } from './adapters/channels/opening-ledger.ts'
import { createVoucherSigner } from './adapters/channels/voucher-signer.ts'
import { patienceMs } from './adapters/channels/within.ts'
import { createAccountBudget, createChannelOpenings } from './adapters/postgres/index.ts'
import type { Proof } from './adapters/proof/prove-settings.ts'
import type { MeteredNetwork } from './compose-market.ts'
import type { Config } from './config/config.ts'
import type { SolanaKeys } from './config/solana-keys.ts'
import type { SolanaSettings } from './config/solana-settings.ts'
import type { Secrets } from './config/secrets.ts'
import type { ProcessLog } from '@ergon/process'
import { platformTime } from './surroundings/platform-time.ts'

/** What metered tasks stand on, and the cluster itself for whoever else speaks to it. */
export type WiredChannels = {
  readonly channels: Channels
  readonly ledger: RpcLedger
  readonly terms: ChannelTerms
  readonly settings: SolanaSettings
  readonly keys: SolanaKeys
  /** Whether the cluster has the program, its code and the token that the settings name. */
  prove(): Promise<Proof>
}

/** Null where no task is metered. Connects nothing yet. */
export function wireChannels(
  { solana: settings, baseUrl }: Pick<Config, 'solana' | 'baseUrl'>,
  { solana: keys }: Pick<Secrets, 'solana'>,
  { log, pool }: { readonly log: Pick<ProcessLog, 'warn'>; readonly pool: Pool },
): WiredChannels | null {
  if (settings === null || keys === undefined) return null
  const ledger = createRpcLedger({
    urls: settings.rpcUrls,
    genesisHash: settings.genesisHash,
    witnesses: settings.witnesses,
    maxPriorityFee: settings.maxPriorityFee,
    onTrouble: (message) => {
      log.warn(message)
    },
  })
  const { channelProgram, mint, treasuryOwner, network } = settings
  const terms: ChannelTerms = {
    ...{ channelProgram, mint, treasuryOwner },
    ...{ operator: keys.operator.address, voucherSigner: keys.voucher.address },
  }
  const onTrouble = (message: string, error: unknown): void => {
    log.warn({ err: error }, message)
  }
  const accounts = createAccountBudget(pool)
  const reading = { ledger, terms, keys, accounts, time: platformTime, waitMs: patienceMs, onTrouble }
  return {
    channels: {
      network: network.name,
      facts: { program: channelProgram, mint, signer: keys.voucher.address },
      ledger: createChannelLedger(reading),
      vouchers: createVoucherSigner(keys.voucher.seed),
      opening: createOpeningLedger(reading, new URL(baseUrl).host),
      openings: createChannelOpenings(pool),
    },
    ledger,
    terms,
    settings,
    keys,
    prove: () => prove(ledger, settings, keys),
  }
}

/** Those channels, and the network of the table that keeps them. */
export function meteredNetwork(wired: WiredChannels | null): MeteredNetwork | null {
  return wired === null ? null : { channels: wired.channels, network: wired.settings.network }
}

/** A cluster that is wrong is a fault; one that cannot be read proves nothing. */
async function prove(ledger: RpcLedger, settings: SolanaSettings, keys: SolanaKeys): Promise<Proof> {
  const { channelProgram, programHash, mint } = settings
  // The embedded ledger's keys are public and its token is worth nothing: no other cluster has that mint.
  const signing = mint === localMint ? [] : [keys.operator.address, keys.voucher.address]
  try {
    await checkCluster(ledger, { programId: channelProgram, programHash, mint, keys: signing })
    return { faults: [], silent: [] }
  } catch (error) {
    if (error instanceof LedgerUnavailable) return { faults: [], silent: ['the Solana cluster'] }
    return { faults: [`SVC_RPC_SOLANA: ${error instanceof Error ? error.message : String(error)}`], silent: [] }
  }
}
