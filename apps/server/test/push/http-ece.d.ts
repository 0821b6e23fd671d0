declare module 'http_ece' {
  import type { ECDH } from 'node:crypto'

  /** Opens a message of RFC 8188; with the key of a browser and its secret, one of RFC 8291. */
  export function decrypt(
    message: Buffer,
    options: { readonly version: 'aes128gcm'; readonly privateKey: ECDH; readonly authSecret: string },
  ): Buffer
}
