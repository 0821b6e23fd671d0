import type { Address } from '@ergon/protocols'
import type { Intent, IntentStore, Outcome } from '../store/intents.ts'
import { delay, type Surroundings } from '../surroundings/surroundings.ts'
import type { Chain, Receipt } from './chain.ts'
import { matchLogs, missingEvent } from './expectation.ts'
import type { ReorgWatch } from './reorg-watch.ts'
import type { SignedTransaction } from './transaction.ts'
import type { Lease } from './write-intents.ts'

/** An intent between its broadcast and its stored outcome. */
export type Tracked = {
  intent: Intent
  readonly outcome: Promise<Outcome>
  readonly settle: (outcome: Outcome) => void
  sentAt: number
  /** How often it was handed to a node, answered or not. */
  sends: number
  /** What the node said the last time. */
  refused: boolean
  /** The chain was seen past its nonce without its receipt. */
  missed: boolean
  /** The chain refused it, in a block that may still be undone. */
  shallow: boolean
  done: boolean
}

export type TrackerDeps = {
  readonly network: string
  readonly chain: Chain
  readonly store: IntentStore
  readonly account: Address
  readonly lease: Lease
  /** Whether what was sent last pays what the next block takes. */
  readonly pays: (intent: Intent) => Promise<boolean>
  /** Signs the same call again with a higher fee, when the account is ours. */
  readonly replace: (intent: Intent) => Promise<SignedTransaction | undefined>
  /** Signs a transaction that does nothing under the same nonce, so that what a node never takes comes to an end. */
  readonly cancel: (intent: Intent) => Promise<SignedTransaction | undefined>
  /** Uses up a nonce that nothing open holds and that later ones wait for. */
  readonly fill: (nonce: number) => Promise<void>
  readonly onSettled: (intent: Intent, outcome: Outcome) => void
  readonly onTrouble: (message: string, error: unknown) => void
  readonly pace?: TrackerPace
  readonly surroundings: Surroundings
}

export type Watch = {
  readonly deps: TrackerDeps
  readonly pace: TrackerPace
  readonly tracked: Map<string, Tracked>
  readonly reorgs: ReorgWatch
  looping: Promise<void> | undefined
  stopped: boolean
  revisitedAt: number
  /** Since when open intents wait for a nonce that none of them holds. */
  gapSince: number | undefined
  refusals: number
  blockCostMs: number
}
export type Settled = readonly [Tracked, Outcome]

export type TrackerPace = {
  /**
   * A node may know that a nonce is used before it serves the receipt: an intent has failed when the receipts of all
   * its forms were absent at two looks this far apart, with the nonce used at both.
   */
  readonly supersededAfterMs: number
  readonly rebroadcastEveryMs: number
  /** A transaction that has waited this long is replaced by one that pays more, and what waits behind it as well. */
  readonly replaceAfterMs: number
}

/**
 * Hands the newest form of each to the node and answers those that it refused. A refusal counts only at the first time:
 * after that, an earlier form may be on its way whatever this answer says.
 */
export async function hand(watch: Watch, batch: readonly Tracked[]): Promise<Tracked[]> {
  const first = new Set(batch.filter((one) => one.sends === 0 && one.intent.transactions.length === 1))
  for (const one of batch) one.sends += 1
  const answers = await watch.deps.chain.broadcast(batch.map((one) => newestRaw(one.intent)))
  // What is only too cheap for now is remedied by a higher fee.
  for (const [index, one] of batch.entries()) one.refused = answers[index] === 'refused'
  return batch.filter((one, index) => answers[index] !== 'accepted' && first.has(one))
}

export function track(watch: Watch, intent: Intent): Tracked {
  const known = watch.tracked.get(intent.id)
  if (known !== undefined) return known
  const { promise, resolve } = Promise.withResolvers<Outcome>()
  const sentAt = watch.deps.surroundings.monotonic()
  const tracked: Tracked = {
    intent,
    outcome: promise,
    settle: resolve,
    sentAt,
    sends: 0,
    refused: false,
    missed: false,
    shallow: false,
    done: false,
  }
  watch.tracked.set(intent.id, tracked)
  return tracked
}

