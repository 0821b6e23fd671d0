import { join } from 'node:path'
import { decodeTransaction, transactionId } from '@ergon/channels'
import type { SolanaLedger } from '@ergon/channels'
import { TransactionRefused } from '../refusal.ts'
import type { MachineCalls } from './calls.ts'
import { startMachine } from './start-machine.ts'

export type EmbeddedOptions = {
  /** Where the ledger's state lives and stays. Without it the ledger is forgotten when it stops. */
  readonly dataDir?: string
}

/** A Solana ledger inside this process, on a virtual machine in a thread of its own. */
export type EmbeddedLedger = AsyncDisposable & {
  readonly ledger: SolanaLedger
  /** What the JSON-RPC front answers from. */
  readonly machine: MachineCalls
  /** Gives an address lamports, and its owner tokens of the embedded mint, in atomic units. */
  fund(address: string, gift: { readonly lamports?: bigint; readonly tokens?: bigint }): Promise<void>
  /** Moves the ledger's clock, and with it its slots, ahead: what waits for a grace period need not wait. */
  skip(ms: number): Promise<void>
}

/**
 * Starts the embedded ledger: the channel program at its address, a mint of six decimals, the operator with money for
 * fees, and whatever its log has kept.
 *
 * @throws Error if the log cannot be read; nothing is reset silently.
 */
export async function startEmbeddedLedger({ dataDir }: EmbeddedOptions = {}): Promise<EmbeddedLedger> {
  let closing: Promise<void> | undefined
  const machine = await startMachine(dataDir === undefined ? {} : { file: join(dataDir, 'solana-ledger.log') })
  return {
    ledger: ledgerOf(machine),
    machine,
    fund: async (address, { lamports, tokens }) => {
      if (lamports !== undefined) await machine.airdrop(address, lamports)
      if (tokens !== undefined) await machine.giveTokens(address, tokens)
    },
    skip: (ms) => machine.skip(ms),
    [Symbol.asyncDispose]: () => (closing ??= machine.close()),
  }
}

function ledgerOf(machine: MachineCalls): SolanaLedger {
  return {
    slot: () => machine.slot(),
    time: () => machine.unixSec(),
    blockhash: () => machine.latestBlockhash(),
    // Every slot of this ledger has its block.
    blockHeight: () => machine.slot(),
    account: async (address) => {
      const account = await machine.account(address)
      if (account === null) return null
      const { owner, data, lamports, slot } = account
      return { owner, data, lamports, slot }
    },
    send: async (wire) => {
      const signature = transactionId(decodeTransaction(wire))
      const { run } = await machine.send(wire, false)
      if (run.error !== null && run.error !== 'AlreadyProcessed') throw new TransactionRefused(run.error, run.logs)
      return signature
    },
    status: (signature) => machine.status(signature),
  }
}
