import type { DuePush, PushConfigs } from '../events/push-config.ts'
import type { PushNews, PushUpdate } from '../events/push-news.ts'

/** Posts to an address that a stranger named; answers the status, or null when there was no answer. */
export type Post = (url: string, headers: Readonly<Record<string, string>>, body: string) => Promise<number | null>

export type PushTasksDeps = { readonly configs: PushConfigs; readonly news: PushNews; readonly post: Post; /** In [0, 1). */ readonly random: () => number }

const atOnce = 8
const leaseMs = 120_000
/** Nothing depends on being told: every config is looked at this often. */
const idleMs = 600_000
const waitsMs = [5_000, 30_000, 120_000, 600_000, 3_600_000, 7_200_000, 18_000_000, 36_000_000] as const

/**
 * One round of posting updates of tasks to agents: in order for each address, at least once, and a dead address holds
 * nobody but itself. After its last wait, or when it says 410, it is forgotten; so is one whose task is over.
 */
export async function pushTasks(deps: PushTasksDeps): Promise<number> {
  const due = await deps.configs.claim(atOnce, leaseMs)
  const counts = await Promise.all(due.map((config) => push(deps, config)))
  return counts.reduce((sum, count) => sum + count, 0)
}

async function push({ configs, news, post, random }: PushTasksDeps, config: DuePush): Promise<number> {
  const found = await news(config)
  if (found === null) {
    await configs.remove(config)
    return 0
  }
  let place = config.place
  let posted = 0
  for (const update of found.updates) {
    const status = await post(config.url, headersOf(config, update), update.body)
    if (status === null || status < 200 || status > 299) {
      const waitMs = waitsMs[posted > 0 ? 0 : config.attempts]
      if (status === 410 || waitMs === undefined) await configs.remove(config)
      else await configs.failed(config, place, waitMs * (1 + random() / 10))
      return posted
    }
    place = update.place
    posted += 1
  }
  if (found.isOver) await configs.remove(config)
  else await configs.heard(config, found.place, found.hasMore ? 0 : idleMs)
  return posted
}

function headersOf({ token, schemes, credentials }: DuePush, { id }: PushUpdate): Readonly<Record<string, string>> {
  const [scheme] = schemes
  return {
    'content-type': 'application/json', 'x-idempotency-key': id,
    ...(token === null ? {} : { 'x-a2a-notification-token': token }),
    ...(scheme === undefined || credentials === null ? {} : { authorization: `${scheme} ${credentials}` }),
  }
}
