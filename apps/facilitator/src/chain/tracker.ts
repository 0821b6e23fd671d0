import type { Address } from '@ergon/protocols'
import type { Intent, IntentStore, Outcome } from '../store/intents.ts'
import { delay, type Surroundings } from '../surroundings/surroundings.ts'
import type { Chain, Receipt } from './chain.ts'
import { matchLogs, missingEvent } from './expectation.ts'
import type { SignedTransaction } from './transaction.ts'

/** An intent between its broadcast and its stored outcome. */
export type Tracked = {
  intent: Intent
  readonly outcome: Promise<Outcome>
  readonly settle: (outcome: Outcome) => void
  sentAt: number
  missedAt: number | undefined
  done: boolean
}

/** Broadcasts written intents and follows each to its receipt: the only place that decides what happened. */
export type Tracker = {
  /** Resolves when the node has answered the broadcast; on a chain that mines on demand, when the batch is mined. */
  send(intents: readonly Intent[]): Promise<void>
  /** Takes up what an earlier process left: written, perhaps broadcast, perhaps mined. */
  resume(intents: readonly Intent[]): Promise<void>
  find(id: string): Tracked | undefined
  readonly live: number
  /** How often a node refused a transaction: its nonce is then free, and only the chain knows the next one. */
  readonly refusals: number
  /** What the last block on demand cost; zero on a chain that makes its own. */
  readonly blockCostMs: number
  stop(): Promise<void>
}

export type TrackerDeps = {
  readonly chain: Chain
  readonly store: IntentStore
  /** Signs the same call again with a higher fee, when the account is ours. */
  readonly replace: (intent: Intent) => Promise<SignedTransaction | undefined>
  readonly onSettled: (intent: Intent, outcome: Outcome) => void
  readonly onTrouble: (message: string, error: unknown) => void
  readonly pace?: TrackerPace
  readonly surroundings: Surroundings
}

type Watch = { readonly deps: TrackerDeps; readonly pace: TrackerPace; readonly tracked: Map<string, Tracked>; looping: Promise<void> | undefined; stopped: boolean; revisitedAt: number; refusals: number; blockCostMs: number }
type Settled = readonly [Tracked, Outcome]

export type TrackerPace = {
  /** A node may know that a nonce is used before it serves the receipt: a passed nonce must be seen twice this far apart. */
  readonly supersededAfterMs: number
  readonly rebroadcastEveryMs: number
  /** A transaction that has waited this long is replaced by one that pays more. */
  readonly replaceAfterMs: number
}

const usualPace: TrackerPace = { supersededAfterMs: 60_000, rebroadcastEveryMs: 5_000, replaceAfterMs: 30_000 }

export function createTracker(deps: TrackerDeps): Tracker {
  const watch: Watch = { deps, pace: deps.pace ?? usualPace, tracked: new Map(), looping: undefined, stopped: false, revisitedAt: 0, refusals: 0, blockCostMs: 0 }
  return {
    send: (intents) => send(watch, intents),
    resume: (intents) => resume(watch, intents),
    find: (id) => watch.tracked.get(id),
    get live() { return watch.tracked.size },
    get refusals() { return watch.refusals },
    get blockCostMs() { return watch.blockCostMs },
    async stop() {
      watch.stopped = true
      await watch.looping
    },
  }
}

async function send(watch: Watch, intents: readonly Intent[]): Promise<void> {
  const { chain, onTrouble } = watch.deps
  for (const intent of intents) track(watch, intent)
  try {
    const answers = await chain.broadcast(intents.map(newestRaw))
    const refused = intents.filter((_, index) => answers[index] === 'refused').flatMap((intent) => watch.tracked.get(intent.id) ?? [])
    watch.refusals += refused.length
    finish(watch, refused.map((one) => [one, failure(one.intent, 'broadcast_refused', 'the node refused the transaction; nothing was sent')]))
    const startedAt = watch.deps.surroundings.monotonic()
    if (await chain.advance()) {
      watch.blockCostMs = watch.deps.surroundings.monotonic() - startedAt
      await collect(watch)
    }
  } catch (error) {
    onTrouble('a broadcast has no answer; it is followed', error)
  }
  follow(watch)
}

async function resume(watch: Watch, intents: readonly Intent[]): Promise<void> {
  const { chain } = watch.deps
  for (const intent of intents) track(watch, intent)
  await collect(watch)
  const left = open(watch).map((one) => newestRaw(one.intent))
  if (left.length > 0) {
    await chain.broadcast(left)
    if (await chain.advance()) await collect(watch)
  }
  follow(watch)
}

function track(watch: Watch, intent: Intent): void {
  const { promise, resolve } = Promise.withResolvers<Outcome>()
  watch.tracked.set(intent.id, { intent, outcome: promise, settle: resolve, sentAt: watch.deps.surroundings.monotonic(), missedAt: undefined, done: false })
}

function open(watch: Watch): Tracked[] {
  return [...watch.tracked.values()].filter((one) => !one.done)
}

