import type { Market } from '@ergon/core'
import { createLoop, type Loop } from './loop.ts'

/** Takes so many rows at the most, and answers how many. */
export type InSteps = (limit: number) => Promise<number>

export type DutyDeps = {
  readonly duties: Market['duties']
  /** Each has rounds of its own of whatever waits for a chain. */
  readonly networks: readonly string[]
  /** Not served, with something open: its deadlines pass, and its orders stay in doubt. */
  readonly unserved: readonly string[]
  /** Whether this process should leave the duties to others. */
  readonly isPaused: () => boolean
  readonly settleApprovals: InSteps
  /** Fees whose sweep is lost are owed again. */
  readonly unnameLostSweeps: InSteps
  /** Tells the facilitator of consents that were taken back; answers how many it knows of now. */
  readonly takeBackOrders: () => Promise<number>
  /** What is kept no longer, by its name: each is a duty of its own, and one that fails keeps none from being done. */
  readonly forget: Readonly<Record<string, InSteps>>
  readonly webhooks: { fanOut(): Promise<number>; begin(): Promise<number> }
  readonly pushTasks: () => Promise<number>
  readonly pushNotices: () => Promise<number>
  readonly mailNotices: () => Promise<number>
  readonly onError: (name: string, error: unknown) => void
}

const step = 1_000

/** Goes on at once after a full step; one that was not full was the last for now. */
function inRounds(take: InSteps): () => Promise<number> {
  return async () => {
    const taken = await take(step)
    return taken < step ? 0 : taken
  }
}

/** However many are due, the rest waits for the next round. */
const onceInRound = (run: () => Promise<unknown>) => async (): Promise<number> => {
  await run()
  return 0
}

type OnEach = (
  name: string,
  intervalMs: number,
  run: (networks: readonly string[]) => Promise<number>,
  networks?: readonly string[],
) => readonly Loop[]
type MakeLoop = (name: string, intervalMs: number, run: () => Promise<number>, gapMs?: number) => Loop

const forgetting = (loop: MakeLoop, forget: DutyDeps['forget']): readonly Loop[] =>
  Object.entries(forget).map(([name, take]) => loop(`forget-${name}`, 60_000, inRounds(take)))

/** Every background duty of one process; rows are leased, so several processes share the work. */
export function startDuties(deps: DutyDeps): AsyncDisposable & {
  wake(): void
  wakeVerification(): void
  /** Something happened. */
  wakeFanOut(): void
  /** Something is due, or an endpoint has room. */
  wakeDeliveries(): void
  /** A push address has room. */
  wakePush(): void
} {
  const loop: MakeLoop = (name, intervalMs, run, gapMs = 0) =>
    createLoop({
      name,
      intervalMs,
      gapMs,
      run: () => (deps.isPaused() ? Promise.resolve(0) : run()),
      onError: deps.onError,
    })
  // A chain that answers nothing keeps the rounds of its own network waiting, and no other's (decision 0301).
  const onEach: OnEach = (name, intervalMs, run, networks = deps.networks) =>
    networks.map((network) => loop(`${name}:${network}`, intervalMs, () => run([network])))
  const everywhere = [...deps.networks, ...deps.unserved]
  const prompt = [
    ...onEach('reconcile', 1_000, deps.duties.reconcile, everywhere),
    ...onEach('finish-cash-outs', 1_000, deps.duties.finishCashOuts),
    loop('settle-channels', 1_000, () => deps.duties.settleChannels()),
    ...onEach('watch-refused', 1_000, deps.duties.watchRefused),
    ...onEach('disburse-fees', 1_000, deps.duties.disburseFees),
    ...onEach('relay-ratings', 1_000, deps.duties.relayRatings),
  ]
  // Whether anything is due is asked once a second; that something is due is told.
  // Each look at the stream is a commit: those that come one after the other share one (decision 0268).
  const fanOut = loop('fan-out-webhooks', 1_000, () => deps.webhooks.fanOut(), 20)
  const deliver = loop('deliver-webhooks', 1_000, () => deps.webhooks.begin())
  const verify = loop('verify', 1_000, () => deps.duties.verify())
  const push = loop('push-tasks', 1_000, () => deps.pushTasks())
  const slow = [
    verify,
    push,
    loop('push-notices', 1_000, () => deps.pushNotices()),
    loop('mail-notices', 1_000, () => deps.mailNotices()),
    // Well within the lease of a claim, so that a slow chain costs nobody its settlement.
    loop('renew-leases', 2_500, async () => {
      await deps.duties.renewLeases()
      return 0
    }),
    ...onEach('follow-chains', 3_000, (networks) => deps.duties.followChains('report', networks)),
    ...onEach('expire', 5_000, deps.duties.expire, everywhere),
    // One round a second and no more, however many are due: what all searches together may cost.
    loop('run-searches', 1_000, onceInRound(deps.duties.runSearches)),
    ...onEach('run-timers', 5_000, deps.duties.runTimers, everywhere),
    // Its own pace: a channel is looked at every ten seconds, and many of them share a round.
    loop('watch-channels', 1_000, () => deps.duties.watchChannels()),
    loop('reclaim-channels', 60_000, () => deps.duties.reclaimChannels()),
    loop('wind-up-openings', 60_000, () => deps.duties.windUpOpenings()),
    loop('audit-channels', 60_000, () => deps.duties.auditChannels()),
    loop('take-back-orders', 1_000, () => deps.takeBackOrders()),
    loop('settle-approvals', 60_000, inRounds(deps.settleApprovals)),
    loop('unname-lost-sweeps', 60_000, inRounds(deps.unnameLostSweeps)),
    loop('purge-uploads', 60_000, () => deps.duties.purgeUploads()),
    loop('audit-money', 60_000, () => deps.duties.auditMoney()),
    ...onEach('check-identities', 10_000, (networks) => onceInRound(() => deps.duties.checkIdentities(networks))()),
    loop('audit-ratings', 60_000, () => deps.duties.auditRatings()),
    ...forgetting(loop, deps.forget),
  ]
  return {
    wake: () => {
      for (const one of prompt) one.wake()
    },
    wakeVerification: verify.wake,
    wakeFanOut: fanOut.wake,
    wakeDeliveries: deliver.wake,
    wakePush: push.wake,
    [Symbol.asyncDispose]: async () => {
      await Promise.all([...prompt, fanOut, deliver, ...slow].map((one) => one[Symbol.asyncDispose]()))
    },
  }
}
