import { fileKindOf } from '@ergon/contract/facts'

/** Watches bytes go by and says whether they are of the announced kind. */
export type Sniffer = {
  push(chunk: Uint8Array): void
  /** After the last chunk. */
  matches(): boolean
}

const headBytes = 16
export function createSniffer(contentType: string): Sniffer {
  const kind = fileKindOf(contentType)
  let head = Buffer.alloc(0)
  const text = kind?.isText === true ? createTextWatch() : undefined
  return {
    push(chunk) {
      if (head.length < headBytes) head = Buffer.concat([head, chunk.subarray(0, headBytes - head.length)])
      text?.push(chunk)
    },
    matches: () => (kind?.begins.test(head.toString('latin1')) ?? false) && (text?.end() ?? true),
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
