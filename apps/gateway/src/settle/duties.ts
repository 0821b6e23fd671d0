import type { SessionDeps } from '../session/deps.ts'
import { channelOnChain } from '../session/on-chain.ts'
import { pursueOpening } from '../session/open.ts'
import { pursueTopUp } from '../session/top-up.ts'
import { beginClosing, endIdle } from '../store/channels.ts'
import { releaseOverdue } from '../store/deliveries.ts'
import { forgetOld } from '../store/forget.ts'
import { leaseTopUps } from '../store/transactions.ts'
import { closeChannel, reclaimRent } from './close-channel.ts'

const batch = 16
const watchEverySec = 10

/** What the gateway does without being asked. Every duty takes rows that are due and may run in several processes. */
export const duties: readonly ((deps: SessionDeps) => Promise<void>)[] = [
  async ({ database }) => {
    await releaseOverdue(database, 100)
  },
  ({ config, database }) => endIdle(database.query, config.idleSec),
  watchChannels,
  pursueTopUps,
  reclaimRents,
  ({ database }) => forgetOld(database.query),
]

/** Looks at live channels in turn: openings are pursued, closings carried out, open ones held against the ledger. */
async function watchChannels(deps: SessionDeps): Promise<void> {
  const rows = await deps.database.query<{ channel_id: string; status: string }>(
    `update channels set watch_at = now() + interval '${watchEverySec} seconds' where channel_id in (
       select channel_id from channels where status in ('opening', 'open', 'closing') and watch_at < now()
       order by watch_at limit ${batch} for update skip locked)
     returning channel_id, status`,
  )
  const looked = await Promise.allSettled(
    rows.map(async ({ channel_id: channelId, status }) => {
      if (status === 'opening') await pursueOpening(deps, channelId)
      else if (status === 'closing') await closeChannel(deps, channelId)
      else await compare(deps, channelId)
    }),
  )
  for (const result of looked)
    if (result.status === 'rejected')
      deps.log.warn({ err: result.reason as unknown }, 'a channel could not be looked at')
}

/** What a payer signed is added, also when whoever brought it has not waited, or the process has ended meanwhile. */
async function pursueTopUps(deps: SessionDeps): Promise<void> {
  const due = await leaseTopUps(deps.database.query, batch)
  const pursued = await Promise.allSettled(due.map(({ channelId, ...sent }) => pursueTopUp(deps, channelId, sent)))
  for (const result of pursued)
    if (result.status === 'rejected')
      deps.log.warn({ err: result.reason as unknown }, 'a top-up could not be gone on with')
}

/** A payer that asks to leave has the grace period to wait for; the newest voucher is brought within it. */
async function compare(deps: SessionDeps, channelId: string): Promise<void> {
  const { database } = deps
  const onChain = await channelOnChain(deps, channelId)
  if (onChain === undefined || onChain.status !== 'open') {
    await beginClosing(database.query, channelId, onChain?.status === 'closing' ? 'payer_left' : 'ended_elsewhere')
    return
  }
  await database.query('update channels set deposit = greatest(deposit, $2) where channel_id = $1', [
    channelId,
    onChain.deposit,
  ])
}

/** One whose rent cannot be taken back goes behind the others: it keeps none of them waiting. */
async function reclaimRents(deps: SessionDeps): Promise<void> {
  const rows = await deps.database.query<{ channel_id: string }>(
    `update channels set reclaim_at = now() + interval '1 minute' where channel_id in (
       select channel_id from channels where reclaim_at < now() order by reclaim_at limit ${batch}
       for update skip locked)
     returning channel_id`,
  )
  for (const { channel_id: channelId } of rows)
    await reclaimRent(deps, channelId).catch((error: unknown) => {
      deps.log.warn({ err: error }, 'the rent of a channel could not be taken back')
    })
}

const usualPace = { everyMs: 1_000, duties }

/** Runs the duties again and again until it is disposed of; what is under way then ends first. */
export function startDuties(deps: SessionDeps, pace: typeof usualPace = usualPace): AsyncDisposable {
  const pause = createPause()
  let isStopping = false
  const run = async (): Promise<void> => {
    while (!isStopping) {
      for (const duty of pace.duties)
        await duty(deps).catch((error: unknown) => {
          deps.log.warn({ err: error }, 'a duty did not end')
        })
      await pause.last(pace.everyMs)
    }
  }
  const running = run()
  return {
    async [Symbol.asyncDispose]() {
      isStopping = true
      pause.end()
      await running
    },
  }
}

/**
 * A pause that ends early, and each other after it at once. No race against a promise that lives as long as the
 * process: each would leave on it what waits for it (decision 0303).
 */
function createPause(): { last(ms: number): Promise<void>; end(): void } {
  let wake = (): void => undefined
  let isEnded = false
  return {
    last: (ms) =>
      new Promise((resolve) => {
        if (isEnded) {
          resolve()
          return
        }
        const timer = setTimeout(resolve, ms).unref()
        wake = () => {
          clearTimeout(timer)
          resolve()
        }
      }),
    end() {
      isEnded = true
      wake()
    },
  }
}
