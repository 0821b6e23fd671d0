import type { SolanaLedger } from '@ergon/channels'
import type { Config, Secrets } from '../config/config.ts'
import type { Log } from '../log.ts'
import type { Database } from '../store/database.ts'
import type { Challenges } from './challenges.ts'
import type { Recent } from './recent.ts'

/** What every action of a session needs. */
export type SessionDeps = {
  readonly config: Config
  readonly secrets: Secrets
  readonly database: Database
  readonly ledger: SolanaLedger & {
    priorityFee?(writable: readonly string[]): Promise<bigint>
    isRecent(blockhash: string): Promise<boolean>
  }
  readonly challenges: Challenges
  readonly recent: () => Promise<Recent | undefined>
  readonly log: Log
}

/** The most the operator pays for the priority of a transaction that a buyer made. */
export const mostPriorityLamports = 10_000n
/** A buyer's own blockhash may be a little younger than the one we know: so many blocks later it has ended for sure. */
export const blockhashAge = 150n
