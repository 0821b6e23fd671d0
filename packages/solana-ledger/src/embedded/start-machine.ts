import { Worker } from 'node:worker_threads'
import type { Answer, CallName, MachineCalls, MachineSettings, Question } from './calls.ts'

const callNames = {
  genesisHash: true,
  slot: true,
  unixSec: true,
  latestBlockhash: true,
  isRecent: true,
  account: true,
  rentOf: true,
  simulate: true,
  send: true,
  status: true,
  transaction: true,
  history: true,
  keptFrom: true,
  airdrop: true,
  giveTokens: true,
  skip: true,
  close: true,
} satisfies Record<CallName, true>
/** More calls than this in flight are refused: the machine carries out about a thousand transactions a second. */
const mostWaiting = 1_000

type Waiting = { readonly resolve: (value: unknown) => void; readonly reject: (error: Error) => void }

/**
 * Starts the virtual machine in a thread of its own and answers when it takes calls. A call rejects when the machine
 * refuses its arguments, has too many waiting, or has ended.
 *
 * @throws Error if the log of the ledger cannot be read.
 */
export async function startMachine(settings: MachineSettings): Promise<MachineCalls> {
  const worker = new Worker(new URL('machine-thread.ts', import.meta.url), { workerData: settings })
  const waiting = new Map<number, Waiting>()
  const started = Promise.withResolvers<void>()
  let ended: Error | undefined
  let lastId = 0
  const end = (error: Error): void => {
    ended ??= error
    started.reject(error)
    for (const { reject } of waiting.values()) reject(error)
    waiting.clear()
  }
  worker.on('error', (error) => {
    end(error instanceof Error ? error : new Error(String(error)))
  })
  worker.on('exit', () => {
    end(new Error('the embedded ledger has ended'))
  })
  worker.on('message', (answer: Answer) => {
    if ('ready' in answer) {
      started.resolve()
      return
    }
    const call = waiting.get(answer.id)
    waiting.delete(answer.id)
    if ('fault' in answer) call?.reject(new Error(answer.fault))
    else call?.resolve(answer.value)
  })
  const ask = (call: CallName, args: readonly unknown[]): Promise<unknown> => {
    if (ended !== undefined) return Promise.reject(ended)
    if (waiting.size >= mostWaiting) return Promise.reject(new Error('the embedded ledger has too many calls waiting'))
    const { promise, resolve, reject } = Promise.withResolvers<unknown>()
    const id = (lastId += 1)
    waiting.set(id, { resolve, reject })
    worker.postMessage({ id, call, args } satisfies Question)
    return promise
  }
  await started.promise
  const names = Object.keys(callNames) as CallName[] // the record's own keys
  const calls = names.map((name) => [name, (...args: readonly unknown[]) => ask(name, args)] as const)
  // The thread answers each call with what its handler gives, and the handlers are typed by the same interface.
  return Object.fromEntries(calls) as unknown as MachineCalls
}
