/** The thread of the virtual machine: takes calls one after the other and answers each. */
import { randomBytes } from 'node:crypto'
import { parentPort, workerData } from 'node:worker_threads'
import { toBase58 } from '@ergon/protocols'
import { blockhashSlots, createChainClock } from './chain-clock.ts'
import type { Answer, CallName, MachineCalls, MachineSettings, Question } from './calls.ts'
import { giveTokens, writeFirstState } from './first-state.ts'
import { ledgerFormat, openLedgerLog } from './ledger-log.ts'
import type { Header } from './ledger-log.ts'
import { Machine } from './machine.ts'

type Handlers = { readonly [Name in CallName]: (...args: Parameters<MachineCalls[Name]>) => unknown }

function makeHeader(): Header {
  return { format: ledgerFormat, genesisHash: toBase58(randomBytes(32)), genesisMs: Date.now() }
}

function openMachine({ file }: MachineSettings): { readonly machine: Machine; readonly header: Header } {
  const log = file === undefined ? undefined : openLedgerLog(file, makeHeader)
  const header = log?.header ?? makeHeader()
  const skippedMs = log?.entries.findLast((entry) => entry.skippedMs !== undefined)?.skippedMs ?? 0
  const clock = createChainClock({ ...header, skippedMs }, () => Date.now())
  const machine = new Machine(clock, log)
  if (log === undefined || log.entries.length === 0) writeFirstState(machine)
  machine.flush()
  return { machine, header }
}

function handlersOf(machine: Machine, header: Header): Handlers {
  const latestBlockhash = () => {
    const slot = machine.slot()
    return { blockhash: machine.blockhashOf(slot), lastValidBlockHeight: slot + blockhashSlots }
  }
  return {
    genesisHash: () => header.genesisHash,
    slot: () => machine.slot(),
    unixSec: () => machine.unixSec(),
    latestBlockhash,
    isRecent: (blockhash) => machine.isRecent(blockhash),
    account: (address) => machine.account(address),
    rentOf: (space) => machine.rentOf(space),
    simulate: (wire) => machine.simulate(wire),
    send: (wire, skipPreflight) => {
      const sent = () => machine.send(wire)
      if (skipPreflight) return sent()
      const trial = machine.simulate(wire)
      return trial.error === null ? sent() : { signature: '', run: trial }
    },
    status: (signature) => machine.status(signature),
    transaction: (signature) => machine.transaction(signature),
    history: (address, limit, before) => machine.history(address, limit, before),
    keptFrom: () => machine.keptFrom(),
    airdrop: (address, lamports) => machine.airdrop(address, lamports),
    giveTokens: (owner, amount) => {
      giveTokens(machine, owner, amount)
    },
    skip: (ms) => {
      machine.skip(ms)
    },
    close: () => {
      machine[Symbol.dispose]()
    },
  }
}

const port = parentPort
if (port === null) throw new Error('this file is the thread of an embedded ledger')
// The thread is started by `startMachine` alone, which passes these.
const { machine, header } = openMachine(workerData as MachineSettings)
const handlers = handlersOf(machine, header)
const answer = (message: Answer): void => {
  port.postMessage(message)
}
port.on('message', ({ id, call, args }: Question) => {
  try {
    // The caller's types tie the arguments to the name; they are lost on the way between the threads.
    const handler = handlers[call] as (...given: readonly unknown[]) => unknown
    answer({ id, value: handler(...args) })
  } catch (error) {
    answer({ id, fault: error instanceof Error ? error.message : String(error) })
  }
  if (call === 'close') port.close()
})
answer({ ready: true })
