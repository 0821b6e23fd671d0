import { isDelivered, pushSchedule, stepAfter, type DueSubscription, type PushSubscriptions } from '@ergon/core'
import { createDeliveryEngine, type DeliveryEngine, type EngineOptions } from './engine.ts'
import { tellNewest, type NoticeRounds, type NoticeStep } from './notice-rounds.ts'
import type { Notice } from './notice-words.ts'
import type { Post } from './post.ts'
import { sealForBrowser, vapidHeader, type VapidKey } from './web-push.ts'

export type PushNoticesDeps = EngineOptions & {
  readonly subscriptions: PushSubscriptions
  readonly market: NoticeRounds<DueSubscription>['market']
  readonly vapid: VapidKey
  /** Whom a push service may turn to: the address of this service. */
  readonly subject: string
  readonly post: Post
  /** In [0, 1). */
  readonly random: () => number
  readonly now: () => Date
}

const perLane = 32
const leaseMs = 120_000
const quietMs = 20_000
/** A push service keeps it for so long for a browser that is not there. */
const ttlSeconds = 86_400

/**
 * Posts notices to the push services of browsers. A browser that is gone (404, 410) is forgotten, and so is one after
 * the last wait.
 */
export function createPushNotices(deps: PushNoticesDeps): DeliveryEngine {
  const { subscriptions, market } = deps
  const rounds: NoticeRounds<DueSubscription> = {
    rows: subscriptions,
    market,
    quietMs,
    send: (due, notice) => post(deps, due, notice),
    forget: ({ wallet, id }) => subscriptions.remove(wallet, id),
  }
  return createDeliveryEngine<DueSubscription>(
    {
      lease: (most, underWay) => subscriptions.claim({ perLane, most, leaseMs, underWay }),
      laneOf: ({ endpoint }) => endpoint.split('/', 3)[2] ?? '',
      attempt: (due) => tellNewest(rounds, due),
    },
    deps,
  )
}

async function post(deps: PushNoticesDeps, due: DueSubscription, notice: Notice): Promise<NoticeStep> {
  const { now } = deps
  const attempt = due.attempts + 1
  const { answer } = await deps.post({
    url: due.endpoint,
    headers: {
      ttl: String(ttlSeconds),
      urgency: 'normal',
      'content-encoding': 'aes128gcm',
      'content-type': 'application/octet-stream',
      authorization: vapidHeader(deps.vapid, due.endpoint, deps.subject, now()),
    },
    body: sealForBrowser(JSON.stringify(notice), due),
    attempt,
  })
  if (isDelivered(answer)) return 'over'
  // Other than webhooks, a push service answers 404 too for what is no more (RFC 8030 §7.3).
  if (answer?.status === 404) return 'gone'
  const at = now()
  const step = stepAfter(answer, attempt, pushSchedule, at, deps.random())
  return step.status === 'pending' ? { againMs: step.dueAt.getTime() - at.getTime() } : 'gone'
}
