import type { EventData, EventName } from '@ergon/contract'

/** Why a delivery is not believed. */
export type WebhookFault = 'missing_header' | 'malformed_secret' | 'too_old' | 'too_new' | 'no_match' | 'malformed_body'

/** The delivery does not come from whoever holds the secret, or not now. Answer 401 and do nothing. */
export class WebhookRefused extends Error {
  readonly fault: WebhookFault

  constructor(fault: WebhookFault, message: string) {
    super(message)
    this.name = 'WebhookRefused'
    this.fault = fault
  }
}

/** What a webhook brings; `id` is the same however often it is delivered. */
export type WebhookEvent<N extends EventName = EventName> = {
  readonly [K in N]: {
    readonly id: string
    readonly type: K
    readonly created_at: string
    readonly data: EventData<K>
    readonly metadata: { readonly api_version: string; readonly idempotency_key: string }
  }
}[N]

type HeaderSource = Headers | Readonly<Record<string, string | readonly string[] | undefined>>
export type VerifyWebhookOptions = {
  /** How far the clocks may be apart, in seconds. */
  readonly toleranceSec?: number
  /** Milliseconds since the epoch. */
  readonly now?: () => number
}

const tolerance = 300

/**
 * Checks a delivery by Standard Webhooks 1.0 and answers its event. Give the bytes of the body as they came, before
 * any parser; and every secret (`whsec_…`) or public key (`whpk_…`) that is valid now: two while one is exchanged.
 *
 * @throws WebhookRefused
 */
export async function verifyWebhook(
  body: string | Uint8Array,
  headers: HeaderSource,
  secretsOrKeys: string | readonly string[],
  options: VerifyWebhookOptions = {},
): Promise<WebhookEvent> {
  const id = headerOf(headers, 'webhook-id')
  const timestamp = headerOf(headers, 'webhook-timestamp')
  const signatures = headerOf(headers, 'webhook-signature')
  checkTime(timestamp, (options.now ?? Date.now)() / 1_000, options.toleranceSec ?? tolerance)
  const bytes = typeof body === 'string' ? new TextEncoder().encode(body) : body
  const content = join(new TextEncoder().encode(`${id}.${timestamp}.`), bytes)
  const verifiers = await Promise.all([secretsOrKeys].flat().map(verifierOf))
  for (const offered of signatures.split(' ')) {
    const comma = offered.indexOf(',')
    const [version, signature] = [offered.slice(0, comma), base64(offered.slice(comma + 1))]
    if (signature === undefined) continue
    for (const verifier of verifiers)
      if (verifier.version === version && (await verifier.verify(signature, content))) return read(bytes, id)
  }
  throw new WebhookRefused('no_match', 'no signature was made with a secret or key that is valid here')
}

function headerOf(headers: HeaderSource, name: string): string {
  const found =
    headers instanceof Headers
      ? headers.get(name)
      : Object.entries(headers).find(([one]) => one.toLowerCase() === name)?.[1]
  const text = Array.isArray(found) ? (found as readonly string[]).join(' ') : found
  if (typeof text !== 'string' || text === '') throw new WebhookRefused('missing_header', `${name} is missing`)
  return text
}

function checkTime(timestamp: string, now: number, toleranceSec: number): void {
  const at = /^\d{1,12}$/.test(timestamp) ? Number(timestamp) : Number.NaN
  if (Number.isNaN(at)) throw new WebhookRefused('missing_header', 'webhook-timestamp is no time')
  if (at < now - toleranceSec)
    throw new WebhookRefused('too_old', 'the delivery is too old, or comes a second time from another party')
  if (at > now + toleranceSec) throw new WebhookRefused('too_new', 'the delivery is from the future')
}

type Verifier = { readonly version: 'v1' | 'v1a'; verify(signature: Bytes, content: Bytes): Promise<boolean> }
// WebCrypto takes views of plain buffers only.
type Bytes = Uint8Array<ArrayBuffer>

async function verifierOf(text: string): Promise<Verifier> {
  const isPublic = text.startsWith('whpk_')
  const raw = base64(text.replace(/^wh(?:sec|pk)_/, ''))
  if (raw === undefined || (isPublic ? raw.length !== 32 : raw.length < 16) || text.startsWith('whsk_'))
    throw new WebhookRefused('malformed_secret', 'a secret is whsec_ and a public key whpk_, followed by base64')
  if (isPublic) {
    const key = await crypto.subtle.importKey('raw', raw, 'Ed25519', false, ['verify'])
    return { version: 'v1a', verify: (signature, content) => crypto.subtle.verify('Ed25519', key, signature, content) }
  }
  // The platform compares in constant time.
  const key = await crypto.subtle.importKey('raw', raw, { name: 'HMAC', hash: 'SHA-256' }, false, ['verify'])
  return { version: 'v1', verify: (signature, content) => crypto.subtle.verify('HMAC', key, signature, content) }
}

function base64(text: string): Bytes | undefined {
  if (!/^[A-Za-z0-9+/]+={0,2}$/.test(text)) return undefined
  try {
    return Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0))
  } catch {
    return undefined
  }
}

function join(left: Uint8Array, right: Uint8Array): Bytes {
  const both = new Uint8Array(left.length + right.length)
  both.set(left)
  both.set(right, left.length)
  return both
}

function read(body: Uint8Array, id: string): WebhookEvent {
  try {
    const event: unknown = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(body))
    // The header takes part in the signature, and so does the body: they name one event or something is wrong.
    if (
      typeof event === 'object' &&
      event !== null &&
      'id' in event &&
      event.id === id &&
      'type' in event &&
      'data' in event
    )
      return event as WebhookEvent
  } catch {
    // Falls through: signed, and still nothing that can be read.
  }
  throw new WebhookRefused('malformed_body', 'the body is no event, or not the one that the header names')
}
