import type { Address } from '@ergon/protocols'
import { deepBlock, failure, finish, hand, isOwn, open, settleLanded, type Tracked, type Watch } from './watch.ts'

/** Looks at every open intent anew: landed, superseded, or to be handed to the node once more. */
export async function revisit(watch: Watch): Promise<void> {
  const deep = await deepBlock(watch)
  for (const [account, all] of byAccount(open(watch))) {
    const pairs = all.flatMap((one) => one.intent.transactions.map((transaction) => ({ one, hash: transaction.hash })))
    // One request: the receipts are at least as new as the nonce, as far as one node answers it.
    const { nonce, receipts } = await watch.deps.chain.standing(
      account,
      pairs.map((pair) => pair.hash),
    )
    await settleLanded(
      watch,
      pairs.map(({ one }, index) => [one, receipts[index]]),
      deep,
    )
    const left = all.filter((one) => !one.done && !one.shallow)
    await retire(
      watch,
      account,
      left.filter((one) => one.intent.accountNonce < nonce),
    )
    await push(
      watch,
      left.filter((one) => one.intent.accountNonce >= nonce),
      nonce,
    )
  }
}

function byAccount(all: readonly Tracked[]): ReadonlyMap<Address, Tracked[]> {
  const groups = new Map<Address, Tracked[]>()
  for (const one of all) groups.set(one.intent.account, [...(groups.get(one.intent.account) ?? []), one])
  return groups
}

/** How long each has been missed is kept in its row, so that a restart does not begin to count again. */
async function retire(watch: Watch, account: Address, passed: readonly Tracked[]): Promise<void> {
  if (passed.length === 0) return
  const missedFor = await watch.deps.store.miss(passed.map((one) => one.intent.id))
  for (const one of passed) one.missed = true
  const long = passed.filter((one) => (missedFor.get(one.intent.id) ?? 0) >= watch.pace.supersededAfterMs)
  if (long.length === 0) return
  const nonce = await deepNonce(watch, account)
  const gone = long.filter((one) => one.intent.accountNonce < nonce)
  finish(
    watch,
    gone.map((one) => [
      one,
      failure(one.intent, 'superseded', 'another transaction took the account nonce; nothing was moved'),
    ]),
  )
}

/** The account's next nonce as no reorganization takes it back. */
async function deepNonce({ deps: { chain } }: Watch, account: Address): Promise<number> {
  if (chain.confirmations === 0) return Infinity
  return chain.accountNonce(account, (await chain.head()) - chain.confirmations)
}

async function push(watch: Watch, waiting: readonly Tracked[], nextNonce: number): Promise<void> {
  if (waiting.length === 0) return
  const { store, surroundings, lease } = watch.deps
  const back = waiting.filter((one) => one.missed)
  if (back.length > 0) {
    await store.regain(back.map((one) => one.intent.id))
    for (const one of back) one.missed = false
  }
  for (const one of waiting) {
    const isDue =
      one.intent.accountNonce === nextNonce && surroundings.monotonic() - one.sentAt > watch.pace.replaceAfterMs
    if (!isDue || !isOwn(watch, one.intent)) continue
    // A higher fee is the remedy; where the node refuses that too, only the nonce can still be freed.
    const isHopeless = one.refused && one.intent.transactions.length > 1
    const replacement = await (isHopeless ? watch.deps.cancel : watch.deps.replace)(one.intent)
    // Only what its row names may be sent: a successor follows no other.
    if (replacement === undefined || !(await store.addTransaction(one.intent.id, replacement, lease.epoch))) continue
    one.intent = { ...one.intent, transactions: [...one.intent.transactions, replacement] }
    one.sentAt = surroundings.monotonic()
  }
  await hand(watch, waiting)
  await fillGap(watch, waiting, nextNonce)
}

/** A nonce that was refused leaves a gap behind which later ones wait; usually the next settlement takes it. */
async function fillGap(watch: Watch, waiting: readonly Tracked[], nextNonce: number): Promise<void> {
  const own = waiting.filter((one) => isOwn(watch, one.intent)).map((one) => one.intent.accountNonce)
  if (own.length === 0 || own.includes(nextNonce)) {
    watch.gapSince = undefined
    return
  }
  const now = watch.deps.surroundings.monotonic()
  watch.gapSince ??= now
  if (now - watch.gapSince < watch.pace.replaceAfterMs) return
  watch.gapSince = undefined
  await watch.deps.fill(nextNonce)
}
