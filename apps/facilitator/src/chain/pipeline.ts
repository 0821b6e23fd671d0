import { randomUUID } from 'node:crypto'
import { setImmediate as tick } from 'node:timers/promises'
import type { Address, Hex, SignedAuthorization } from '@ergon/protocols'
import { Refusal, Unavailable } from '../errors.ts'
import type { Intent, IntentStore, Outcome } from '../store/intents.ts'
import type { Chain, Fees, Simulation } from './chain.ts'
import type { Expectation } from './expectation.ts'
import type { Revert } from './reverts.ts'
import type { Tracker } from './tracker.ts'
import { signTransaction, type SignedTransaction } from './transaction.ts'

/** A transaction somebody asks for, before it has a nonce. */
export type Draft = {
  readonly kind: string
  readonly onceKey?: string
  readonly sameness: string
  readonly idempotencyKey?: string
  readonly requestHash: string
  /** What this transaction changes: two drafts that share a key are never in flight together. */
  readonly conflictKeys: readonly string[]
  readonly call: { readonly to: Address; readonly data: Hex; readonly authorizationList?: readonly SignedAuthorization[] }
  readonly expectations: readonly Expectation[]
  /** The refusal for a `onceKey` that is already spent; an in-flight twin is joined instead when `sameness` is equal. */
  readonly spent: (transaction: Hex) => Refusal
  /** Checks that come after the replay check (facts: role after replayed). */
  readonly guard?: () => Refusal | undefined
  readonly refuse: (revert: Revert) => Refusal
}

export type Ticket = {
  readonly outcome: Promise<Outcome>
  transaction(): Hex | undefined
  /** Takes the draft back; false once it may have been sent. */
  cancel(): boolean
}

export type Pipeline = { submit(draft: Draft): Ticket; readonly queued: number; stop(): Promise<void> }

export type PipelineDeps = {
  readonly network: string
  readonly chain: Chain
  readonly store: IntentStore
  readonly tracker: Tracker
  readonly account: Address
  readonly privateKey: Uint8Array
  readonly onTrouble: (message: string, error: unknown) => void
}

type Item = { readonly draft: Draft; readonly resolve: (outcome: Outcome) => void; readonly reject: (error: unknown) => void; intentId?: string; seenAt: number; misses: number; started: boolean }

const maxBatch = 64
const maxQueue = 2_000

/**
 * Turns drafts into mined transactions in batches: look up what is already known, simulate, sign, write the intents,
 * then hand the batch to the tracker while the next one is being prepared. One loop owns the account's nonces.
 */
