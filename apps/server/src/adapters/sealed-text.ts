import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto'

/** Keeps words that others may not read where they are stored. */
export type SealedText = {
  seal(text: string): Buffer
  /** @throws when the bytes were not sealed with this key */
  open(sealed: Uint8Array): string
}

const ivBytes = 12
const tagBytes = 16

/** AES-256-GCM: the nonce, the words, and the tag that shows a change. */
export function createSealedText(key: Uint8Array): SealedText {
  return {
    seal(text) {
      const iv = randomBytes(ivBytes)
      const cipher = createCipheriv('aes-256-gcm', key, iv)
      return Buffer.concat([iv, cipher.update(text, 'utf8'), cipher.final(), cipher.getAuthTag()])
    },
    open(sealed) {
      const decipher = createDecipheriv('aes-256-gcm', key, sealed.subarray(0, ivBytes))
      decipher.setAuthTag(sealed.subarray(sealed.length - tagBytes))
      return Buffer.concat([
        decipher.update(sealed.subarray(ivBytes, sealed.length - tagBytes)),
        decipher.final(),
      ]).toString('utf8')
    },
  }
}
