import { createHmac } from 'node:crypto'
import { addressOf, hexToBytes, isLoopback } from '@ergon/protocols'
import type { SharedFacts } from './adapters/postgres/index.ts'
import type { Config } from './config/config.ts'
import type { Secrets } from './config/secrets.ts'
import { keyFor } from './surroundings/key-for.ts'

/** What every server of one database must have alike. A secret is told by a digest that only its owners can make. */
export function sharedFactsOf(config: Config, secrets: Secrets): SharedFacts {
  const digest = (text: string): string =>
    createHmac('sha256', keyFor(secrets.secret, 'equal settings')).update(text).digest('base64url')
  const base = new URL(config.baseUrl)
  return {
    SVC_SECRET: digest(''),
    SVC_ORDER_SIGNER_KEY: addressOf(hexToBytes(secrets.orderSignerKey)).toLowerCase(),
    SVC_ADMIN_KEY: digest(secrets.adminKey ?? ''),
    SVC_PAYMENT_MODE: config.paymentMode,
    SVC_NETWORKS: config.networks.map(({ network }) => network.name).join(','),
    SVC_IDENTITY_NETWORK: config.identityNetwork,
    SVC_SOLANA_GENESIS: config.solana?.genesisHash ?? 'none',
    SVC_SOLANA_PROGRAM: config.solana?.channelProgram ?? 'none',
    SVC_SOLANA_MINT: config.solana?.mint ?? 'none',
    SVC_SOLANA_BOUNTIES: String(config.solana?.paysBounties ?? false),
    SVC_SOLANA_OPERATOR_KEY: secrets.solana?.operator.address ?? 'none',
    SVC_SOLANA_VOUCHER_KEY: secrets.solana?.voucher.address ?? 'none',
    SVC_REQUIRE_IDENTITY: String(config.requireIdentity),
    SVC_S3_ENDPOINT:
      config.evidenceBucket === null ? 'none' : `${config.evidenceBucket.endpoint}/${config.evidenceBucket.bucket}`,
    // On loopback each server goes by its own port.
    ...(isLoopback(base.hostname) ? {} : { SVC_BASE_URL: base.origin }),
  }
}
