import { createHmac, randomBytes } from 'node:crypto'

/** A secret of the form webhook libraries take. */
export function freshSecret(): string {
  return `whsec_${randomBytes(24).toString('base64')}`
}

/** The headers of one delivery as Standard Webhooks has them: an HMAC over id, time and body. */
export function webhookHeaders(
  secret: string,
  id: string,
  body: string,
  nowSec: number,
): Readonly<Record<string, string>> {
  const key = Buffer.from(secret.replace(/^whsec_/, ''), 'base64')
  const signature = createHmac('sha256', key)
    .update(`${id}.${String(nowSec)}.${body}`)
    .digest('base64')
  return {
    'content-type': 'application/json',
    'webhook-id': id,
    'webhook-timestamp': String(nowSec),
    'webhook-signature': `v1,${signature}`,
  }
}

/** Delivers one event and answers the status, or what went wrong. */
export async function deliver(
  url: string,
  secret: string,
  event: { readonly id: string },
): Promise<{ readonly status: number | null; readonly fault: string | null }> {
  const body = JSON.stringify(event)
  try {
    const response = await fetch(url, {
      method: 'POST',
      body,
      headers: webhookHeaders(secret, event.id, body, Math.floor(Date.now() / 1_000)),
      redirect: 'manual',
      signal: AbortSignal.timeout(15_000),
    })
    await response.body?.cancel()
    return { status: response.status, fault: null }
  } catch (error) {
    return { status: null, fault: error instanceof Error ? error.message : String(error) }
  }
}
