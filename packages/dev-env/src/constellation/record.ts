import { readFileSync, renameSync, writeFileSync } from 'node:fs'
import { isAlive } from '../stopping.ts'
import { dataFolder, defaultDataDir } from './data-folder.ts'
import type { Part, PaymentMode } from './options.ts'

export type LocalWallet = { readonly address: `0x${string}`; readonly privateKey: `0x${string}` }

/** What a running constellation tells other commands. It holds passwords and keys, so its file is the owner's alone. */
export type ConstellationRecord = {
  /** The process that holds the constellation. */
  readonly pid: number
  readonly startedAt: string
  readonly dataDir: string
  readonly paymentMode: PaymentMode
  readonly serverUrl: string | undefined
  readonly facilitatorUrl: string | undefined
  /** The app for people; undefined when it is not served. */
  readonly webUrl: string | undefined
  /** Gives test dollars to the app's local test wallet: `POST /fund` below it. */
  readonly faucetUrl: string | undefined
  readonly rpcUrl: string
  readonly chainId: number
  /** The local Solana ledger: where it answers, and its token for dollars. */
  readonly solana: { readonly rpcUrl: string; readonly genesisHash: string; readonly mint: string } | undefined
  readonly pids: Readonly<Partial<Record<Part, number>>>
  readonly logs: Readonly<Partial<Record<Part, string>>>
  readonly databases: { readonly server: string; readonly facilitator: string }
  /** The contracts of the local chain, by name. */
  readonly addresses: Readonly<Record<string, `0x${string}`>>
  readonly treasury: `0x${string}`
  /** Funded accounts to play with. Their keys are public. */
  readonly wallets: readonly LocalWallet[]
  readonly adminKeys: { readonly server: string; readonly facilitator: string }
}

export function writeRecord(file: string, record: ConstellationRecord): void {
  writeFileSync(`${file}.new`, `${JSON.stringify(record, undefined, 2)}\n`, { mode: 0o600 })
  renameSync(`${file}.new`, file)
}

/** The constellation that runs on a data folder now, or undefined. */
export function findRunning(dataDir: string = defaultDataDir): ConstellationRecord | undefined {
  try {
    // Written by `writeRecord` and by nothing else.
    const record = JSON.parse(readFileSync(dataFolder(dataDir).record, 'utf8')) as ConstellationRecord
    return isAlive(record.pid) ? record : undefined
  } catch {
    return undefined
  }
}
