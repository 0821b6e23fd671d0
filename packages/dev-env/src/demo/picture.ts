/** Squares of 8×8 pixels across and down. */
const squares = 16
const side = squares * 8

/** Bits that become bytes; a byte of ones is followed by a zero so that no marker appears in the picture's data. */
function createBitWriter() {
  const bytes: number[] = []
  let held = 0
  let count = 0
  return {
    put(value: number, length: number): void {
      for (let bit = length - 1; bit >= 0; bit--) {
        held = (held << 1) | ((value >> bit) & 1)
        if (++count < 8) continue
        bytes.push(held)
        if (held === 0xff) bytes.push(0)
        held = 0
        count = 0
      }
    },
    finish(): readonly number[] {
      while (count !== 0) this.put(1, 1)
      return bytes
    },
  }
}

// Brightness differences by their number of bits: twelve codes of four bits, from 0000.
const differenceCodes = { lengths: [0, 0, 0, 12], symbols: [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11] }
// Every square is even, so of its 63 details there is only the word that says "no more": one code, 0.
const detailCodes = { lengths: [1], symbols: [0] }

/**
 * A grey picture of 128×128 pixels as a baseline JPEG (ITU-T T.81): a mosaic that depends on the seed, so that no two
 * jobs carry the same photo.
 */
export function drawPicture(seed: string): Uint8Array {
  const data = createBitWriter()
  let before = 0
  for (let index = 0; index < squares * squares; index++) {
    const level = brightness(index % squares, Math.floor(index / squares), seed)
    putDifference(data, level - before)
    data.put(0, 1)
    before = level
  }
  return Uint8Array.from([
    0xff,
    0xd8,
    ...segment(0xe0, [0x4a, 0x46, 0x49, 0x46, 0, 1, 1, 0, 0, 1, 0, 1, 0, 0]),
    ...segment(0xdb, [0, ...new Array<number>(64).fill(8)]),
    ...segment(0xc0, [8, 0, side, 0, side, 1, 1, 0x11, 0]),
    ...segment(0xc4, table(0x00, differenceCodes)),
    ...segment(0xc4, table(0x10, detailCodes)),
    ...segment(0xda, [1, 1, 0x00, 0, 63, 0]),
    ...data.finish(),
    0xff,
    0xd9,
  ])
}

/** From -128 to 127. A quantiser of 8 makes one step of the first coefficient one step of brightness. */
function brightness(x: number, y: number, seed: string): number {
  const grain = seed.charCodeAt((x * 7 + y * 13) % Math.max(1, seed.length)) || 0
  const wave = Math.sin((x + grain / 24) / 2.5) + Math.cos((y - grain / 32) / 3)
  return Math.max(-128, Math.min(127, Math.round(wave * 55 + (grain % 23))))
}

function putDifference(data: ReturnType<typeof createBitWriter>, difference: number): void {
  const size = 32 - Math.clz32(Math.abs(difference))
  data.put(size, 4)
  data.put(difference < 0 ? difference + (1 << size) - 1 : difference, size)
}

function segment(marker: number, content: readonly number[]): readonly number[] {
  const length = content.length + 2
  return [0xff, marker, length >> 8, length & 0xff, ...content]
}

function table(
  id: number,
  codes: { readonly lengths: readonly number[]; readonly symbols: readonly number[] },
): readonly number[] {
  return [id, ...Array.from({ length: 16 }, (_, index) => codes.lengths[index] ?? 0), ...codes.symbols]
}
