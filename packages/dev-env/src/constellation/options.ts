export type PaymentMode = 'fase1' | 'fase2' | 'fase5'

export const paymentModes: readonly PaymentMode[] = ['fase1', 'fase2', 'fase5']

export type Part = 'server' | 'facilitator' | 'chain' | 'postgres' | 'solana'

export type ConstellationOptions = {
  /** Where everything is kept; `.ergon` at the root of the project without it. */
  readonly dataDir?: string
  /** A temporary folder and any free ports; nothing is left after `stop`. */
  readonly ephemeral?: boolean
  /** `none` starts PostgreSQL and the chain alone, for services run by hand or by a test. */
  readonly services?: 'processes' | 'none'
  readonly paymentMode?: PaymentMode
  /** Settings that replace those of the constellation. */
  readonly env?: {
    readonly server?: Readonly<Record<string, string>>
    readonly facilitator?: Readonly<Record<string, string>>
  }
  /** Files to run in place of the services' own. */
  readonly mains?: { readonly server?: string; readonly facilitator?: string }
  /** The first ports to try. */
  readonly ports?: Partial<Readonly<Record<Part, number>>>
  /**
   * Serves the app for people, with a faucet for its local test wallet: true builds it when its sources have changed, a
   * folder names one that is built. Off unless asked for.
   */
  readonly web?: boolean | { readonly dir: string }
  /** Starts the local Solana ledger, and lets the server meter tasks on it. Off unless asked for. */
  readonly solana?: boolean
  /** A PostgreSQL to use instead of the embedded one. */
  readonly databaseUrl?: string
  /** Forgets what the data folder holds before starting. */
  readonly reset?: boolean
}
