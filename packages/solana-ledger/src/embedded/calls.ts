import type { LedgerAccount, RecentBlockhash, TransactionStatus } from '@ergon/channels'
import type { KnownTransaction, RecentTransaction, Run } from './machine.ts'

/** An account as a node tells of it. */
export type NodeAccount = LedgerAccount & { readonly executable: boolean }

/** What the thread of the machine answers to: the name of each call, what it takes and what it gives. */
export interface MachineCalls {
  genesisHash(): Promise<string>
  slot(): Promise<bigint>
  unixSec(): Promise<bigint>
  latestBlockhash(): Promise<RecentBlockhash>
  isRecent(blockhash: string): Promise<boolean>
  account(address: string): Promise<NodeAccount | null>
  rentOf(space: bigint): Promise<bigint>
  simulate(wire: Uint8Array): Promise<Run>
  /** Refused before it is carried out when a trial run fails, unless `skipPreflight`. */
  send(wire: Uint8Array, skipPreflight: boolean): Promise<{ readonly signature: string; readonly run: Run }>
  status(signature: string): Promise<TransactionStatus>
  transaction(signature: string): Promise<RecentTransaction | undefined>
  /** Of the transactions that are kept, those that name the address, the newest first. */
  history(address: string, limit: number, before?: string): Promise<readonly KnownTransaction[]>
  /** The slot from which on all transactions are kept. */
  keptFrom(): Promise<bigint>
  /** Answers the signature under which its status is known; there is no transaction behind it. */
  airdrop(address: string, lamports: bigint): Promise<string>
  /** Atomic units of the embedded mint, to the owner's associated account. */
  giveTokens(owner: string, amount: bigint): Promise<void>
  /** Moves the ledger's clock, and with it its slots, ahead. */
  skip(ms: number): Promise<void>
  /** What is done is on disk; no call after this one is answered. */
  close(): Promise<void>
}

export type CallName = keyof MachineCalls
/** What crosses to the thread, and what comes back. */
export type Question = { readonly id: number; readonly call: CallName; readonly args: readonly unknown[] }
export type Answer =
  | { readonly id: number; readonly value: unknown }
  | { readonly id: number; readonly fault: string }
  | { readonly ready: true }
export type MachineSettings = {
  /** The file of the ledger's log; without one it is forgotten. */
  readonly file?: string
}
