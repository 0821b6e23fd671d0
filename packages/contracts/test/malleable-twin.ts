import { type Hex, hexToBigInt, numberToHex, parseSignature, serializeSignature } from 'viem'

const curveOrder = 0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141n

/** The other signature of the same key over the same digest, with the large s (EIP-2). */
export function malleableTwin(signature: Hex): Hex {
  const { r, s, yParity } = parseSignature(signature)
  return serializeSignature({
    r,
    s: numberToHex(curveOrder - hexToBigInt(s), { size: 32 }),
    yParity: yParity === 0 ? 1 : 0,
  })
}
