import { isDelivered, pushSchedule, stepAfter, type DuePush, type PushConfig, type PushConfigs } from '@ergon/core'
import type { PushNews, PushUpdate } from '../events/push-news.ts'
import { createDeliveryEngine, type DeliveryEngine, type EngineOptions } from './engine.ts'
import type { Post } from './post.ts'

export type PushTasksDeps = EngineOptions & {
  readonly configs: PushConfigs
  readonly news: PushNews
  readonly post: Post
  /** In [0, 1). */
  readonly random: () => number
  readonly now: () => Date
}

/** To one address, and of one wallet, which may name many. */
const limits = { perAddress: 4, perWallet: 32 } as const
const leaseMs = 120_000
/** Events of a round: at ten seconds each they end well within its lease. */
const perRound = 8
/** Nothing depends on being told: every config is looked at this often. */
const idleMs = 600_000

/**
 * Posts updates of tasks to agents: one after another for each config, in order. One is posted again only when its
 * answer was lost or refused it (decision 0308). After its last wait, or when its address answers 410, a config is
 * forgotten; so is one whose task is over.
 */
export function createPushTasks(deps: PushTasksDeps): DeliveryEngine {
  return createDeliveryEngine<DuePush>(
    {
      lease: (most, underWay) => deps.configs.claim({ ...limits, most, leaseMs, underWay }),
      laneOf,
      attempt: (config) => push(deps, config),
    },
    deps,
  )
}

/** The wallet and the address that a config posts to: the lane in which it waits. */
function laneOf({ wallet, url }: Pick<PushConfig, 'wallet' | 'url'>): string {
  return `${wallet} ${url.split('/', 3)[2] ?? ''}`
}

async function push({ configs, news, post, random, now }: PushTasksDeps, config: DuePush): Promise<void> {
  const found = await news(config, perRound)
  if (found === null) {
    await configs.forget(config)
    return
  }
  let place = config.place
  // What went through begins the schedule anew.
  let attempt = config.attempts + 1
  for (const [index, update] of found.updates.entries()) {
    const { answer } = await post({ url: config.url, headers: headersOf(config, update), body: update.body, attempt })
    if (!isDelivered(answer)) {
      const at = now()
      const step = stepAfter(answer, attempt, pushSchedule, at, random())
      if (step.status === 'pending') await configs.failed(config, place, step.dueAt.getTime() - at.getTime())
      else await configs.forget(config)
      return
    }
    place = update.place
    attempt = 1
    // Of a process that ends only the update that it was posting is posted again; who was taken over stops.
    if (index + 1 < found.updates.length && !(await configs.reached(config, place))) return
  }
  if (found.isOver) await configs.forget(config)
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
