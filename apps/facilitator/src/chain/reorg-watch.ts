import { canonicalJson } from '@ergon/protocols'
import type { Intent, Outcome, Restated, Shallow } from '../store/intents.ts'
import { every } from '../surroundings/surroundings.ts'
import type { Receipt } from './chain.ts'
import { matchLogs } from './expectation.ts'
import type { TrackerDeps } from './watch.ts'

/**
 * Notices when the chain takes back what has landed or, mined again elsewhere, refuses it or does something else. What
 * it watches is in the store, so that a process which starts watches what the one before it did.
 */
export type ReorgWatch = {
  /** From a start on: the chain has had every nonce below this one. */
  begin(nextNonce: number): void
  landed(nonce: number): void
  /** Every nonce below this has landed; for a minute after the last one that is known better than any node says. */
  floor(): number
  stop(): void
}

type WatchDeps = Pick<TrackerDeps, 'network' | 'chain' | 'store' | 'account' | 'surroundings' | 'onTrouble'>

const lookEveryMs = 15_000
const rememberMs = 600_000
const certainMs = 60_000
/** A node that answers from another block than the receipt came from is not a reorganisation. */
const settlingMs = 5_000
/** Receipts one node is asked for at once, and how often in one look; the next look goes on where this one ends. */
const pageSize = 200
const maxPages = 50

export function createReorgWatch(deps: WatchDeps, take: (lost: readonly Intent[]) => void): ReorgWatch {
  const { network, chain, store, account, surroundings, onTrouble } = deps
  let stop: (() => void) | undefined
  let floor = 0
  let floorAt = -Infinity

  const look = async (): Promise<void> => {
    try {
      const nonce = await chain.accountNonce(account, 'latest')
      const { changed, isAny } = await lookAtShallow(deps)
      const lost = [
        ...(changed === Infinity ? [] : await store.reopen(network, account, changed, 0)),
        ...(nonce < floor ? await store.reopen(network, account, nonce, settlingMs) : []),
      ]
      if (lost.length > 0) {
        const what = `${network} has undone some of ${lost.length} settled transactions; they are followed again`
        onTrouble(what, undefined)
        take(lost)
      }
      if (isAny || lost.length > 0 || surroundings.monotonic() - floorAt <= rememberMs) return
      stop?.()
      stop = undefined
    } catch (error) {
      onTrouble('the chain could not be asked for what it may have lost', error)
    }
  }

  const begin = (nextNonce: number): void => {
    floorAt = surroundings.monotonic()
    floor = Math.max(floor, nextNonce)
    stop ??= every(surroundings, lookEveryMs, look)
  }
  return {
    begin,
    landed(nonce) {
      begin(nonce + 1)
    },
    floor: () => (surroundings.monotonic() - floorAt < certainMs ? floor : 0),
    stop() {
      stop?.()
    },
  }
}

/** `changed`: the first nonce whose transaction the chain now refuses, or carries out in another form. */
async function lookAtShallow(deps: WatchDeps): Promise<{ readonly changed: number; readonly isAny: boolean }> {
  const { network, store, account } = deps
  let from = 0
  for (let asked = 0; asked < maxPages; asked += 1) {
    const page = await store.shallow(network, account, from, pageSize)
    const last = page.at(-1)
    if (last === undefined) return { changed: Infinity, isAny: from > 0 }
    const changed = await lookAtPage(deps, page)
    if (changed < Infinity || page.length < pageSize) return { changed, isAny: true }
    from = last.intent.accountNonce + 1
  }
  return { changed: Infinity, isAny: true }
}

async function lookAtPage({ chain, store, account }: WatchDeps, page: readonly Shallow[]): Promise<number> {
  // To be asked before the receipts: a block that is undone in between is then no deeper than it was.
  const deep = (await chain.head()) - chain.confirmations
  const hashes = page.flatMap(({ intent }) => intent.transactions.map(({ hash }) => hash))
  const { receipts } = await chain.standing(account, hashes)
  const byHash = new Map(hashes.map((hash, index) => [hash, receipts[index]]))
  const restated: Restated[] = []
  const changed: number[] = []
  const unseen: Shallow[] = []
  for (const one of page) {
    const now = outcomeNow(one.intent, byHash)
    if (now === 'unseen') unseen.push(one)
    else if (now === 'changed') changed.push(one.intent.accountNonce)
    else {
      const isDeep = now.blockNumber <= deep
      const isSame = canonicalJson(now) === canonicalJson(one.intent.outcome)
      if (isDeep || !isSame) restated.push({ id: one.intent.id, outcome: isSame ? undefined : now, isDeep })
    }
  }
  const old = unseen.filter(({ settledForMs }) => settledForMs > rememberMs)
  if (old.length > 0) {
    // Another transaction took the nonce for good, or the node has forgotten the receipt: that is no proof of a no.
    const deepNonce = await chain.accountNonce(account, deep)
    for (const { intent } of old)
      if (intent.accountNonce < deepNonce) restated.push({ id: intent.id, outcome: undefined, isDeep: true })
  }
  if (restated.length > 0) await store.restate(restated)
  return Math.min(Infinity, ...changed)
}

/** What the chain has of it now, as far as that is still a success of the same transaction. */
function outcomeNow(
  { outcome, transactions, expectations }: Intent,
  receipts: ReadonlyMap<string, Receipt | undefined>,
): Outcome | 'changed' | 'unseen' {
  const receipt = outcome === null ? undefined : receipts.get(outcome.transaction)
  if (receipt === undefined)
    return transactions.some(({ hash }) => receipts.get(hash) !== undefined) ? 'changed' : 'unseen'
  const logs = receipt.succeeded ? matchLogs(expectations, receipt.logs) : undefined
  return logs === undefined ? 'changed' : { transaction: receipt.transaction, blockNumber: receipt.blockNumber, logs }
}
