import { randomBytes, timingSafeEqual } from 'node:crypto'
import { webhookLimits, type WebhookDeliveryStatus } from '@ergon/contract'
import {
  changeWebhook,
  isDelivered,
  type LoggedDelivery,
  MarketError,
  type NewDelivery,
  type ReplayRange,
  requireVerified,
  type StoredSecret,
  verifyWebhook,
  type Webhook,
  type WebhookChange,
  type WebhookStore,
} from '@ergon/core'
import { GuardedFault, guardedUrl } from '../delivery/guarded-target.ts'
import { demand } from '../dispatch/limits.ts'
import { createRateLimiter } from '../dispatch/rate-limit.ts'
import { makeDelivery } from './deliver.ts'
import type { PostWebhook } from './post-webhook.ts'
import type { SecretVault } from './secret-vault.ts'
import { freshSecret, secretText } from './signing.ts'
import { ownEventBody } from './webhook-body.ts'

export type NewWebhook = {
  readonly url: string
  readonly events: readonly string[]
  readonly description: string | null
  readonly signsEd25519: boolean
}
export type DeliveryPage = {
  readonly rows: readonly LoggedDelivery[]
  readonly hasMore: boolean
  readonly nextCursor: string | null
}
export type Replayed = { readonly queued: number; readonly place: string; readonly hasMore: boolean }

/**
 * Endpoints of wallets, as their owners manage them. Every method throws `MarketError`, and WEBHOOK_NOT_FOUND for what
 * is another's.
 */
export type Webhooks = {
  create(
    owner: string,
    input: NewWebhook,
  ): Promise<{ readonly webhook: Webhook; readonly secret: string; readonly secretId: string }>
  list(owner: string): Promise<readonly Webhook[]>
  get(owner: string, id: string): Promise<Webhook>
  update(owner: string, id: string, change: WebhookChange): Promise<Webhook>
  remove(owner: string, id: string): Promise<boolean>
  rotateSecret(
    owner: string,
    id: string,
    overlapHours: number,
  ): Promise<{ readonly secret: string; readonly secretId: string; readonly oldExpiresAt: Date }>
  /** A secret that still signs, for a resend of the call that made it; null when it does not sign any more. */
  reveal(
    owner: string,
    id: string,
    secretId: string,
  ): Promise<{ readonly secret: string; readonly createdAt: Date } | null>
  /** @throws WEBHOOK_CHALLENGE_FAILED saying what came back */
  verify(owner: string, id: string): Promise<Webhook>
  test(owner: string, id: string): Promise<string>
  deliveries(
    owner: string,
    id: string,
    status: WebhookDeliveryStatus | null,
    cursor: string | null,
    limit: number,
  ): Promise<DeliveryPage>
  /** @throws DELIVERY_NOT_FOUND */
  delivery(owner: string, id: string, deliveryId: string): Promise<LoggedDelivery>
  replayDelivery(owner: string, id: string, deliveryId: string): Promise<string>
  replay(owner: string, id: string, range: Omit<ReplayRange, 'limit'>): Promise<Replayed>
}

export type WebhooksDeps = {
  readonly store: WebhookStore
  readonly post: PostWebhook
  readonly vault: SecretVault
  readonly allowLoopback: boolean
  readonly now: () => Date
  readonly nextId: () => string
  /** Something was queued. */
  readonly onQueued: () => void
}

const hourMs = 3_600_000
/** Secrets that sign together; a rotation beyond them ends the oldest. */
const secretsKept = 5

export function createWebhooks(deps: WebhooksDeps): Webhooks {
  const { store, now, nextId } = deps
  const secrets = secretKeeping(deps)
  return {
    async create(owner, { url, events, description, signsEd25519 }) {
      const [id, at] = [nextId(), now()]
      const webhook: Webhook = {
        id,
        owner,
        url: requireUrl(url, deps.allowLoopback),
        events,
        description,
        signsEd25519,
        status: 'unverified',
        disabledReason: null,
        createdAt: at,
        updatedAt: at,
        verifiedAt: null,
        lastAttemptAt: null,
        failingSince: null,
        failureCount: 0,
        attemptCount: 0,
        successCount: 0,
      }
      const { stored, text } = secrets.fresh(id)
      await store.insertWebhook(webhook, stored, webhookLimits.endpointsMax)
      return { webhook, secret: text, secretId: stored.id }
    },
    list: (owner) => store.webhooksOf(owner),
    get: (owner, id) => store.webhookOf(owner, id),
    async update(owner, id, change) {
      const placed = change.url === undefined ? change : { ...change, url: requireUrl(change.url, deps.allowLoopback) }
      const after = await store.changeWebhook(owner, id, (before) => changeWebhook(before, placed, now()))
      deps.onQueued()
      return after
    },
    remove: (owner, id) => store.removeWebhook(owner, id),
    async rotateSecret(owner, id, overlapHours) {
      const { stored, text } = secrets.fresh(id)
      const oldExpiresAt = new Date(stored.createdAt.getTime() + overlapHours * hourMs)
      await store.addSecret(owner, id, stored, oldExpiresAt, secretsKept - 1)
      return { secret: text, secretId: stored.id, oldExpiresAt }
    },
    reveal: (owner, id, secretId) => secrets.reveal(owner, id, secretId),
    ...calls(deps),
    async deliveries(owner, id, status, cursor, limit) {
      await store.webhookOf(owner, id)
      const found = await store.deliveries(id, { status }, cursor, limit + 1)
      const rows = found.slice(0, limit)
      const hasMore = found.length > limit
      return { rows, hasMore, nextCursor: hasMore ? (rows.at(-1)?.id ?? null) : null }
    },
    async delivery(owner, id, deliveryId) {
      await store.webhookOf(owner, id)
      const found = await store.delivery(id, deliveryId)
      if (found === null) throw new MarketError('DELIVERY_NOT_FOUND')
      return found
    },
  }
}

