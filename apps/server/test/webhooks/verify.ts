import { createHmac, createPublicKey, timingSafeEqual, verify } from 'node:crypto'
import type { Received } from './receiver.ts'

type Signed = Pick<Received, 'headers' | 'body'>

const spki = Buffer.from('302a300506032b6570032100', 'hex')

function content({ headers, body }: Signed): Buffer {
  return Buffer.from(`${headers['webhook-id'] ?? ''}.${headers['webhook-timestamp'] ?? ''}.${body}`)
}

function signatures({ headers }: Signed, version: string): Buffer[] {
  return (headers['webhook-signature'] ?? '')
    .split(' ')
    .filter((one) => one.startsWith(`${version},`))
    .map((one) => Buffer.from(one.slice(version.length + 1), 'base64'))
}

/** As any receiver does it (Standard Webhooks 1.0.0), whatever the clock says. */
export function isSignedBy(secret: string, message: Signed): boolean {
  const expected = createHmac('sha256', Buffer.from(secret.replace(/^whsec_/, ''), 'base64'))
    .update(content(message))
    .digest()
  return signatures(message, 'v1').some((one) => one.length === expected.length && timingSafeEqual(one, expected))
}

/** The kinds of signatures, in order: `v1` for each secret, and `v1a` where it was asked for. */
export function signatureKinds({ headers }: Signed): readonly string[] {
  return (headers['webhook-signature'] ?? '').split(' ').map((one) => one.slice(0, one.indexOf(',')))
}

export function isSignedByKey(publicKey: string, message: Signed): boolean {
  const key = createPublicKey({
    key: Buffer.concat([spki, Buffer.from(publicKey.replace(/^whpk_/, ''), 'base64')]),
    format: 'der',
    type: 'spki',
  })
  return signatures(message, 'v1a').some((one) => verify(null, content(message), key, one))
}
