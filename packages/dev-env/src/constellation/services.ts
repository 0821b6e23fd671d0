import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { localRoles, platformAgentId } from '@ergon/contracts'
import { toBase58 } from '@ergon/protocols'
import { localKeys, localProgramHash } from '@ergon/solana-ledger'
import type { NodeServiceOptions } from '../node-service.ts'
import type { Solana } from '../solana/solana.ts'
import type { DataFolder } from './data-folder.ts'
import type { ConstellationOptions, PaymentMode } from './options.ts'
import type { Secrets } from './secrets.ts'

export type ServiceSurroundings = {
  readonly folder: DataFolder
  readonly secrets: Secrets
  readonly rpcUrl: string
  readonly solana?: Pick<Solana, 'rpcUrl' | 'genesisHash' | 'mint'> | undefined
  readonly databases: { readonly server: string; readonly facilitator: string }
  readonly ports: { readonly server: number; readonly facilitator: number }
  readonly paymentMode: PaymentMode
  /** Undefined: the server serves no app. */
  readonly web: { readonly dir: string; readonly faucetUrl: string } | undefined
  readonly env: ConstellationOptions['env']
  readonly mains: ConstellationOptions['mains']
}

const HOST = '127.0.0.1'

export function serviceUrl(port: number): string {
  return `http://${HOST}:${String(port)}`
}

/** Where people open the app: browsers keep passkeys for a name, never for an address. */
export function appUrl(port: number): string {
  return `http://localhost:${String(port)}`
}

function mainOf(app: string): string {
  return fileURLToPath(new URL(`../../../../apps/${app}/src/main.ts`, import.meta.url))
}

export function facilitatorService(around: ServiceSurroundings): NodeServiceOptions {
  const { folder, secrets, rpcUrl, solana, databases, ports, env, mains } = around
  return {
    name: 'facilitator',
    main: mains?.facilitator ?? mainOf('facilitator'),
    healthUrl: `${serviceUrl(ports.facilitator)}/health`,
    logFile: join(folder.logs, 'facilitator.log'),
    env: {
      FACILITATOR_HOST: HOST,
      FACILITATOR_PORT: String(ports.facilitator),
      DATABASE_URL: databases.facilitator,
      FACILITATOR_NETWORKS: solana === undefined ? 'localnet' : 'localnet,solana',
      FACILITATOR_RPC_LOCALNET: rpcUrl,
      FACILITATOR_KEY: localRoles.facilitator.privateKey,
      FACILITATOR_ORDER_DELEGATES: localRoles.service.address,
      FACILITATOR_ADMIN_TOKEN: secrets.facilitatorAdminToken,
      ...(solana === undefined ? {} : paymentsOnSolana(solana)),
      ...env?.facilitator,
    },
  }
}

export function serverService(around: ServiceSurroundings): NodeServiceOptions {
  const { folder, secrets, rpcUrl, solana, databases, ports, paymentMode, web, env, mains } = around
  return {
    name: 'server',
    main: mains?.server ?? mainOf('server'),
    healthUrl: `${serviceUrl(ports.server)}/api/v1/health`,
    logFile: join(folder.logs, 'server.log'),
    env: {
      SVC_HOST: HOST,
      SVC_PORT: String(ports.server),
      DATABASE_URL: databases.server,
      SVC_PAYMENT_MODE: paymentMode,
      SVC_FACILITATOR_URL: serviceUrl(ports.facilitator),
      SVC_NETWORKS: 'localnet',
      SVC_RPC_LOCALNET: rpcUrl,
      SVC_ORDER_SIGNER_KEY: localRoles.service.privateKey,
      SVC_PLATFORM_AGENT_ID: String(platformAgentId),
      SVC_DATA_DIR: folder.server,
      SVC_SECRET: secrets.serverSecret,
      SVC_ADMIN_KEY: secrets.serverAdminKey,
      ...(solana === undefined ? {} : solanaSettings(solana)),
      ...(web === undefined ? {} : { SVC_WEB_DIR: web.dir, SVC_FAUCET_URL: web.faucetUrl }),
      ...env?.server,
    },
  }
}

/** The facilitator's key on the local ledger is as public as the others. */
function paymentsOnSolana({
  rpcUrl,
  genesisHash,
  mint,
}: NonNullable<ServiceSurroundings['solana']>): Record<string, string> {
  return {
    FACILITATOR_RPC_SOLANA: rpcUrl,
    FACILITATOR_SOLANA_GENESIS: genesisHash,
    FACILITATOR_SOLANA_MINT: mint,
    FACILITATOR_SOLANA_KEY: toBase58(localKeys.feePayer.seed),
  }
}

/** The keys of the local ledger, which are public: the server refuses them on every other one. */
function solanaSettings({
  rpcUrl,
  genesisHash,
  mint,
}: NonNullable<ServiceSurroundings['solana']>): Record<string, string> {
  return {
    SVC_RPC_SOLANA: rpcUrl,
    SVC_SOLANA_GENESIS: genesisHash,
    SVC_SOLANA_MINT: mint,
    SVC_SOLANA_PROGRAM_HASH: localProgramHash(),
    SVC_SOLANA_BOUNTIES: 'on',
    SVC_SOLANA_OPERATOR_KEY: Buffer.from(localKeys.operator.seed).toString('hex'),
    SVC_SOLANA_VOUCHER_KEY: Buffer.from(localKeys.voucher.seed).toString('hex'),
  }
}
