import { createECDH } from 'node:crypto'
import { decrypt } from 'http_ece'

const pair = createECDH('prime256v1')
pair.generateKeys()
const auth = Buffer.alloc(16, 7).toString('base64url')

/** What a browser hands to a page that subscribes; `name` tells one from another at the push service. */
export function browser(name: string, service = 'http://127.0.0.1:9') {
  return {
    endpoint: `${service}/push/${name}`,
    p256dh: pair.getPublicKey('base64url'),
    auth,
    kinds: ['application', 'work', 'money', 'message'],
    language: 'es',
  }
}

/** What the browser reads in a message, opened by an implementation that is not ours (RFC 8291). */
export function opened(body: Buffer): string {
  return decrypt(body, { version: 'aes128gcm', privateKey: pair, authSecret: auth }).toString('utf8')
}