export function open(watch: Watch): Tracked[] {
  return [...watch.tracked.values()].filter((one) => !one.done)
}

export function isOwn(watch: Watch, intent: Intent): boolean {
  return intent.account.toLowerCase() === watch.deps.account.toLowerCase()
}

export async function collect(watch: Watch): Promise<void> {
  const { chain } = watch.deps
  const pairs = open(watch).flatMap((one) =>
    one.intent.transactions.map((transaction) => ({ one, hash: transaction.hash })),
  )
  if (pairs.length === 0) return
  const deep = await deepBlock(watch)
  const receipts = await chain.receipts(pairs.map((pair) => pair.hash))
  await settleLanded(
    watch,
    pairs.map(({ one }, index) => [one, receipts[index]]),
    deep,
  )
}

/**
 * The newest block that is not undone any more. To be asked before the receipts: a block that is undone in between is
 * then no deeper than it was. Nothing that is open needs it, as long as the chain has refused nothing.
 */
export async function deepBlock(watch: Watch): Promise<number> {
  const { chain } = watch.deps
  if (chain.confirmations === 0) return Infinity
  return open(watch).some((one) => one.shallow) ? (await chain.head()) - chain.confirmations : -1
}

/**
 * Finishes those of which a receipt was found. What the chain refused may be carried out by another order of the same
 * transactions, so it has failed only when its block is deep enough; whoever asks meanwhile is told that it is pending.
 */
export async function settleLanded(
  watch: Watch,
  pairs: readonly (readonly [Tracked, Receipt | undefined])[],
  deep: number,
): Promise<void> {
  const settled: Settled[] = []
  const shallow = new Set<Tracked>()
  for (const [one, receipt] of pairs) {
    if (receipt === undefined || one.done) continue
    const logs = receipt.succeeded ? matchLogs(one.intent.expectations, receipt.logs) : undefined
    if (logs === undefined && receipt.blockNumber > deep) shallow.add(one)
    else settled.push([one, await judge(watch.deps.chain, one.intent, receipt, logs)])
  }
  for (const [one] of pairs) one.shallow = shallow.has(one)
  finish(watch, settled)
}

export function finish(watch: Watch, settled: readonly Settled[]): void {
  const fresh = settled.filter(([one]) => !one.done)
  for (const [one, outcome] of fresh) {
    one.done = true
    if (outcome.blockNumber > 0 && isOwn(watch, one.intent)) watch.reorgs.landed(one.intent.accountNonce)
    watch.deps.onSettled(one.intent, outcome)
    one.settle(outcome)
  }
  if (fresh.length > 0) void persist(watch, fresh)
}

/** An outcome is final on chain before it is stored; a store that is away only delays the row. */
async function persist(watch: Watch, settled: readonly Settled[]): Promise<void> {
  const { chain, store, onTrouble, surroundings } = watch.deps
  const rows = settled.map(([one, outcome]) => ({
    id: one.intent.id,
    status: outcome.failure === undefined ? ('succeeded' as const) : ('failed' as const),
    outcome,
    isDeep: chain.confirmations === 0,
  }))
  for (;;) {
    try {
      await store.settle(rows)
      break
    } catch (error) {
      onTrouble('an outcome waits for the store', error)
      // The next process finds the receipt.
      if (watch.stopped) return
      await delay(surroundings, 500)
    }
  }
  for (const [one] of settled) watch.tracked.delete(one.intent.id)
}

async function judge(
  chain: Chain,
  intent: Intent,
  { transaction, blockNumber, succeeded }: Receipt,
  logs: Outcome['logs'] | undefined,
): Promise<Outcome> {
  if (logs !== undefined) return { transaction, blockNumber, logs }
  const failure = succeeded
    ? { code: missingEvent, reason: 'the transaction succeeded without the expected event' }
    : await chain.explain(intent.account, intent.call, blockNumber)
  return { transaction, blockNumber, logs: [], failure }
}

export function failure(intent: Intent, code: string, reason: string): Outcome {
  return { transaction: intent.transactions.at(-1)?.hash ?? '0x', blockNumber: 0, logs: [], failure: { code, reason } }
}

function newestRaw(intent: Intent): `0x${string}` {
  return intent.transactions.at(-1)?.raw ?? '0x'
}
