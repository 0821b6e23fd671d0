import { createCipheriv, createDecipheriv, createSecretKey, randomBytes, type KeyObject } from 'node:crypto'
import { createBoundedCache } from '../surroundings/bounded-cache.ts'

/** Keeps secrets that must be used again, so that a copy of the database alone signs nothing (decision 0069). */
export type SecretVault = {
  /** `place` is where it is kept: sealed bytes that were moved elsewhere do not open. */
  seal(secret: Uint8Array, place: string): Uint8Array
  /** Throws when the bytes are not what was sealed here for that place. */
  open(sealed: Uint8Array, place: string): Uint8Array
  /** The same, as a key that can sign: opened once and kept ready, because every attempt asks for it. */
  key(sealed: Uint8Array, place: string): KeyObject
}

const version = 1
const ivBytes = 12
const tagBytes = 16

/** AES-256-GCM under a key of 32 bytes; a version, the nonce and the tag go before the ciphertext. */
export function createSecretVault(vaultKey: Uint8Array): SecretVault {
  const key = createSecretKey(vaultKey)
  const opened = createBoundedCache<KeyObject>(10_000, 600_000)
  return {
    seal(secret, place) {
      const iv = randomBytes(ivBytes)
      const cipher = createCipheriv('aes-256-gcm', key, iv).setAAD(Buffer.from(place))
      const text = Buffer.concat([cipher.update(secret), cipher.final()])
      return Buffer.concat([Buffer.from([version]), iv, cipher.getAuthTag(), text])
    },
    open(sealed, place) {
      if (sealed[0] !== version) throw new Error('the secret was sealed in another way')
      const iv = sealed.subarray(1, 1 + ivBytes)
      const tag = sealed.subarray(1 + ivBytes, 1 + ivBytes + tagBytes)
      const cipher = createDecipheriv('aes-256-gcm', key, iv, { authTagLength: tagBytes })
        .setAAD(Buffer.from(place))
        .setAuthTag(tag)
      return Buffer.concat([cipher.update(sealed.subarray(1 + ivBytes + tagBytes)), cipher.final()])
    },
    key(sealed, place) {
      const name = `${place} ${Buffer.from(sealed.buffer, sealed.byteOffset, sealed.byteLength).toString('latin1')}`
      const known = opened.get(name)
      if (known !== undefined) return known
      const made = createSecretKey(this.open(sealed, place))
      opened.set(name, made)
      return made
    },
  }
}