export function createPipeline(deps: PipelineDeps): Pipeline {
  const { chain, store, tracker } = deps
  let queue: Item[] = []
  const busy = new Set<string>()
  let epoch = 0
  let nextNonce = -1
  let running: Promise<void> | undefined
  let sending: Promise<void> = Promise.resolve()
  let stopped = false
  let dirty = false

  const join = (item: Item, intent: Intent): void => {
    if (intent.outcome !== null) { item.resolve(intent.outcome); return }
    const known = tracker.find(intent.id)
    if (known === undefined) {
      // Usually settled between our read and now, and the next look sees the stored outcome. If not, the row is one
      // whose insert seemed to fail: it is taken up, and its nonce decides.
      item.misses += 1
      item.seenAt = -1
      if (item.misses === 3) tracker.resume([intent]).catch((error: unknown) => { deps.onTrouble('an intent could not be taken up', error) })
      return
    }
    item.intentId = intent.id
    item.started = true
    known.outcome.then(item.resolve, item.reject)
    queue = queue.filter((other) => other !== item)
  }

  const recognise = (item: Item, found: readonly Intent[]): boolean => {
    const { draft } = item
    const sameKey = draft.idempotencyKey === undefined ? undefined : found.find((one) => one.idempotencyKey === draft.idempotencyKey)
    if (sameKey !== undefined) {
      if (sameKey.requestHash === draft.requestHash) join(item, sameKey)
      else item.reject(new Refusal('idempotency_key_conflict', 'this Idempotency-Key was used with another body', { status: 409 }))
      return true
    }
    const twin = draft.onceKey === undefined ? undefined : found.find((one) => one.onceKey === draft.onceKey)
    if (twin !== undefined) {
      if (twin.status === 'sent' && twin.sameness === draft.sameness) join(item, twin)
      else item.reject(draft.spent(twin.outcome?.transaction ?? twin.transactions[0]?.hash ?? '0x'))
      return true
    }
    const refusal = draft.guard?.()
    if (refusal !== undefined) item.reject(refusal)
    return refusal !== undefined
  }

  const lookUp = async (items: readonly Item[]): Promise<void> => {
    for (const item of items) item.seenAt = epoch
    const keys = items.filter((item) => item.draft.onceKey !== undefined || item.draft.idempotencyKey !== undefined)
    const found = keys.length === 0 ? [] : await store.find(deps.network,
      keys.flatMap((item) => item.draft.onceKey ?? []), keys.flatMap((item) => item.draft.idempotencyKey ?? []))
    const done = new Set(items.filter((item) => recognise(item, found) && item.seenAt !== -1))
    queue = queue.filter((item) => !done.has(item))
  }

  const takeBatch = (): Item[] => {
    const batch: Item[] = []
    for (const item of queue) {
      if (batch.length === maxBatch) break
      const keys = conflictsOf(item.draft)
      if (item.seenAt !== epoch || keys.some((key) => busy.has(key))) continue
      for (const key of keys) busy.add(key)
      item.started = true
      batch.push(item)
    }
    queue = queue.filter((item) => !item.started)
    return batch
  }

  const free = (item: Item): void => {
    for (const key of conflictsOf(item.draft)) busy.delete(key)
    wake()
  }

  const prepare = async (batch: readonly Item[]): Promise<Intent[]> => {
    const [simulations, fees, fresh] = await Promise.all([
      chain.simulate(deps.account, batch.map((item) => item.draft.call)),
      chain.fees(),
      // With nothing in flight the chain knows best: the key may have been used elsewhere.
      tracker.live === 0 ? chain.accountNonce(deps.account, 'pending') : undefined,
    ])
    if (fresh !== undefined) nextNonce = fresh
    const first = nextNonce
    const intents = batch.flatMap((item, index) => {
      const simulated = simulations[index]
      if (simulated === undefined || simulated.revert !== undefined) {
        if (simulated !== undefined) item.reject(item.draft.refuse(simulated.revert))
        free(item)
        return []
      }
      const intent = sign(deps, item.draft, nextNonce, simulated, fees)
      nextNonce += 1
      item.intentId = intent.id
      return [intent]
    })
    try {
      if (intents.length > 0) await store.insert(intents)
    } catch (error) {
      nextNonce = first
      throw error
    }
    epoch += 1
    return intents
  }

  const process = async (batch: readonly Item[]): Promise<void> => {
    let intents: Intent[]
    try {
      intents = await prepare(batch)
    } catch (error) {
      for (const item of batch) { item.reject(error); free(item) }
      return
    }
    const items = batch.filter((item) => item.intentId !== undefined)
    await sending
    if (intents.length === 0) return
    sending = tracker.send(intents)
    for (const item of items) {
      const known = tracker.find(item.intentId ?? '')
      known?.outcome.then((outcome) => { item.resolve(outcome); free(item) }, item.reject)
    }
  }

  const run = async (): Promise<void> => {
    while (!stopped) {
      await tick()
      dirty = false
      const unseen = queue.filter((item) => item.seenAt !== epoch)
      try {
        if (unseen.length > 0) await lookUp(unseen)
      } catch (error) {
        for (const item of unseen) item.reject(error)
        queue = queue.filter((item) => !unseen.includes(item))
      }
      const batch = takeBatch()
      if (batch.length > 0) await process(batch)
      else if (!dirty && queue.every((item) => item.seenAt === epoch)) return
    }
  }
  const wake = (): void => {
    dirty = true
    if (running !== undefined || stopped || queue.length === 0) return
    running = run()
      .catch((error: unknown) => { deps.onTrouble('the settlement loop failed', error) })
      .finally(() => { running = undefined; if (dirty) wake() })
  }

  return {
    submit(draft) {
      const { promise, resolve, reject } = Promise.withResolvers<Outcome>()
      const item: Item = { draft, resolve, reject, seenAt: -1, misses: 0, started: false }
      if (queue.length >= maxQueue) reject(new Unavailable('rpc_unavailable', 'too many settlements are waiting', { details: { broadcast: false } }))
      else queue.push(item)
      wake()
      return {
        outcome: promise,
        transaction: () => item.intentId === undefined ? undefined : tracker.find(item.intentId)?.intent.transactions.at(-1)?.hash,
        cancel() {
          if (item.started) return false
          queue = queue.filter((other) => other !== item)
          return true
        },
      }
    },
    get queued() { return queue.length },
    async stop() {
      stopped = true
      for (const item of queue) item.reject(new Unavailable('rpc_unavailable', 'the facilitator is stopping', { details: { broadcast: false } }))
      queue = []
      await running
      await sending
    },
  }
}

function conflictsOf(draft: Draft): string[] {
  return [...draft.conflictKeys, ...(draft.idempotencyKey === undefined ? [] : [`idempotency:${draft.idempotencyKey}`]),
    ...(draft.onceKey === undefined ? [] : [`once:${draft.onceKey}`])]
}

function sign(deps: PipelineDeps, draft: Draft, nonce: number, simulated: Simulation & { readonly gas: bigint }, fees: Fees): Intent {
  const transaction: SignedTransaction = signTransaction({ chainId: deps.chain.chainId, nonce, ...fees, gas: simulated.gas, ...draft.call }, deps.privateKey)
  return {
    id: randomUUID(), network: deps.network, kind: draft.kind, onceKey: draft.onceKey ?? null, sameness: draft.sameness,
    idempotencyKey: draft.idempotencyKey ?? null, requestHash: draft.requestHash, account: deps.account, accountNonce: nonce,
    transactions: [transaction], call: { ...draft.call, gas: simulated.gas.toString() }, expectations: draft.expectations, status: 'sent', outcome: null,
  }
}
