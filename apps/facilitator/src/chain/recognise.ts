import { Refusal } from '../errors.ts'
import type { Intent, IntentStore } from '../store/intents.ts'
import type { Queued } from './draft.ts'
import type { Tracker } from './tracker.ts'

export type RecogniseDeps = {
  readonly network: string
  readonly store: IntentStore
  readonly tracker: Tracker
  readonly onTrouble: (message: string, error: unknown) => void
}

/** One question to the store about all of them. Answers those that need no transaction of their own, and says which. */
export async function recognise(deps: RecogniseDeps, items: readonly Queued[], epoch: number): Promise<ReadonlySet<Queued>> {
  for (const item of items) item.seenAt = epoch
  const onceKeys = items.flatMap((item) => item.draft.onceKey ?? [])
  const idempotencyKeys = items.flatMap((item) => item.draft.idempotencyKey ?? [])
  const found = onceKeys.length + idempotencyKeys.length === 0 ? [] : await deps.store.find(deps.network, onceKeys, idempotencyKeys)
  return new Set(items.filter((item) => recogniseOne(deps, item, found)))
}

function recogniseOne(deps: RecogniseDeps, item: Queued, found: readonly Intent[]): boolean {
  const { draft } = item
  const sameKey = draft.idempotencyKey === undefined ? undefined : found.find((one) => one.idempotencyKey === draft.idempotencyKey)
  if (sameKey !== undefined) {
    if (sameKey.requestHash === draft.requestHash) return join(deps, item, sameKey)
    item.reject(keyConflict(sameKey))
    return true
  }
  const twin = draft.onceKey === undefined ? undefined : found.find((one) => one.onceKey === draft.onceKey)
  if (twin !== undefined) {
    if (twin.status === 'sent' && deps.tracker.find(twin.id)?.done === true) {
      // Landed, and its row is being written: the next look tells whether it succeeded.
      item.seenAt = -1
      return false
    }
    if (twin.status === 'sent' && twin.sameness === draft.sameness) return join(deps, item, twin)
    item.reject(draft.spent(twin.outcome?.transaction ?? twin.transactions[0]?.hash ?? '0x'))
    return true
  }
  const refusal = draft.guard?.()
  if (refusal !== undefined) item.reject(refusal)
  return refusal !== undefined
}

function join(deps: RecogniseDeps, item: Queued, intent: Intent): boolean {
  if (intent.outcome !== null) {
    item.resolve(intent.outcome)
    return true
  }
  const known = deps.tracker.find(intent.id)
  if (known === undefined) {
    // Usually settled between our read and now, and the next look sees the stored outcome. If not, the row is one whose
    // insert seemed to fail: it is taken up, and its nonce decides.
    item.misses += 1
    item.seenAt = -1
    if (item.misses === 3) deps.tracker.resume([intent]).catch((error: unknown) => { deps.onTrouble('an intent could not be taken up', error) })
    return false
  }
  item.intentId = intent.id
  item.started = true
  known.outcome.then(item.resolve, item.reject)
  return true
}

/** Names the transaction that the key stands for, so that its owner can find it. */
export function keyConflict(intent: Intent): Refusal {
  const transaction = intent.outcome?.transaction ?? intent.transactions.at(-1)?.hash
  return new Refusal('idempotency_key_conflict', 'this Idempotency-Key was used with another body', { status: 409, details: { transaction } })
}
