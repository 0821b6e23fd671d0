import type { Address } from '@ergon/protocols'
import type { Intent, IntentStore, Outcome } from '../store/intents.ts'
import { setTimeout as delay } from 'node:timers/promises'
import type { Chain, Receipt } from './chain.ts'
import { matchLogs } from './expectation.ts'
import type { SignedTransaction } from './transaction.ts'

/** Where an intent stands between its broadcast and its stored outcome. */
export type Tracked = { intent: Intent; readonly outcome: Promise<Outcome>; readonly settle: (outcome: Outcome) => void; sentAt: number; missedAt: number | undefined; done: boolean }

/** Broadcasts written intents and follows each to its receipt: the only place that decides what happened. */
export type Tracker = {
  /** Resolves when the node has answered the broadcast; on a chain that mines on demand, when the batch is mined. */
  send(intents: readonly Intent[]): Promise<void>
  /** Takes up what an earlier process left (written, perhaps broadcast, perhaps mined). */
  resume(intents: readonly Intent[]): Promise<void>
  find(id: string): Tracked | undefined
  readonly live: number
  stop(): Promise<void>
}

export type TrackerDeps = {
  readonly chain: Chain
  readonly store: IntentStore
  /** Signs the same call again with a higher fee, when the account is ours. */
  readonly replace: (intent: Intent) => Promise<SignedTransaction | undefined>
  readonly onSettled: (intent: Intent, outcome: Outcome) => void
  readonly onTrouble: (message: string, error: unknown) => void
}

// A node may know a transaction before it knows its receipt, so a passed nonce must be seen twice this far apart.
const supersededAfterMs = 5_000
const rebroadcastEveryMs = 5_000
const replaceAfterMs = 30_000

