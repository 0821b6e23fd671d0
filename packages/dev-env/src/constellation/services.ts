import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { localRoles, platformAgentId } from '@ergon/contracts'
import type { NodeServiceOptions } from '../node-service.ts'
import type { DataFolder } from './data-folder.ts'
import type { ConstellationOptions, PaymentMode } from './options.ts'
import type { Secrets } from './secrets.ts'

export type ServiceSurroundings = {
  readonly folder: DataFolder
  readonly secrets: Secrets
  readonly rpcUrl: string
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

function mainOf(app: string): string {
  return fileURLToPath(new URL(`../../../../apps/${app}/src/main.ts`, import.meta.url))
}

export function facilitatorService(around: ServiceSurroundings): NodeServiceOptions {
  const { folder, secrets, rpcUrl, databases, ports, env, mains } = around
  return {
    name: 'facilitator',
    main: mains?.facilitator ?? mainOf('facilitator'),
    healthUrl: `${serviceUrl(ports.facilitator)}/health`,
    logFile: join(folder.logs, 'facilitator.log'),
    env: {
      FACILITATOR_HOST: HOST,
      FACILITATOR_PORT: String(ports.facilitator),
      DATABASE_URL: databases.facilitator,
      FACILITATOR_NETWORKS: 'localnet',
      FACILITATOR_RPC_LOCALNET: rpcUrl,
      FACILITATOR_KEY: localRoles.facilitator.privateKey,
      FACILITATOR_ORDER_DELEGATES: localRoles.service.address,
      FACILITATOR_ADMIN_TOKEN: secrets.facilitatorAdminToken,
      ...env?.facilitator,
    },
  }
}

export function serverService(around: ServiceSurroundings): NodeServiceOptions {
  const { folder, secrets, rpcUrl, databases, ports, paymentMode, web, env, mains } = around
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
      ...(web === undefined ? {} : { SVC_WEB_DIR: web.dir, SVC_FAUCET_URL: web.faucetUrl }),
      ...env?.server,
    },
  }
}
