const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/'
const values: readonly number[] = Array.from({ length: 128 }, (_, code) => alphabet.indexOf(String.fromCharCode(code)))

/** Padded base64 of RFC 4648 §4. */
export function bytesToBase64(bytes: Uint8Array): string {
  let text = ''
  for (let at = 0; at < bytes.length; at += 3) {
    const group = ((bytes[at] ?? 0) << 16) | ((bytes[at + 1] ?? 0) << 8) | (bytes[at + 2] ?? 0)
    text += alphabet.charAt(group >> 18) + alphabet.charAt((group >> 12) & 63)
    text += at + 1 < bytes.length ? alphabet.charAt((group >> 6) & 63) : '='
    text += at + 2 < bytes.length ? alphabet.charAt(group & 63) : '='
  }
  return text
}

/** The bytes of canonical padded base64, or undefined: one text for each byte string and no other. */
export function base64ToBytes(text: string): Uint8Array | undefined {
  if (text.length % 4 !== 0) return undefined
  const padding = text.endsWith('==') ? 2 : text.endsWith('=') ? 1 : 0
  const digits = text.length - padding
  const bytes = new Uint8Array((text.length / 4) * 3 - padding)
  let bits = 0
  let group = 0
  let out = 0
  for (let at = 0; at < digits; at += 1) {
    const value = values[text.charCodeAt(at)] ?? -1
    if (value < 0) return undefined
    group = ((group << 6) | value) & 0xffff
    bits += 6
    if (bits >= 8) {
      bits -= 8
      bytes[out] = (group >> bits) & 255
      out += 1
    }
  }
  return (group & ((1 << bits) - 1)) === 0 ? bytes : undefined
}

/** Base64url of RFC 4648 §5 without padding. */
export function bytesToBase64url(bytes: Uint8Array): string {
  return bytesToBase64(bytes).replaceAll('+', '-').replaceAll('/', '_').replace(/=+$/, '')
}

/** The bytes of canonical base64url without padding, or undefined: one text for each byte string and no other. */
export function base64urlToBytes(text: string): Uint8Array | undefined {
  if (/[+/=]/.test(text)) return undefined
  const padded = text.replaceAll('-', '+').replaceAll('_', '/') + '==='.slice(0, (4 - (text.length % 4)) % 4)
  return base64ToBytes(padded)
}
