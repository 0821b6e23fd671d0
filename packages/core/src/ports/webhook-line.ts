import type { EndpointAnswer } from '../delivery/schedule.ts'
import type { LoggedAttempt, MakeDelivery } from './store-webhooks.ts'

/** A secret as it is kept, and as its owner is told it. */
export type SealedSecret = { readonly sealed: Uint8Array; readonly text: string }

export type WebhookMessage = {
  readonly webhookId: string
  readonly url: string
  readonly eventId: string
  readonly body: string
  /** The secrets that sign it. */
  readonly sealed: readonly Uint8Array[]
  readonly signsEd25519: boolean
  /** From 1. */
  readonly attempt: number
}

/** What became of one attempt; `answer` is null when there was no complete answer in time. */
export type PostedWebhook = {
  readonly log: LoggedAttempt
  readonly answer: EndpointAnswer | null
  /** As much of the answer as was read. */
  readonly body: string
}

/** What the flows of webhooks ask for outside their store. */
export interface WebhookLine {
  /** The URL as it will be asked; where its name leads is looked at each time. @throws WEBHOOK_URL_REFUSED */
  urlOf(text: string): string
  freshSecret(webhookId: string): SealedSecret
  /** @throws what is no refusal, for what was not sealed for this endpoint */
  secretText(sealed: Uint8Array, webhookId: string): string
  /** Nobody can guess it. */
  freshToken(): string
  /** The envelope of what is sent because of the endpoint itself. */
  ownBody(
    type: 'webhook.challenge' | 'webhook.test',
    id: string,
    at: Date,
    data: Readonly<Record<string, unknown>>,
  ): string
  /** Makes deliveries of events that are sent again. */
  replays(): MakeDelivery
  /** Posts once, while its caller waits. */
  post(message: WebhookMessage): Promise<PostedWebhook>
  /** An endpoint is asked on behalf of its owner only so often. @throws RATE_LIMITED */
  spend(what: 'call' | 'replay', owner: string): void
  /** Something was queued. */
  onQueued(): void
}