export function createTracker(deps: TrackerDeps): Tracker {
  const { chain, store } = deps
  const tracked = new Map<string, Tracked>()
  let looping: Promise<void> | undefined
  let stopped = false
  let revisitedAt = 0

  const track = (intent: Intent): void => {
    const { promise, resolve } = Promise.withResolvers<Outcome>()
    tracked.set(intent.id, { intent, outcome: promise, settle: resolve, sentAt: performance.now(), missedAt: undefined, done: false })
  }
  const open = (): Tracked[] => [...tracked.values()].filter((one) => !one.done)

  const finish = (one: Tracked, outcome: Outcome): void => {
    one.done = true
    one.settle(outcome)
    deps.onSettled(one.intent, outcome)
  }

  // The outcome is final on chain before it is stored; a store that is away only delays the row.
  const persist = async (finished: readonly (readonly [Tracked, Outcome])[]): Promise<void> => {
    if (finished.length === 0) return
    for (;;) {
      try {
        await store.settle(finished.map(([one, outcome]) => ({ id: one.intent.id, status: outcome.failure === undefined ? 'succeeded' : 'failed', outcome })))
        break
      } catch (error) {
        deps.onTrouble('an outcome waits for the store', error)
        if (stopped) return
        await delay(500)
      }
    }
    for (const [one] of finished) tracked.delete(one.intent.id)
  }

  const collect = async (): Promise<void> => {
    const waiting = open()
    if (waiting.length === 0) return
    const pairs = waiting.flatMap((one) => one.intent.transactions.map((transaction) => ({ one, hash: transaction.hash })))
    const receipts = await chain.receipts(pairs.map((pair) => pair.hash))
    const finished: (readonly [Tracked, Outcome])[] = []
    for (const [index, receipt] of receipts.entries()) {
      const one = pairs[index]?.one
      if (receipt === undefined || one === undefined || one.done) continue
      const outcome = await judge(chain, one.intent, receipt)
      if (one.done) continue
      finish(one, outcome)
      finished.push([one, outcome])
    }
    void persist(finished)
  }

  const revisit = async (): Promise<void> => {
    if (performance.now() - revisitedAt < rebroadcastEveryMs) return
    revisitedAt = performance.now()
    const nonces = new Map<Address, number>()
    for (const one of open()) {
      const account = one.intent.account
      const nonce = nonces.get(account) ?? await chain.accountNonce(account, 'latest')
      nonces.set(account, nonce)
      if (one.intent.accountNonce < nonce) await retire(one)
      else await push(one, one.intent.accountNonce === nonce)
    }
  }

  const retire = async (one: Tracked): Promise<void> => {
    one.missedAt ??= performance.now()
    if (performance.now() - one.missedAt < supersededAfterMs) return
    const outcome = failure(one.intent, 'superseded', 'another transaction took the account nonce; nothing was moved')
    finish(one, outcome)
    await persist([[one, outcome]])
  }

  const push = async (one: Tracked, isNext: boolean): Promise<void> => {
    if (isNext && performance.now() - one.sentAt > replaceAfterMs) {
      const replacement = await deps.replace(one.intent)
      if (replacement !== undefined) {
        await store.addTransaction(one.intent.id, replacement)
        one.intent = { ...one.intent, transactions: [...one.intent.transactions, replacement] }
        one.sentAt = performance.now()
      }
    }
    const raw = one.intent.transactions.at(-1)?.raw
    if (raw !== undefined) await chain.broadcast([raw])
  }

  const loop = async (): Promise<void> => {
    while (!stopped && open().length > 0) {
      await delay(chain.pollMs)
      try {
        await revisit()
        await chain.advance()
        await collect()
      } catch (error) {
        deps.onTrouble('open settlements wait for the node', error)
        await delay(Math.max(chain.pollMs, 500))
      }
    }
  }
  const follow = (): void => {
    if (looping !== undefined || stopped || open().length === 0) return
    revisitedAt = performance.now()
    looping = loop().finally(() => { looping = undefined; follow() })
  }

  const send = async (intents: readonly Intent[]): Promise<void> => {
    intents.forEach(track)
    try {
      const answers = await chain.broadcast(intents.map((intent) => intent.transactions.at(-1)?.raw ?? '0x'))
      const refused = intents.filter((_, index) => answers[index] === 'refused').flatMap((intent) => tracked.get(intent.id) ?? [])
      const failed = refused.map((one) => [one, failure(one.intent, 'broadcast_refused', 'the node refused the transaction')] as const)
      for (const [one, outcome] of failed) finish(one, outcome)
      void persist(failed)
      if (await chain.advance()) await collect()
    } catch (error) {
      deps.onTrouble('a broadcast has no answer; it is followed', error)
    }
    follow()
  }

  return {
    send,
    async resume(intents) {
      intents.forEach(track)
      await collect()
      const left = open().map((one) => one.intent)
      if (left.length > 0) await chain.broadcast(left.map((intent) => intent.transactions.at(-1)?.raw ?? '0x'))
      if (await chain.advance()) await collect()
      follow()
    },
    find: (id) => tracked.get(id),
    get live() { return tracked.size },
    async stop() {
      stopped = true
      await looping
    },
  }
}

async function judge(chain: Chain, intent: Intent, receipt: Receipt): Promise<Outcome> {
  const landed = { transaction: receipt.transaction, blockNumber: receipt.blockNumber }
  if (!receipt.succeeded) {
    const revert = await chain.explain(intent.account, intent.call, receipt.blockNumber)
    return { ...landed, logs: [], failure: revert }
  }
  const logs = matchLogs(intent.expectations, receipt.logs)
  return logs === undefined
    ? { ...landed, logs: [], failure: { code: 'ContractCall', reason: 'the transaction succeeded without the expected event' } }
    : { ...landed, logs }
}

function failure(intent: Intent, code: string, reason: string): Outcome {
  return { transaction: intent.transactions.at(-1)?.hash ?? '0x', blockNumber: 0, logs: [], failure: { code, reason } }
}