async function collect(watch: Watch): Promise<void> {
  const { chain } = watch.deps
  const pairs = open(watch).flatMap((one) => one.intent.transactions.map((transaction) => ({ one, hash: transaction.hash })))
  if (pairs.length === 0) return
  const receipts = await chain.receipts(pairs.map((pair) => pair.hash))
  const settled: Settled[] = []
  for (const [index, receipt] of receipts.entries()) {
    const one = pairs[index]?.one
    if (receipt !== undefined && one !== undefined) settled.push([one, await judge(chain, one.intent, receipt)])
  }
  finish(watch, settled)
}

function finish(watch: Watch, settled: readonly Settled[]): void {
  const fresh = settled.filter(([one]) => !one.done)
  for (const [one, outcome] of fresh) {
    one.done = true
    watch.deps.onSettled(one.intent, outcome)
    one.settle(outcome)
  }
  if (fresh.length > 0) void persist(watch, fresh)
}

/** An outcome is final on chain before it is stored; a store that is away only delays the row. */
async function persist(watch: Watch, settled: readonly Settled[]): Promise<void> {
  const rows = settled.map(([one, outcome]) => ({ id: one.intent.id, status: outcome.failure === undefined ? 'succeeded' as const : 'failed' as const, outcome }))
  for (;;) {
    try {
      await watch.deps.store.settle(rows)
      break
    } catch (error) {
      watch.deps.onTrouble('an outcome waits for the store', error)
      // The next process finds the receipt.
      if (watch.stopped) return
      await delay(watch.deps.surroundings, 500)
    }
  }
  for (const [one] of settled) watch.tracked.delete(one.intent.id)
}

function follow(watch: Watch): void {
  if (watch.looping !== undefined || watch.stopped || open(watch).length === 0) return
  watch.revisitedAt = watch.deps.surroundings.monotonic()
  watch.looping = loop(watch).finally(() => {
    watch.looping = undefined
    follow(watch)
  })
}

async function loop(watch: Watch): Promise<void> {
  const { chain, onTrouble } = watch.deps
  while (!watch.stopped && open(watch).length > 0) {
    await delay(watch.deps.surroundings, chain.pollMs)
    try {
      await revisit(watch)
      await chain.advance()
      await collect(watch)
    } catch (error) {
      onTrouble('open settlements wait for the node', error)
      await delay(watch.deps.surroundings, Math.max(chain.pollMs, 500))
    }
  }
}

async function revisit(watch: Watch): Promise<void> {
  if (watch.deps.surroundings.monotonic() - watch.revisitedAt < watch.pace.rebroadcastEveryMs) return
  watch.revisitedAt = watch.deps.surroundings.monotonic()
  const nonces = new Map<Address, number>()
  for (const one of open(watch)) {
    const { account, accountNonce } = one.intent
    const nonce = nonces.get(account) ?? await watch.deps.chain.accountNonce(account, 'latest')
    nonces.set(account, nonce)
    if (accountNonce < nonce) retire(watch, one)
    else await push(watch, one, accountNonce === nonce)
  }
}

function retire(watch: Watch, one: Tracked): void {
  one.missedAt ??= watch.deps.surroundings.monotonic()
  if (watch.deps.surroundings.monotonic() - one.missedAt < watch.pace.supersededAfterMs) return
  finish(watch, [[one, failure(one.intent, 'superseded', 'another transaction took the account nonce; nothing was moved')]])
}

async function push(watch: Watch, one: Tracked, isNext: boolean): Promise<void> {
  if (isNext && watch.deps.surroundings.monotonic() - one.sentAt > watch.pace.replaceAfterMs) {
    const replacement = await watch.deps.replace(one.intent)
    if (replacement !== undefined) {
      await watch.deps.store.addTransaction(one.intent.id, replacement)
      one.intent = { ...one.intent, transactions: [...one.intent.transactions, replacement] }
      one.sentAt = watch.deps.surroundings.monotonic()
    }
  }
  await watch.deps.chain.broadcast([newestRaw(one.intent)])
}

async function judge(chain: Chain, intent: Intent, receipt: Receipt): Promise<Outcome> {
  const landed = { transaction: receipt.transaction, blockNumber: receipt.blockNumber }
  if (!receipt.succeeded) return { ...landed, logs: [], failure: await chain.explain(intent.account, intent.call, receipt.blockNumber) }
  const logs = matchLogs(intent.expectations, receipt.logs)
  return logs === undefined
    ? { ...landed, logs: [], failure: { code: missingEvent, reason: 'the transaction succeeded without the expected event' } }
    : { ...landed, logs }
}

function failure(intent: Intent, code: string, reason: string): Outcome {
  return { transaction: intent.transactions.at(-1)?.hash ?? '0x', blockNumber: 0, logs: [], failure: { code, reason } }
}

function newestRaw(intent: Intent): `0x${string}` {
  return intent.transactions.at(-1)?.raw ?? '0x'
}
