/** One 32-byte word of ABI-encoded data, without prefix. */
export function word(value: bigint | `0x${string}`): string {
  return BigInt(value).toString(16).padStart(64, '0')
}

/**
 * ABI-encodes a list of strings of at most 31 bytes, without prefix. Enough for the constructor of a token, and
 * cheaper to load than a library.
 */
export function shortStrings(texts: readonly string[]): string {
  const heads: string[] = []
  const tails: string[] = []
  for (const text of texts) {
    const bytes = Buffer.from(text, 'utf8')
    if (bytes.length > 31) throw new RangeError(`"${text}" does not fit into one word.`)
    heads.push(word(BigInt(texts.length * 32 + tails.length * 64)))
    tails.push(word(BigInt(bytes.length)) + bytes.toString('hex').padEnd(64, '0'))
  }
  return [...heads, ...tails].join('')
}
