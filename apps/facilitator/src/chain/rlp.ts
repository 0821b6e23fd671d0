/** What RLP encodes: a byte string or a list of the same. */
export type RlpItem = Uint8Array | readonly RlpItem[]

/** Recursive length prefix (Ethereum yellow paper, appendix B). */
export function rlpEncode(item: RlpItem): Uint8Array {
  if (item instanceof Uint8Array) {
    const first = item[0]
    if (item.length === 1 && first !== undefined && first < 0x80) return item
    return Buffer.concat([prefix(item.length, 0x80), item])
  }
  return rlpList(item.map(rlpEncode))
}

/** A list of what is encoded already. */
export function rlpList(encoded: readonly Uint8Array[]): Uint8Array {
  let length = 0
  for (const { length: own } of encoded) length += own
  return Buffer.concat([prefix(length, 0xc0), ...encoded])
}

/** An integer without leading zeros; zero is the empty string. */
export function rlpInteger(value: bigint | number): Uint8Array {
  if (value === 0 || value === 0n) return new Uint8Array(0)
  const hex = value.toString(16)
  return Buffer.from(hex.length % 2 === 0 ? hex : `0${hex}`, 'hex')
}

function prefix(length: number, offset: number): Uint8Array {
  if (length < 56) return Uint8Array.of(offset + length)
  const size = rlpInteger(length)
  return Uint8Array.of(offset + 55 + size.length, ...size)
}
