import type { WebhookDeliveryStatus } from '@ergon/contract'
import { bind, type Bound } from '../bind.ts'
import { MarketError } from '../errors.ts'
import type { LoggedDelivery, NewDelivery, ReplayRange, WebhookStore } from '../ports/store-webhooks.ts'
import type { PageRequest } from '../page.ts'
import type { Clock, Ids } from '../ports/surroundings.ts'
import type { WebhookLine } from '../ports/webhook-line.ts'
import { unprovenBy } from '../webhooks/challenge.ts'
import { changeWebhook, newWebhook, requireVerified, verifyWebhook } from '../webhooks/webhook.ts'
import type { NewWebhook, Webhook, WebhookChange } from '../webhooks/webhook.ts'

export type WebhookDeps = {
  readonly store: WebhookStore
  readonly line: WebhookLine
  readonly clock: Clock
  readonly ids: Ids
  readonly limits: {
    /** Endpoints of one wallet. */
    readonly endpoints: number
    /** Events that one replay queues. */
    readonly replay: number
  }
}

export type DeliveryPage = {
  readonly rows: readonly LoggedDelivery[]
  readonly hasMore: boolean
  readonly nextCursor: string | null
}
export type Replayed = { readonly queued: number; readonly place: string; readonly hasMore: boolean }
export type NewSecret = { readonly secret: string; readonly secretId: string }

const hourMs = 3_600_000
/** Secrets that sign together; a rotation beyond them ends the oldest. */
const secretsKept = 5

async function create(
  { store, line, clock, ids, limits }: WebhookDeps,
  owner: string,
  wish: NewWebhook,
): Promise<NewSecret & { readonly webhook: Webhook }> {
  const [id, at] = [ids.next(), clock.now()]
  const webhook = newWebhook({ id, owner, at }, { ...wish, url: line.urlOf(wish.url) })
  const { sealed, text } = line.freshSecret(id)
  const secretId = ids.next()
  await store.insertWebhook(webhook, { id: secretId, sealed, createdAt: at }, limits.endpoints)
  return { webhook, secret: text, secretId }
}

function list({ store }: WebhookDeps, owner: string): Promise<readonly Webhook[]> {
  return store.webhooksOf(owner)
}

function get({ store }: WebhookDeps, owner: string, id: string): Promise<Webhook> {
  return store.webhookOf(owner, id)
}

async function update(
  { store, line, clock }: WebhookDeps,
  owner: string,
  id: string,
  change: WebhookChange,
): Promise<Webhook> {
  const placed = change.url === undefined ? change : { ...change, url: line.urlOf(change.url) }
  const after = await store.changeWebhook(owner, id, (before) => changeWebhook(before, placed, clock.now()))
  line.onQueued()
  return after
}

function remove({ store }: WebhookDeps, owner: string, id: string): Promise<boolean> {
  return store.removeWebhook(owner, id)
}

/** The secrets before it sign beside the new one for so many hours. */
async function rotateSecret(
  { store, line, clock, ids }: WebhookDeps,
  owner: string,
  id: string,
  overlapHours: number,
): Promise<NewSecret & { readonly oldExpiresAt: Date }> {
  const { sealed, text } = line.freshSecret(id)
  const [secretId, createdAt] = [ids.next(), clock.now()]
  const oldExpiresAt = new Date(createdAt.getTime() + overlapHours * hourMs)
  await store.addSecret(owner, id, { id: secretId, sealed, createdAt }, oldExpiresAt, secretsKept - 1)
  return { secret: text, secretId, oldExpiresAt }
}

/** A secret that still signs, for a resend of the call that made it; null when it does not sign any more. */
async function reveal(
  { store, line, clock }: WebhookDeps,
  owner: string,
  id: string,
  secretId: string,
): Promise<{ readonly secret: string; readonly createdAt: Date } | null> {
  await store.webhookOf(owner, id)
  const found = (await store.secretsOf(id, clock.now())).find((one) => one.id === secretId)
  return found === undefined ? null : { secret: line.secretText(found.sealed, id), createdAt: found.createdAt }
}

