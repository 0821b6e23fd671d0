import {
  type DeliveryQueue,
  type EndedAttempt,
  failingLimitMs,
  heldUntil,
  isDelivered,
  isGone,
  type LeasedDelivery,
  type MakeDelivery,
  oneAttempt,
  stepAfter,
  webhookSchedule,
} from '@ergon/core'
import { createDeliveryEngine, type DeliveryEngine } from '../delivery/engine.ts'
import { webhookBody } from './webhook-body.ts'
import type { PostWebhook } from './post-webhook.ts'

export type DeliverDeps = {
  readonly queue: DeliveryQueue
  readonly post: PostWebhook
  readonly now: () => Date
  readonly nextId: () => string
  readonly random: () => number
  readonly onError: (error: unknown) => void
  /** Something was queued, or an attempt ended: more may be due. */
  readonly onRoom?: () => void
}

export type WebhookDelivery = AsyncDisposable &
  DeliveryEngine & {
    /** Queues what happened; answers how many events it looked at. */
    fanOut(): Promise<number>
    /** Forgets so many deliveries at the most that are kept no longer; answers how many. */
    forget(limit: number): Promise<number>
  }

const fanOutBatch = 500
/** Half of what may be under way: strangers whose endpoints hold what they are posted hold up none that is proven. */
const mostUnproven = 128
/** Attempts of one endpoint that are under way. */
const maxPerEndpoint = 8
/** Longer than an attempt may take: who holds the lease is alive or its attempt is over. */
const leaseMs = 30_000
const keptMs = 30 * 24 * 3_600_000

/** Fans the stream out into the queue, and the queue out to endpoints; each process does both (decision 0068). */
export function createWebhookDelivery({
  queue,
  post,
  now,
  nextId,
  random,
  onError,
  onRoom,
}: DeliverDeps): WebhookDelivery {
  const book = createBook(queue, now, nextId, onError)

  const attempt = async (delivery: LeasedDelivery): Promise<void> => {
    const number = delivery.attempts + 1
    const { log, answer } = await post({ ...delivery, sealed: delivery.secrets, attempt: number })
    const at = now()
    const step = stepAfter(answer, number, delivery.kind === 'test' ? oneAttempt : webhookSchedule, at, random())
    const written = book.write({
      delivery,
      log,
      status: step.status,
      dueAt: step.status === 'pending' ? step.dueAt : at,
      isGone: isGone(answer),
      heldUntil: heldUntil(answer, at),
      countsForHealth: delivery.kind !== 'test',
    })
    // A failing endpoint is asked again when the failure is known to everybody; a healthy one need not wait for it.
    if (!isDelivered(answer)) await written
  }
  const engine = createDeliveryEngine<LeasedDelivery>(
    {
      lease(limit, underWay) {
        const at = now()
        const until = new Date(at.getTime() + leaseMs)
        return queue.leaseDeliveries({ now: at, until, limit, perEndpoint: maxPerEndpoint, mostUnproven, underWay })
      },
      laneOf: ({ webhookId }) => webhookId,
      attempt,
    },
    { onRoom: () => onRoom?.(), onError },
  )
  return {
    async fanOut() {
      const make = makeDelivery(nextId, now)
      let queued = 0
      const found = await queue.fanOut(fanOutBatch, (...given) => {
        queued += 1
        return make(...given)
      })
      if (queued > 0) onRoom?.()
      return found
    },
    begin: () => engine.begin(),
    async settled() {
      await engine.settled()
      await book.written()
    },
    forget: (limit) => queue.forgetDeliveries(new Date(now().getTime() - keptMs), limit),
    async [Symbol.asyncDispose]() {
      await this.settled()
    },
  }
}

/** The delivery of an event, due at once; the body is made once for the endpoints that get it one after another. */
export function makeDelivery(nextId: () => string, now: () => Date, kind: 'event' | 'replay' = 'event'): MakeDelivery {
  let last: { readonly id: string; readonly body: string } | undefined
  return (webhookId, event) => {
    if (last?.id !== event.id) last = { id: event.id, body: webhookBody(event) }
    return { id: nextId(), webhookId, eventId: event.id, eventType: event.type, kind, body: last.body, dueAt: now() }
  }
}

/** Writes attempts down together: whatever ended while the last ones were written. */
function createBook(
  queue: DeliveryQueue,
  now: () => Date,
  nextId: () => string,
  onError: (error: unknown) => void,
): { write(ended: EndedAttempt): Promise<void>; written(): Promise<void> } {
  let waiting: EndedAttempt[] = []
  let next: Promise<void> | undefined
  let turn: Promise<void> = Promise.resolve()
  const flush = async (): Promise<void> => {
    const ended = waiting
    waiting = []
    next = undefined
    const at = now()
    // What cannot be written is attempted again when its lease is over.
    await queue.endAttempts(ended, { failingSince: new Date(at.getTime() - failingLimitMs), at, nextId }).catch(onError)
  }
  return {
    write(ended) {
      waiting.push(ended)
      next ??= turn = turn.then(flush)
      return next
    },
    written: () => turn,
  }
}
