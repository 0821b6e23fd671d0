import { createHash, createHmac, timingSafeEqual } from 'node:crypto'

/** How codes, refresh tokens and form tokens are known where they are stored. */
export function digestOf(text: string): string {
  return createHash('sha256').update(text).digest('base64url')
}

/** In time that tells nothing of where they differ. */
export function sameText(left: string, right: string): boolean {
  const [one, other] = [Buffer.from(left), Buffer.from(right)]
  return one.length === other.length && timingSafeEqual(one, other)
}

export function toBase64url(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString('base64url')
}

/** A value that only the holder of the key can have written: its text and a MAC over it, for one purpose. */
export function sealText(key: Uint8Array, purpose: string, text: string): string {
  const body = Buffer.from(text, 'utf8').toString('base64url')
  return `${body}.${macOf(key, purpose, body)}`
}

/** The text, or undefined when it was written by another, for another purpose, or changed. */
export function openText(key: Uint8Array, purpose: string, sealed: string): string | undefined {
  const dot = sealed.indexOf('.')
  const body = sealed.slice(0, Math.max(dot, 0))
  if (dot < 1 || !sameText(sealed.slice(dot + 1), macOf(key, purpose, body))) return undefined
  return Buffer.from(body, 'base64url').toString('utf8')
}

function macOf(key: Uint8Array, purpose: string, body: string): string {
  return createHmac('sha256', key).update(`${purpose}\n${body}`).digest('base64url')
}
