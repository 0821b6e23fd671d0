import type { Intent, Outcome } from '../store/intents.ts'
import { delay } from '../surroundings/surroundings.ts'
import { createReorgWatch } from './reorg-watch.ts'
import { revisit } from './revisit.ts'
import {
  collect,
  failure,
  finish,
  hand,
  isOwn,
  open,
  track,
  type Tracked,
  type TrackerDeps,
  type TrackerPace,
  type Watch,
} from './watch.ts'

/** Broadcasts written intents and follows each to its receipt: the only place that decides what happened. */
export type Tracker = {
  /** Resolves when the node has answered the broadcast; on a chain that mines on demand, when the batch is mined. */
  send(intents: readonly Intent[]): Promise<void>
  /** Takes up what an earlier process left: written, perhaps broadcast, perhaps mined. */
  resume(intents: readonly Intent[]): Promise<void>
  /** Watches what an earlier process saw land, for as long as the chain may take it back. */
  recall(nextNonce: number): void
  /** How a written intent ends. One that nobody follows yet is taken up. */
  follow(intent: Intent): Promise<Outcome>
  find(id: string): Tracked | undefined
  live(): number
  /** How often a node refused a transaction: its nonce is then free, and only the chain knows the next one. */
  refusals(): number
  /** What the last block on demand cost; zero on a chain that makes its own. */
  blockCostMs(): number
  /** Account nonces of our own account that open intents hold. */
  heldNonces(): ReadonlySet<number>
  /** Every nonce of our own account below this has landed. */
  nonceFloor(): number
  stop(): Promise<void>
}

const usualPace: TrackerPace = { supersededAfterMs: 10_000, rebroadcastEveryMs: 2_000, replaceAfterMs: 30_000 }

export function createTracker(deps: TrackerDeps): Tracker {
  const reorgs = createReorgWatch(deps, (intents) => {
    void resume(watch, intents)
  })
  const watch: Watch = {
    deps,
    pace: deps.pace ?? usualPace,
    tracked: new Map(),
    reorgs,
    looping: undefined,
    stopped: false,
    revisitedAt: 0,
    gapSince: undefined,
    refusals: 0,
    blockCostMs: 0,
  }
  return {
    send: (intents) => send(watch, intents),
    resume: (intents) => resume(watch, intents),
    recall: (nextNonce) => {
      reorgs.begin(nextNonce)
    },
    follow(intent) {
      if (intent.outcome !== null) return Promise.resolve(intent.outcome)
      const known = watch.tracked.get(intent.id)
      if (known === undefined && !watch.stopped) void resume(watch, [intent])
      return (known ?? track(watch, intent)).outcome
    },
    find: (id) => watch.tracked.get(id),
    live: () => watch.tracked.size,
    refusals: () => watch.refusals,
    blockCostMs: () => watch.blockCostMs,
    heldNonces: () =>
      new Set(
        open(watch)
          .filter((one) => isOwn(watch, one.intent))
          .map((one) => one.intent.accountNonce),
      ),
    nonceFloor: () => reorgs.floor(),
    async stop() {
      watch.stopped = true
      reorgs.stop()
      await watch.looping
    },
  }
}

async function send(watch: Watch, intents: readonly Intent[]): Promise<void> {
  const { chain, onTrouble, surroundings } = watch.deps
  const batch = intents.map((intent) => track(watch, intent))
  try {
    const refused = await hand(watch, batch)
    watch.refusals += refused.length
    finish(
      watch,
      refused.map((one) => [
        one,
        failure(one.intent, 'broadcast_refused', 'the node refused the transaction; nothing was sent'),
      ]),
    )
    const startedAt = surroundings.monotonic()
    if (await chain.advance()) {
      watch.blockCostMs = surroundings.monotonic() - startedAt
      await collect(watch)
    }
  } catch (error) {
    onTrouble('a broadcast has no answer; it is followed', error)
    keepFollowing(watch)
    hurry(watch)
  }
  keepFollowing(watch)
}

async function resume(watch: Watch, intents: readonly Intent[]): Promise<void> {
  const { chain, onTrouble } = watch.deps
  for (const intent of intents) track(watch, intent)
  try {
    await collect(watch)
    const left = open(watch)
    if (left.length > 0) {
      await hand(watch, left)
      if (await chain.advance()) await collect(watch)
    }
  } catch (error) {
    onTrouble('what an earlier process left waits for the node', error)
    keepFollowing(watch)
    hurry(watch)
  }
  keepFollowing(watch)
}

function keepFollowing(watch: Watch): void {
  if (watch.looping !== undefined || watch.stopped || open(watch).length === 0) return
  watch.revisitedAt = watch.deps.surroundings.monotonic()
  watch.looping = loop(watch).finally(() => {
    watch.looping = undefined
    keepFollowing(watch)
  })
}

/** What may not have reached the node is handed to it again at the next look. */
function hurry(watch: Watch): void {
  watch.revisitedAt = -Infinity
}

async function loop(watch: Watch): Promise<void> {
  const { chain, surroundings, onTrouble } = watch.deps
  while (!watch.stopped && open(watch).length > 0) {
    await delay(surroundings, chain.pollMs)
    try {
      if (surroundings.monotonic() - watch.revisitedAt >= watch.pace.rebroadcastEveryMs) {
        watch.revisitedAt = surroundings.monotonic()
        await revisit(watch)
      }
      await chain.advance()
      await collect(watch)
    } catch (error) {
      onTrouble('open settlements wait for the node', error)
      await delay(surroundings, Math.max(chain.pollMs, 500))
    }
  }
}
