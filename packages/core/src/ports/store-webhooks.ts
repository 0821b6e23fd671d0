import type { WebhookDeliveryKind, WebhookDeliveryStatus } from '@ergon/contract'
import type { EventPlace, RecordedEvent } from '../events/event.ts'
import type { PageRequest } from '../page.ts'
import type { Webhook } from '../webhooks/webhook.ts'

export type StoredSecret = { readonly id: string; readonly sealed: Uint8Array; readonly createdAt: Date }

export type NewDelivery = {
  readonly id: string
  readonly webhookId: string
  readonly eventId: string
  readonly eventType: string
  readonly kind: WebhookDeliveryKind
  readonly body: string
  readonly dueAt: Date
}

export type LoggedAttempt = {
  readonly attempt: number
  readonly at: Date
  readonly durationMs: number
  readonly requestHeaders: Readonly<Record<string, string>>
  readonly status: number | null
  readonly responseHeaders: Readonly<Record<string, string>> | null
  readonly responseBody: string | null
  readonly error: string | null
}
export type LoggedDelivery = {
  readonly id: string
  readonly webhookId: string
  readonly eventId: string
  readonly eventType: string
  readonly kind: WebhookDeliveryKind
  readonly status: WebhookDeliveryStatus
  readonly createdAt: Date
  readonly dueAt: Date
  readonly body: string
  readonly attempts: readonly LoggedAttempt[]
}

/** Which part of a feed is sent again. */
export type ReplayRange = {
  readonly after: EventPlace | null
  readonly from: Date | null
  readonly to: Date | null
  readonly limit: number
}
export type MakeDelivery = (webhookId: string, event: Omit<RecordedEvent, 'wallets'>) => NewDelivery

/** Endpoints and their log. What belongs to another wallet is not there. */
export interface WebhookStore {
  /** @throws WEBHOOK_CAP_REACHED when the owner has as many as are allowed */
  insertWebhook(webhook: Webhook, secret: StoredSecret, most: number): Promise<void>
  webhooksOf(owner: string): Promise<readonly Webhook[]>
  /** @throws WEBHOOK_NOT_FOUND, here and below */
  webhookOf(owner: string, id: string): Promise<Webhook>
  /** Changes the row as it is when it is locked. */
  changeWebhook(owner: string, id: string, change: (before: Webhook) => Webhook): Promise<Webhook>
  removeWebhook(owner: string, id: string): Promise<boolean>
  /** The new secret signs from now on, and those before it until `expireOld`; of them the newest `keep` alone. */
  addSecret(owner: string, id: string, secret: StoredSecret, expireOld: Date, keep: number): Promise<void>
  /** Secrets that sign at this time, newest first. */
  secretsOf(id: string, now: Date): Promise<readonly StoredSecret[]>
  /** One more than the page shows. */
  deliveries(
    id: string,
    filter: { readonly status: WebhookDeliveryStatus | null },
    page: PageRequest,
  ): Promise<readonly LoggedDelivery[]>
  delivery(id: string, deliveryId: string): Promise<LoggedDelivery | null>
  insertDelivery(delivery: NewDelivery): Promise<void>
  /** An attempt that was made while its caller waited. */
  logDelivery(delivery: NewDelivery, status: 'delivered' | 'failed', attempt: LoggedAttempt): Promise<void>
  /** Queues events of the owner's feed that the endpoint asks for. */
  replayEvents(
    webhook: Webhook,
    range: ReplayRange,
    make: MakeDelivery,
  ): Promise<{ readonly queued: number; readonly place: EventPlace; readonly hasMore: boolean }>
}

/** A delivery that this process alone may attempt until its lease runs out. */
export type LeasedDelivery = {
  readonly id: string
  readonly lease: number
  /** Attempts that were made before. */
  readonly attempts: number
  readonly kind: WebhookDeliveryKind
  readonly webhookId: string
  readonly url: string
  readonly eventId: string
  readonly body: string
  readonly secrets: readonly Uint8Array[]
  readonly signsEd25519: boolean
}

/** How an attempt ended, and what follows for its delivery and its endpoint. */
export type EndedAttempt = {
  readonly delivery: Pick<LeasedDelivery, 'id' | 'lease' | 'webhookId'>
  readonly log: LoggedAttempt
  readonly status: WebhookDeliveryStatus
  readonly dueAt: Date
  readonly isGone: boolean
  readonly heldUntil: Date | null
  /** A call its owner asked for says nothing of the health of the endpoint. */
  readonly countsForHealth: boolean
}

export type LeaseRequest = {
  readonly now: Date
  readonly until: Date
  readonly limit: number
  /** How many attempts of one endpoint may be under way; of one that fails, or that took nothing yet, only one. */
  readonly perEndpoint: number
  /** How many attempts may be under way of all endpoints that are not proven. */
  readonly mostUnproven: number
  /** Attempts under way here, by endpoint. */
  readonly underWay: ReadonlyMap<string, number>
}

/** The queue of deliveries, shared by every process. */
export interface DeliveryQueue {
  /**
   * Queues what the stream brought since the last round, for endpoints that asked for it; answers how many events it
   * looked at.
   */
  fanOut(limit: number, make: MakeDelivery): Promise<number>
  /**
   * Due deliveries, endpoint by endpoint in turn, so that none waits for another: first of those that are proven, then
   * of the others, as many as there is room for.
   */
  leaseDeliveries(request: LeaseRequest): Promise<readonly LeasedDelivery[]>
  /**
   * Writes attempts down, and disables endpoints that are gone or fail since before `failingSince`, telling their
   * owners.
   */
  endAttempts(
    ended: readonly EndedAttempt[],
    disable: { readonly failingSince: Date; readonly at: Date; readonly nextId: () => string },
  ): Promise<void>
  forgetDeliveries(before: Date, limit: number): Promise<number>
}
