import { createCipheriv, createECDH, createPrivateKey, hkdfSync, randomBytes, sign, type KeyObject } from 'node:crypto'

/** The key with which this service says who it is to push services (VAPID, RFC 8292). */
export type VapidKey = { readonly publicKey: string; readonly key: KeyObject }
/** Of a browser, base64url. */
type BrowserKeys = { readonly p256dh: string; readonly auth: string }

const curve = 'prime256v1'
const recordSize = 4_096
const tokenLivesSeconds = 12 * 3_600

/** @throws when the 32 bytes are no scalar of P-256, which is one chance in 2^32. */
export function vapidKeyOf(scalar: Uint8Array): VapidKey {
  const pair = createECDH(curve)
  pair.setPrivateKey(scalar)
  const point = pair.getPublicKey()
  const jwk = {
    kty: 'EC',
    crv: 'P-256',
    d: Buffer.from(scalar).toString('base64url'),
    x: point.subarray(1, 33).toString('base64url'),
    y: point.subarray(33).toString('base64url'),
  }
  return { publicKey: point.toString('base64url'), key: createPrivateKey({ format: 'jwk', key: jwk }) }
}

/** The Authorization header of a message to this endpoint (RFC 8292 §2, §3). */
export function vapidHeader({ publicKey, key }: VapidKey, endpoint: string, subject: string, now: Date): string {
  const claims = {
    aud: new URL(endpoint).origin,
    exp: Math.floor(now.getTime() / 1_000) + tokenLivesSeconds,
    sub: subject,
  }
  const text = [{ typ: 'JWT', alg: 'ES256' }, claims]
    .map((part) => Buffer.from(JSON.stringify(part)).toString('base64url'))
    .join('.')
  const signature = sign('sha256', Buffer.from(text), { key, dsaEncoding: 'ieee-p1363' }).toString('base64url')
  return `vapid t=${text}.${signature}, k=${publicKey}`
}

/** Whether a message can be sealed for these keys: a point of the curve, and 16 bytes. */
export function areBrowserKeys({ p256dh, auth }: BrowserKeys): boolean {
  if (Buffer.from(auth, 'base64url').length !== 16) return false
  const own = createECDH(curve)
  own.generateKeys()
  try {
    own.computeSecret(Buffer.from(p256dh, 'base64url'))
    return true
  } catch {
    return false
  }
}

/** What makes each sealed message another one; given by tests of published vectors alone. */
type SealChance = { readonly scalar: Uint8Array; readonly salt: Uint8Array }

/** Seals a message for one browser, in one record of aes128gcm (RFC 8291, RFC 8188). */
export function sealForBrowser(message: string, { p256dh, auth }: BrowserKeys, chance?: SealChance): Buffer {
  const browser = Buffer.from(p256dh, 'base64url')
  const own = createECDH(curve)
  if (chance === undefined) own.generateKeys()
  else own.setPrivateKey(chance.scalar)
  const point = own.getPublicKey()
  const salt = chance?.salt ?? randomBytes(16)
  const info = Buffer.concat([Buffer.from('WebPush: info\0'), browser, point])
  const shared = Buffer.from(hkdfSync('sha256', own.computeSecret(browser), Buffer.from(auth, 'base64url'), info, 32))
  const contentKey = Buffer.from(hkdfSync('sha256', shared, salt, 'Content-Encoding: aes128gcm\0', 16))
  const nonce = Buffer.from(hkdfSync('sha256', shared, salt, 'Content-Encoding: nonce\0', 12))
  const cipher = createCipheriv('aes-128-gcm', contentKey, nonce)
  // 2 ends the last record (RFC 8188 §2).
  const sealed = [cipher.update(Buffer.from(message)), cipher.update(Buffer.from([2])), cipher.final()]
  const head = Buffer.alloc(5)
  head.writeUInt32BE(recordSize)
  head.writeUInt8(point.length, 4)
  return Buffer.concat([salt, head, point, ...sealed, cipher.getAuthTag()])
}
