import { Refusal } from '../errors.ts'
import type { Bound, Intent, IntentStore, StoredRefusal } from '../store/intents.ts'
import type { Queued } from './draft.ts'
import type { Tracker } from './tracker.ts'

export type RecogniseDeps = {
  readonly network: string
  readonly store: IntentStore
  readonly tracker: Tracker
}

type Found = Awaited<ReturnType<IntentStore['find']>>

/** One question to the store about all of them. Answers those that need no transaction of their own, and says which. */
export async function recognise(
  deps: RecogniseDeps,
  items: readonly Queued[],
  epoch: number,
): Promise<ReadonlySet<Queued>> {
  for (const item of items) item.seenAt = epoch
  const onceKeys = items.flatMap((item) => item.draft.onceKey ?? [])
  const idempotencyKeys = items.flatMap((item) => item.draft.idempotencyKey ?? [])
  const found =
    onceKeys.length + idempotencyKeys.length === 0
      ? { live: [], bound: [] }
      : await deps.store.find(deps.network, onceKeys, idempotencyKeys)
  return new Set(items.filter((item) => recogniseOne(deps, item, found)))
}

function recogniseOne(deps: RecogniseDeps, item: Queued, found: Found): boolean {
  const { draft } = item
  const bound =
    draft.idempotencyKey === undefined ? undefined : found.bound.find((one) => one.key === draft.idempotencyKey)
  if (bound !== undefined) {
    if (bound.requestHash !== draft.requestHash) item.reject(keyConflict(bound))
    else if (bound.intent === null) item.reject(finalRefusal(bound.refusal))
    else join(deps, item, bound.intent)
    return true
  }
  const twin = draft.onceKey === undefined ? undefined : found.live.find((one) => one.onceKey === draft.onceKey)
  if (twin !== undefined) {
    if (twin.status === 'sent' && deps.tracker.find(twin.id)?.done === true) {
      // Landed, and its row is being written: the next look tells whether it succeeded.
      item.seenAt = -1
      return false
    }
    if (twin.status === 'sent' && twin.sameness === draft.sameness) join(deps, item, twin)
    else item.reject(draft.spent(twin.outcome?.transaction ?? twin.transactions[0]?.hash ?? '0x'))
    return true
  }
  const refusal = draft.guard?.()
  if (refusal !== undefined) item.reject(refusal)
  return refusal !== undefined
}

function join(deps: RecogniseDeps, item: Queued, intent: Intent): void {
  item.intentId = intent.id
  item.started = true
  deps.tracker.follow(intent).then(item.resolve, item.reject)
}

/** Names the transaction that the key is bound to, so that its owner can find it. */
export function keyConflict({ intent }: Pick<Bound, 'intent'>): Refusal {
  const transaction = intent?.outcome?.transaction ?? intent?.transactions.at(-1)?.hash
  return new Refusal('idempotency_key_conflict', 'this Idempotency-Key was used with another body', {
    status: 409,
    details: { transaction },
  })
}

/**
 * The refusal that a key is bound to. It is final: no copy of the request that is still under way can be carried out.
 */
export function finalRefusal(refusal: StoredRefusal | null): Refusal {
  const { status, code, message, details } = refusal ?? {
    status: 400,
    code: 'refused',
    message: 'refused',
    details: {},
  }
  return new Refusal(code, message, { status, details: { ...details, final: true } })
}
