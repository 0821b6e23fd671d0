import { deployment } from '../chain/deployment.ts'
import { createMemoryChain, type MemoryChain } from '../chain/memory-chain.ts'
import { askNode, type RpcAnswer } from '../chain/node.ts'
import type { Transaction } from '../chain/transaction.ts'
import type { Fault, Faults } from '../world/faults.ts'
import type { Random } from '../world/random.ts'
import type { Scheduler } from '../world/scheduler.ts'
import type { Trace } from '../world/trace.ts'

const slotMs = 2_000
const genesis = 1_000

export type Request = { readonly method: string; readonly params: readonly unknown[] }

/** The chain in the world's time: a block every two seconds where something waits, and what goes wrong with it. */
export type ChainDriver = {
  readonly chain: MemoryChain
  /** What a node answers now, so many blocks behind. */
  ask(requests: readonly Request[], lag: number): RpcAnswer[]
  /** A transaction of a stranger who is no client of a node of ours; a complaint of the pool is its answer. */
  submit(transaction: Transaction): string | undefined
  /** In the world's time, whoever lives or dies meanwhile. */
  after(ms: number, label: string, run: () => void): void
  /** The chain's own second. */
  seconds(): number
  /** Nothing waits to be mined. */
  isQuiet(): boolean
}

export type ChainDriverDeps = {
  readonly scheduler: Scheduler
  readonly random: Random
  readonly faults: Faults
  readonly trace: Trace
  readonly epochMs: number
  /** How often a block meets a fault. */
  readonly share: number
  /** How often a block has no room for anybody here, as on a chain that is too busy for what they pay. */
  readonly crowdedShare: number
}

/** How often a block that could still be undone is, where something waits to take the place of what is in it. */
const rivalledShare = 0.3
const blockFaults = ['leaves some out', 'drops one', 'leaves all out', 'reorganizes one', 'reorganizes two'] as const

type BlockFault = Fault<(typeof blockFaults)[number]>

/** Several senders had part in what may still be undone, or wait to: another order of theirs could end otherwise. */
function isRivalled({ blocks, pool }: MemoryChain, slot: number): boolean {
  const recent = blocks.slice(-2).filter(({ number }) => number >= slot - 1)
  if (recent.length === 0) return false
  const mined = recent.flatMap(({ receipts }) => receipts.map(({ transaction }) => transaction.from))
  return new Set([...mined, ...pool.all().map(({ from }) => from)]).size > 1
}

/** Which of those that are ready a block takes, and in which order. */
function choose(
  pool: MemoryChain['pool'],
  ready: readonly Transaction[],
  fault: BlockFault | undefined,
): readonly Transaction[] {
  if (fault?.kind === 'leaves all out') return []
  // What a reorganization takes out may come back in another order.
  if (fault?.kind === 'reorganizes one' || fault?.kind === 'reorganizes two') return shuffled(ready, fault.random)
  if (fault?.kind === 'leaves some out') return ready.filter(() => fault.random.chance(0.5))
  if (fault?.kind === 'drops one') {
    const gone = ready[fault.random.below(ready.length)]
    // Our facilitator hands what was forgotten to the node again; people do not.
    if (gone !== undefined) pool.drop(gone, gone.from === deployment.facilitator)
    return ready.filter((one) => pool.has(one.hash))
  }
  return ready
}

export function createChainDriver(deps: ChainDriverDeps): ChainDriver {
  const { scheduler, faults, trace, epochMs, share, crowdedShare } = deps
  const seconds = (): number => Math.floor((epochMs + scheduler.now()) / 1_000)
  const chain = createMemoryChain({ number: genesis, time: Math.floor(epochMs / 1_000) })
  let isDue = false

  const slot = (): number => genesis + Math.floor(scheduler.now() / slotMs)
  const sync = (): void => {
    chain.advance(slot(), Math.floor((epochMs + (slot() - genesis) * slotMs) / 1_000))
  }
  const schedule = (): void => {
    if (isDue || chain.pool.all().length === 0) return
    isDue = true
    scheduler.after(slotMs - (scheduler.now() % slotMs), null, 'a block is due', produce)
  }

  const produce = (): void => {
    isDue = false
    const fault =
      (isRivalled(chain, slot())
        ? faults.at('a block', { share: rivalledShare, kinds: ['reorganizes two'] })
        : undefined) ??
      faults.at('a block', { share, kinds: blockFaults }) ??
      faults.at('a block', { share: crowdedShare, kinds: ['leaves all out'] })
    const number = slot()
    if (fault?.kind === 'reorganizes one' || fault?.kind === 'reorganizes two')
      unwind(number, fault.kind === 'reorganizes one' ? 1 : 2)
    const ready = chain.pool.executable((account) => chain.nonceOf(account))
    const chosen = choose(chain.pool, ready, fault)
    if (chosen.length > 0 && number > (chain.blocks.at(-1)?.number ?? genesis)) {
      const block = chain.mine(number, Math.floor((epochMs + (number - genesis) * slotMs) / 1_000), chosen)
      trace.line(
        scheduler.now(),
        `block ${String(number)}: ${block.receipts.map((one) => `${one.transaction.hash.slice(0, 10)} ${one.succeeded ? 'ok' : 'reverted'}`).join(', ')}`,
      )
    }
    sync()
    schedule()
  }
  const unwind = (number: number, depth: number): void => {
    const back = chain.unwind(number - depth)
    trace.line(
      scheduler.now(),
      `the chain gives up ${String(back.length)} transactions of its last ${String(depth)} blocks`,
    )
  }

  return {
    chain,
    seconds,
    after: (ms, label, run) => {
      scheduler.after(ms, null, label, run)
    },
    isQuiet: () => chain.pool.all().length === 0,
    ask(requests, lag) {
      sync()
      const answers = requests.map(({ method, params }) => askNode(chain, method, params, { lag }))
      schedule()
      return answers
    },
    submit(transaction) {
      sync()
      const complaint = chain.pool.add(transaction, chain.nonceOf(transaction.from))
      schedule()
      return complaint
    },
  }
}

/** Any order in which the nonces of each account follow one another. */
function shuffled(ready: readonly Transaction[], random: Random): readonly Transaction[] {
  const queues = new Map<string, Transaction[]>()
  for (const one of ready) queues.set(one.from, [...(queues.get(one.from) ?? []), one])
  return ready.map(() => {
    const heads = [...queues.values()].filter(({ length }) => length > 0)
    const next = heads[random.below(heads.length)]?.shift()
    if (next === undefined) throw new Error('as many are taken as there are')
    return next
  })
}
