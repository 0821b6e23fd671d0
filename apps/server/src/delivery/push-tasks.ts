import type { DuePush, PushConfig, PushConfigs } from '@ergon/core'
import type { PushNews, PushUpdate } from '../events/push-news.ts'
import { createLanes } from './lanes.ts'

/** Posts to an address that a stranger named; answers the status, or null when there was no answer. */
export type Post = (url: string, headers: Readonly<Record<string, string>>, body: string) => Promise<number | null>

export type PushTasksDeps = {
  readonly configs: PushConfigs
  readonly news: PushNews
  readonly post: Post
  /** In [0, 1). */
  readonly random: () => number
  readonly onError: (error: unknown) => void
  /** Something ended: more may be due. */
  readonly onRoom: () => void
}

export type PushTasks = {
  /** Begins posting what is due, and does not wait for it; answers how many configs that are. */
  begin(): Promise<number>
  /** Resolves when all that was begun is written down. */
  settled(): Promise<void>
}

/** Posts under way in this process: in all, to one address, and of one wallet, which may name many. */
const maxUnderWay = 256
const limits = { perAddress: 4, perWallet: 32 } as const
const leaseMs = 120_000
/** Nothing depends on being told: every config is looked at this often. */
const idleMs = 600_000
const waitsMs = [5_000, 30_000, 120_000, 600_000, 3_600_000, 7_200_000, 18_000_000, 36_000_000] as const

/**
 * Posts updates of tasks to agents: in order for each config, at least once, and a slow or dead address holds nobody
 * but
 * itself. After its last wait, or when it says 410, it is forgotten; so is one whose task is over.
 */
export function createPushTasks(deps: PushTasksDeps): PushTasks {
  const lanes = createLanes({ atOnce: maxUnderWay, onRoom: deps.onRoom, onError: deps.onError })
  return {
    async begin() {
      const room = lanes.room()
      if (room === 0) return 0
      const due = await deps.configs.claim({ ...limits, most: room, leaseMs, underWay: lanes.counts() })
      for (const config of due) lanes.begin(laneOf(config), () => push(deps, config))
      return due.length
    },
    settled: () => lanes.settled(),
  }
}

/** The wallet and the address that a config posts to: the lane in which it waits. */
function laneOf({ wallet, url }: Pick<PushConfig, 'wallet' | 'url'>): string {
  return `${wallet} ${url.split('/', 3)[2] ?? ''}`
}

async function push({ configs, news, post, random }: PushTasksDeps, config: DuePush): Promise<void> {
  const found = await news(config)
  if (found === null) {
    await configs.remove(config)
    return
  }
  let place = config.place
  let posted = 0
  for (const update of found.updates) {
    const status = await post(config.url, headersOf(config, update), update.body)
    if (status === null || status < 200 || status > 299) {
      const waitMs = waitsMs[posted > 0 ? 0 : config.attempts]
      if (status === 410 || waitMs === undefined) await configs.remove(config)
      else await configs.failed(config, place, waitMs * (1 + random() / 10))
      return
    }
    place = update.place
    posted += 1
  }
  if (found.isOver) await configs.remove(config)
  else await configs.heard(config, found.place, found.hasMore ? 0 : idleMs)
}

function headersOf({ token, schemes, credentials }: DuePush, { id }: PushUpdate): Readonly<Record<string, string>> {
  const [scheme] = schemes
  return {
    'content-type': 'application/json',
    'x-idempotency-key': id,
    ...(token === null ? {} : { 'x-a2a-notification-token': token }),
    ...(scheme === undefined || credentials === null ? {} : { authorization: `${scheme} ${credentials}` }),
  }
}
