/** Bytes that a browser's cryptography takes. */
export type Bytes = Uint8Array<ArrayBuffer>

/** What AES-256-GCM made of something; worth nothing without its key. */
export type Sealed = { readonly iv: Bytes; readonly bytes: Bytes }

const text = new TextEncoder()
const purpose = text.encode('ergon wallet, lock 1')

export function randomBytes(length: number): Bytes {
  return crypto.getRandomValues(new Uint8Array(length))
}

/** A key out of a secret of the passkey or of a stretched passphrase. No script can read it out again. */
export async function lockKey(secret: Bytes, salt: Bytes): Promise<CryptoKey> {
  const material = await crypto.subtle.importKey('raw', secret, 'HKDF', false, ['deriveKey'])
  return crypto.subtle.deriveKey(
    { name: 'HKDF', hash: 'SHA-256', salt, info: purpose },
    material,
    { name: 'AES-GCM', length: 256 },
    false,
    ['encrypt', 'decrypt'],
  )
}

/** The key of the box itself, out of its bytes; no script can read it out again. */
export function dataKey(bytes: Bytes): Promise<CryptoKey> {
  return crypto.subtle.importKey('raw', bytes, 'AES-GCM', false, ['encrypt', 'decrypt'])
}

/** `context` is not hidden, but whoever changes it cannot open the box any more. */
export async function seal(key: CryptoKey, plain: Bytes, context: string): Promise<Sealed> {
  const iv = randomBytes(12)
  const sealed = await crypto.subtle.encrypt({ name: 'AES-GCM', iv, additionalData: text.encode(context) }, key, plain)
  return { iv, bytes: new Uint8Array(sealed) }
}

/** @throws OperationError for another key, another context or a changed box */
export async function unseal(key: CryptoKey, { iv, bytes }: Sealed, context: string): Promise<Bytes> {
  return new Uint8Array(
    await crypto.subtle.decrypt({ name: 'AES-GCM', iv, additionalData: text.encode(context) }, key, bytes),
  )
}

/** Uses bytes that nobody may keep, and wipes them whatever happens. */
export async function wiping<T>(secret: Bytes, act: (secret: Bytes) => T | Promise<T>): Promise<T> {
  try {
    return await act(secret)
  } finally {
    secret.fill(0)
  }
}
