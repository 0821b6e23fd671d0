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
  const { store } = watch.deps
  const back = waiting.filter((one) => one.missed)
  if (back.length > 0) {
    await store.regain(back.map((one) => one.intent.id))
    for (const one of back) one.missed = false
  }
  await reprice(
    watch,
    waiting.filter((one) => isOwn(watch, one.intent)),
    nextNonce,
  )
  await hand(watch, waiting)
  await fillGap(watch, waiting, nextNonce)
}

/**
 * Where the transaction that all others wait for has waited too long, gas has become dearer for each of them: what pays
 * too little for the next block, or has waited as long, is repriced with it. One by one, each would wait as long again.
 */
async function reprice(watch: Watch, waiting: readonly Tracked[], nextNonce: number): Promise<void> {
  const { deps, pace } = watch
  const hasWaited = ({ sentAt }: Tracked): boolean => deps.surroundings.monotonic() - sentAt > pace.replaceAfterMs
  const first = waiting.find((one) => one.intent.accountNonce === nextNonce)
  if (first === undefined || !hasWaited(first)) return
  for (const one of waiting) {
    const isDue = hasWaited(one) || !(await deps.pays(one.intent))
    if (isDue && !(await replace(watch, one)) && one === first)
      deps.onTrouble(`${deps.network}: a transaction waits, and nothing more is paid for it`, undefined)
  }
}

/** Whether there is a successor; without one, the next attempt is as far away as after one. */
async function replace({ deps }: Watch, one: Tracked): Promise<boolean> {
  // A higher fee is the remedy; where the node refuses that too, only the nonce can still be freed.
  const isHopeless = one.refused && one.intent.transactions.length > 1
  const replacement = await (isHopeless ? deps.cancel : deps.replace)(one.intent)
  one.sentAt = deps.surroundings.monotonic()
  // Only what its row names may be sent: a successor follows no other.
  if (replacement === undefined || !(await deps.store.addTransaction(one.intent.id, replacement, deps.lease.epoch)))
    return false
  one.intent = { ...one.intent, transactions: [...one.intent.transactions, replacement] }
  return true
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