/**
 * What makes requests: an endpoint is asked on behalf of its owner only so often, and nothing but a challenge before it
 * agreed.
 */
function calls({
  store,
  post,
  now,
  nextId,
  onQueued,
}: WebhooksDeps): Pick<Webhooks, 'verify' | 'test' | 'replayDelivery' | 'replay'> {
  const asked = createRateLimiter(30, hourMs)
  const replays = createRateLimiter(10, hourMs)
  const take = (limiter: typeof asked, owner: string): void => {
    demand(limiter.take(owner, now().getTime()), now().getTime())
  }
  const queue = async (delivery: NewDelivery): Promise<string> => {
    await store.insertDelivery(delivery)
    onQueued()
    return delivery.id
  }
  return {
    async verify(owner, id) {
      const webhook = await store.webhookOf(owner, id)
      take(asked, owner)
      const [eventId, at, token] = [nextId(), now(), randomBytes(32).toString('base64url')]
      const body = ownEventBody('webhook.challenge', eventId, at, { webhook_id: id, token })
      const sealed = (await store.secretsOf(id, at)).map((one) => one.sealed)
      const posted = await post({
        webhookId: id,
        url: webhook.url,
        eventId,
        body,
        sealed,
        signsEd25519: webhook.signsEd25519,
        attempt: 1,
      })
      const isProved = isDelivered(posted.answer) && gaveBack(posted.body, token)
      await store.logDelivery(
        { id: nextId(), webhookId: id, eventId, eventType: 'webhook.challenge', kind: 'challenge', body, dueAt: at },
        isProved ? 'delivered' : 'failed',
        posted.log,
      )
      if (!isProved)
        throw new MarketError('WEBHOOK_CHALLENGE_FAILED', {
          status: posted.log.status,
          error:
            posted.log.error ?? (isDelivered(posted.answer) ? 'the answer is not the token' : 'the answer is not 2xx'),
        })
      const verified = await store.changeWebhook(owner, id, (before) => {
        if (before.url !== webhook.url)
          throw new MarketError('WEBHOOK_CHALLENGE_FAILED', { error: 'the URL was changed in the meantime' })
        return verifyWebhook(before, now())
      })
      onQueued()
      return verified
    },
    async test(owner, id) {
      requireVerified(await store.webhookOf(owner, id))
      take(asked, owner)
      const [eventId, at] = [nextId(), now()]
      return queue({
        id: nextId(),
        webhookId: id,
        eventId,
        eventType: 'webhook.test',
        kind: 'test',
        body: ownEventBody('webhook.test', eventId, at, {
          webhook_id: id,
          message: 'A test requested by the owner of this endpoint.',
        }),
        dueAt: at,
      })
    },
    async replayDelivery(owner, id, deliveryId) {
      requireVerified(await store.webhookOf(owner, id))
      const found = await store.delivery(id, deliveryId)
      if (found === null || found.kind === 'challenge') throw new MarketError('DELIVERY_NOT_FOUND')
      take(asked, owner)
      return queue({
        id: nextId(),
        webhookId: id,
        eventId: found.eventId,
        eventType: found.eventType,
        kind: 'replay',
        body: found.body,
        dueAt: now(),
      })
    },
    async replay(owner, id, range) {
      const webhook = requireVerified(await store.webhookOf(owner, id))
      take(replays, owner)
      const replayed = await store.replayEvents(
        webhook,
        { ...range, limit: webhookLimits.replayMax },
        makeDelivery(nextId, now, 'replay'),
      )
      onQueued()
      return replayed
    },
  }
}

function secretKeeping({ store, vault, now, nextId }: WebhooksDeps): {
  fresh(id: string): { readonly stored: StoredSecret; readonly text: string }
  reveal: Webhooks['reveal']
} {
  return {
    fresh(id) {
      const secret = freshSecret()
      return { stored: { id: nextId(), sealed: vault.seal(secret, id), createdAt: now() }, text: secretText(secret) }
    },
    async reveal(owner, id, secretId) {
      await store.webhookOf(owner, id)
      const found = (await store.secretsOf(id, now())).find((one) => one.id === secretId)
      return found === undefined
        ? null
        : { secret: secretText(vault.open(found.sealed, id)), createdAt: found.createdAt }
    },
  }
}

/** The URL as it will be asked. @throws WEBHOOK_URL_REFUSED; where its name leads is looked at whenever it is asked */
function requireUrl(text: string, allowLoopback: boolean): string {
  try {
    return guardedUrl(text, allowLoopback).href
  } catch (error) {
    if (error instanceof GuardedFault)
      throw new MarketError('WEBHOOK_URL_REFUSED', { reason: error.reason }, { cause: error })
    throw error
  }
}

/**
 * The token alone, or an object that names it. Whoever merely echoes what it got does not pass: there it stands deeper.
 */
function gaveBack(body: string, token: string): boolean {
  const text = body.trim()
  return isToken(text, token) || isToken(tokenOf(text), token)
}

function tokenOf(text: string): string {
  try {
    const value: unknown = JSON.parse(text)
    if (typeof value === 'string') return value
    return typeof value === 'object' && value !== null && 'token' in value && typeof value.token === 'string'
      ? value.token
      : ''
  } catch {
    return ''
  }
}

function isToken(text: string, token: string): boolean {
  const [given, expected] = [Buffer.from(text), Buffer.from(token)]
  return given.length === expected.length && timingSafeEqual(given, expected)
}