/** Asks the endpoint for a token back. @throws WEBHOOK_CHALLENGE_FAILED saying what came back instead */
async function verify({ store, line, clock, ids }: WebhookDeps, owner: string, id: string): Promise<Webhook> {
  const webhook = await store.webhookOf(owner, id)
  line.spend('call', owner)
  const [eventId, at, token] = [ids.next(), clock.now(), line.freshToken()]
  const body = line.ownBody('webhook.challenge', eventId, at, { webhook_id: id, token })
  const sealed = (await store.secretsOf(id, at)).map((one) => one.sealed)
  const { url, signsEd25519 } = webhook
  const posted = await line.post({ webhookId: id, url, eventId, body, sealed, signsEd25519, attempt: 1 })
  const fault = unprovenBy({ ...posted, error: posted.log.error }, token)
  await store.logDelivery(
    { id: ids.next(), webhookId: id, eventId, eventType: 'webhook.challenge', kind: 'challenge', body, dueAt: at },
    fault === null ? 'delivered' : 'failed',
    posted.log,
  )
  if (fault !== null) throw new MarketError('WEBHOOK_CHALLENGE_FAILED', { status: posted.log.status, error: fault })
  const verified = await store.changeWebhook(owner, id, (before) => {
    if (before.url !== url)
      throw new MarketError('WEBHOOK_CHALLENGE_FAILED', { error: 'the URL was changed in the meantime' })
    return verifyWebhook(before, clock.now())
  })
  line.onQueued()
  return verified
}

/** Queues a message that says nothing but that its owner asked for it; answers the delivery. */
async function test(deps: WebhookDeps, owner: string, id: string): Promise<string> {
  const { store, line, clock, ids } = deps
  requireVerified(await store.webhookOf(owner, id))
  line.spend('call', owner)
  const [eventId, at] = [ids.next(), clock.now()]
  const message = 'A test requested by the owner of this endpoint.'
  const body = line.ownBody('webhook.test', eventId, at, { webhook_id: id, message })
  return queue(deps, {
    id: ids.next(),
    webhookId: id,
    eventId,
    eventType: 'webhook.test',
    kind: 'test',
    body,
    dueAt: at,
  })
}

async function deliveries(
  { store }: WebhookDeps,
  owner: string,
  id: string,
  status: WebhookDeliveryStatus | null,
  page: PageRequest,
): Promise<DeliveryPage> {
  await store.webhookOf(owner, id)
  const found = await store.deliveries(id, { status }, page)
  const rows = found.slice(0, page.limit)
  const hasMore = found.length > page.limit
  return { rows, hasMore, nextCursor: hasMore ? (rows.at(-1)?.id ?? null) : null }
}

/** @throws DELIVERY_NOT_FOUND */
async function delivery(
  { store }: WebhookDeps,
  owner: string,
  id: string,
  deliveryId: string,
): Promise<LoggedDelivery> {
  await store.webhookOf(owner, id)
  const found = await store.delivery(id, deliveryId)
  if (found === null) throw new MarketError('DELIVERY_NOT_FOUND')
  return found
}

/** Queues the same bytes once more; answers the new delivery. @throws DELIVERY_NOT_FOUND, for a challenge too */
async function replayDelivery(deps: WebhookDeps, owner: string, id: string, deliveryId: string): Promise<string> {
  const { store, line, clock, ids } = deps
  requireVerified(await store.webhookOf(owner, id))
  const found = await store.delivery(id, deliveryId)
  if (found === null || found.kind === 'challenge') throw new MarketError('DELIVERY_NOT_FOUND')
  line.spend('call', owner)
  const { eventId, eventType, body } = found
  return queue(deps, { id: ids.next(), webhookId: id, eventId, eventType, kind: 'replay', body, dueAt: clock.now() })
}

/** Queues a part of the owner's feed once more. */
async function replay(
  { store, line, limits }: WebhookDeps,
  owner: string,
  id: string,
  range: Omit<ReplayRange, 'limit'>,
): Promise<Replayed> {
  const webhook = requireVerified(await store.webhookOf(owner, id))
  line.spend('replay', owner)
  const replayed = await store.replayEvents(webhook, { ...range, limit: limits.replay }, line.replays())
  line.onQueued()
  return replayed
}

async function queue({ store, line }: WebhookDeps, message: NewDelivery): Promise<string> {
  await store.insertDelivery(message)
  line.onQueued()
  return message.id
}

const flows = {
  ...{ create, list, get, update, remove, rotateSecret, reveal },
  ...{ verify, test, deliveries, delivery, replayDelivery, replay },
} as const

/**
 * Endpoints of wallets, as their owners manage them. Everything throws `MarketError`, and WEBHOOK_NOT_FOUND for what is
 * another's.
 */
export type Webhooks = Bound<typeof flows>

/** The flows of webhooks, bound to what they are built on. */
export const createWebhooks = (deps: WebhookDeps): Webhooks => bind(deps, flows)
