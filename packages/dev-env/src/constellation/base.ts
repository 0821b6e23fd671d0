import type { Chain } from '../chain/chain.ts'
import { startPostgres } from '../postgres/postgres.ts'
import type { Postgres } from '../postgres/postgres.ts'
import { startSolana } from '../solana/solana.ts'
import type { Solana } from '../solana/solana.ts'
import type { DataFolder } from './data-folder.ts'
import { startLocalChain } from './local-chain.ts'
import type { ConstellationOptions } from './options.ts'
import type { PortPlan } from './port-plan.ts'
import type { ServiceSurroundings } from './services.ts'
import type { Undo } from './undo.ts'

export type Base = {
  readonly postgres: Postgres
  readonly chain: Chain
  /** Undefined unless asked for. */
  readonly solana: Solana | undefined
  readonly databases: ServiceSurroundings['databases']
}

/** PostgreSQL and the ledgers come up side by side; what came up is undone even when the other one did not. */
export async function startBase(
  options: ConstellationOptions,
  folder: DataFolder,
  plan: PortPlan,
  undo: Undo,
): Promise<Base> {
  const isEphemeral = options.ephemeral === true
  const startDatabases = async (): Promise<Postgres> => {
    const postgres = await startPostgres({
      dataDir: folder.postgres,
      port: plan.postgres,
      durable: !isEphemeral,
      ...(options.databaseUrl === undefined ? {} : { externalUrl: options.databaseUrl }),
    })
    undo.push(() => postgres.stop())
    const ensure = async (name: string): Promise<void> => {
      if (!(await postgres.hasDatabase(name))) await postgres.createDatabase(name)
    }
    await Promise.all(['ergon', 'facilitator'].map(ensure))
    return postgres
  }
  const startChain = async (): Promise<Chain> => {
    const chain = await startLocalChain({ port: plan.chain, ...(isEphemeral ? {} : { dataDir: folder.chain }) })
    undo.push(() => chain.stop())
    return chain
  }
  const startLedger = async (): Promise<Solana | undefined> => {
    if (options.solana !== true) return undefined
    const solana = await startSolana({ port: plan.solana, ...(isEphemeral ? {} : { dataDir: folder.solana }) })
    undo.push(() => solana.stop())
    return solana
  }
  const [postgres, chain, solana] = await Promise.allSettled([startDatabases(), startChain(), startLedger()])
  if (postgres.status === 'rejected') throw postgres.reason
  if (chain.status === 'rejected') throw chain.reason
  if (solana.status === 'rejected') throw solana.reason
  return {
    postgres: postgres.value,
    chain: chain.value,
    solana: solana.value,
    databases: { server: postgres.value.url('ergon'), facilitator: postgres.value.url('facilitator') },
  }
}
