import { fileKinds, pictureBytesMax } from '@ergon/contract/facts'

/** Pictures that are opened in a UTC day: a person tries a few, and wallets are made for nothing. */
export const picturesPerDay = { ofWallet: 10, ofAddress: 60, inAll: 5_000 } as const

/** What everybody may be shown: a side in pixels, and the most that one takes. */
export const pictureSquare = { side: 256, maxBytes: 65_536 } as const

/** Formats that a browser shows as a still picture and a decoder here opens. */
const shown = [fileKinds['image/jpeg'], fileKinds['image/png'], fileKinds['image/webp']] as const
const headBytes = 16

/** What is wrong with the bytes before anybody opens them, whatever they were called; null: nothing. */
export function pictureFault(bytes: Uint8Array): string | null {
  if (bytes.length > pictureBytesMax) return `at most ${String(pictureBytesMax)} bytes`
  const head = String.fromCharCode(...bytes.subarray(0, headBytes))
  return shown.some(({ begins }) => begins.test(head)) ? null : 'a JPEG, PNG or WebP'
}
