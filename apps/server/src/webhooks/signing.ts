import { createHmac, createPrivateKey, createPublicKey, hkdfSync, randomBytes, sign, type KeyObject } from 'node:crypto'
import { createBoundedCache } from '../surroundings/bounded-cache.ts'

/**
 * The headers of one attempt (Standard Webhooks 1.0.0): a signature by every secret, and where it is asked for one that
 * anybody can check.
 */
export type WebhookSigner = {
  headers(message: {
    readonly webhookId: string
    readonly eventId: string
    readonly at: Date
    readonly body: string
    readonly secrets: readonly KeyObject[]
    readonly signsEd25519: boolean
  }): Readonly<Record<string, string>>
  /** whpk_ and base64: the Ed25519 key of an endpoint, the same for as long as the deployment keeps its secret. */
  publicKey(webhookId: string): string
}

/** DER of PKCS #8 before the 32 bytes of an Ed25519 private key (RFC 8410 §7). */
const pkcs8 = Buffer.from('302e020100300506032b657004220420', 'hex')
const rawKeyBytes = 32

export function createWebhookSigner(key: Uint8Array): WebhookSigner {
  const keys = createBoundedCache<KeyObject>(10_000, 3_600_000)
  const keyOf = (webhookId: string): KeyObject => {
    const known = keys.get(webhookId)
    if (known !== undefined) return known
    const seed = new Uint8Array(hkdfSync('sha256', key, '', webhookId, rawKeyBytes))
    const made = createPrivateKey({ key: Buffer.concat([pkcs8, seed]), format: 'der', type: 'pkcs8' })
    keys.set(webhookId, made)
    return made
  }
  return {
    headers({ webhookId, eventId, at, body, secrets, signsEd25519 }) {
      const timestamp = String(Math.floor(at.getTime() / 1_000))
      const signed = Buffer.from(`${eventId}.${timestamp}.${body}`)
      const signatures = secrets.map((secret) => `v1,${createHmac('sha256', secret).update(signed).digest('base64')}`)
      if (signsEd25519) signatures.push(`v1a,${sign(null, signed, keyOf(webhookId)).toString('base64')}`)
      return { 'webhook-id': eventId, 'webhook-timestamp': timestamp, 'webhook-signature': signatures.join(' ') }
    },
    publicKey: (webhookId) =>
      `whpk_${createPublicKey(keyOf(webhookId)).export({ format: 'der', type: 'spki' }).subarray(-rawKeyBytes).toString('base64')}`,
  }
}

export function freshSecret(): Uint8Array {
  return randomBytes(32)
}

export function secretText(secret: Uint8Array): string {
  return `whsec_${Buffer.from(secret).toString('base64')}`
}
