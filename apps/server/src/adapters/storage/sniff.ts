/** Watches bytes go by and says whether they are of the announced kind. */
export type Sniffer = {
  push(chunk: Uint8Array): void
  /** After the last chunk. */
  matches(): boolean
}

const headBytes = 16
const mp4Brands = /^(?:iso[m2-9]|mp4[12]|avc1|M4V |MSNV|dash|f4v )/
const heicBrands = /^(?:hei[cmsx]|hev[cmsx]|mif1|msf1)/

const heads: Readonly<Record<string, (head: Buffer) => boolean>> = {
  'image/jpeg': (head) => head.subarray(0, 3).equals(Buffer.of(0xff, 0xd8, 0xff)),
  'image/png': (head) => head.subarray(0, 8).equals(Buffer.of(0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a)),
  'image/webp': (head) => head.toString('latin1', 0, 4) === 'RIFF' && head.toString('latin1', 8, 12) === 'WEBP',
  'application/pdf': (head) => head.toString('latin1', 0, 5) === '%PDF-',
  // These share a container, so the brand decides.
  'video/mp4': (head) => brand(head, mp4Brands),
  'video/quicktime': (head) => brand(head, /^qt {2}/),
  'image/heic': (head) => brand(head, heicBrands),
  'application/json': (head) => /^[\s]*["[{\-0-9tfn]/.test(head.toString('latin1')),
  'text/plain': (head) => head.length > 0,
}
const brand = (head: Buffer, brands: RegExp): boolean =>
  head.toString('latin1', 4, 8) === 'ftyp' && brands.test(head.toString('latin1', 8, 12))
const texts = new Set(['text/plain', 'application/json'])

export function createSniffer(contentType: string): Sniffer {
  let head = Buffer.alloc(0)
  const text = texts.has(contentType) ? createTextWatch() : undefined
  return {
    push(chunk) {
      if (head.length < headBytes) head = Buffer.concat([head, chunk.subarray(0, headBytes - head.length)])
      text?.push(chunk)
    },
    matches: () => (heads[contentType]?.(head) ?? false) && (text?.end() ?? true),
  }
}

/** Text is UTF-8 without NUL, whatever its first bytes are. */
function createTextWatch(): { push(chunk: Uint8Array): void; end(): boolean } {
  const decoder = new TextDecoder('utf-8', { fatal: true })
  let isText = true
  const decode = (chunk: Uint8Array, stream: boolean): void => {
    try {
      if (isText && decoder.decode(chunk, { stream }).includes('\0')) isText = false
    } catch {
      isText = false
    }
  }
  return {
    push(chunk) {
      decode(chunk, true)
    },
    end() {
      decode(new Uint8Array(), false)
      return isText
    },
  }
}
