import { join } from 'node:path'
import { localAddresses, localChainId, localRoles } from '@ergon/contracts'
import type { Chain } from '../chain/chain.ts'
import type { Postgres } from '../postgres/postgres.ts'
import type { ConstellationRecord } from './record.ts'
import type { ServiceSet } from './service-set.ts'
import { appUrl, serviceUrl } from './services.ts'
import type { ServiceSurroundings } from './services.ts'

export type Parts = {
  readonly around: ServiceSurroundings
  readonly postgres: Postgres
  readonly chain: Chain
  readonly services: ServiceSet
  readonly startedAt: Date
}

export function describeConstellation({ around, postgres, chain, services, startedAt }: Parts): ConstellationRecord {
  const { folder, secrets, databases, ports, paymentMode } = around
  const [server, facilitator] = [services.find('server'), services.find('facilitator')]
  return {
    pid: process.pid,
    startedAt: startedAt.toISOString(),
    dataDir: folder.root,
    paymentMode,
    serverUrl: server === undefined ? undefined : serviceUrl(ports.server),
    facilitatorUrl: facilitator === undefined ? undefined : serviceUrl(ports.facilitator),
    webUrl: server === undefined || around.web === undefined ? undefined : `${appUrl(ports.server)}/`,
    faucetUrl: around.web?.faucetUrl,
    rpcUrl: chain.rpcUrl,
    chainId: localChainId,
    solana: solanaOf(around),
    pids: {
      chain: chain.pid,
      ...(postgres.pid === undefined ? {} : { postgres: postgres.pid }),
      ...(server === undefined ? {} : { server: server.pid }),
      ...(facilitator === undefined ? {} : { facilitator: facilitator.pid }),
    },
    logs: {
      chain: chain.logFile,
      ...(postgres.folder === undefined ? {} : { postgres: join(postgres.folder, 'postgres.log') }),
      ...(server === undefined ? {} : { server: server.logFile }),
      ...(facilitator === undefined ? {} : { facilitator: facilitator.logFile }),
    },
    databases,
    addresses: localAddresses,
    treasury: localRoles.treasury.address,
    wallets: localRoles.wallets.map(({ address, privateKey }) => ({ address, privateKey })),
    adminKeys: { server: secrets.serverAdminKey, facilitator: secrets.facilitatorAdminToken },
  }
}

function solanaOf({ solana }: ServiceSurroundings): ConstellationRecord['solana'] {
  if (solana === undefined) return undefined
  const { rpcUrl, genesisHash, mint } = solana
  return { rpcUrl, genesisHash, mint }
}
