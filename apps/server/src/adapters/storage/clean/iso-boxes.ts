/** One box of an ISO media file: where it begins, where its contents begin, where it ends. */
export type Box = { readonly name: string; readonly start: number; readonly body: number; readonly end: number }

/** Far above what encoders write, far below what hurts. */
const maxBoxes = 100_000
/** A file with more is no phone's; every stretch to wipe is looked for in each. */
const maxDataBoxes = 16

/** The boxes that fill a stretch of bytes exactly; null where they do not. */
export function boxesIn(bytes: Buffer, from: number, to: number): readonly Box[] | null {
  const boxes: Box[] = []
  let at = from
  while (at < to) {
    // QuickTime ends some lists with zeros.
    if (to - at < 8 && bytes.subarray(at, to).every((byte) => byte === 0)) return boxes
    const box = boxAt(bytes, at, to)
    if (box === null || boxes.length === maxBoxes) return null
    boxes.push(box)
    at = box.end
  }
  return boxes
}

function boxAt(bytes: Buffer, at: number, to: number): Box | null {
  if (at + 8 > to) return null
  const name = bytes.toString('latin1', at + 4, at + 8)
  const short = bytes.readUInt32BE(at)
  if (short === 0) return { name, start: at, body: at + 8, end: to } // up to the end
  if (short !== 1) return short < 8 || at + short > to ? null : { name, start: at, body: at + 8, end: at + short }
  if (at + 16 > to) return null
  const long = bytes.readBigUInt64BE(at + 8)
  return long < 16n || long > BigInt(to - at) ? null : { name, start: at, body: at + 16, end: at + Number(long) }
}

/** Makes a box an empty one of the same length, so that no offset in the file moves. */
export function blank(bytes: Buffer, box: Box): void {
  bytes.write('free', box.start + 4, 'latin1')
  bytes.fill(0, box.body, box.end)
}

/** Zeroes stretches of the file's data; false, and nothing done, where one is out of it or all are more than it. */
export function wipe(
  bytes: Buffer,
  data: readonly Box[],
  extents: readonly { readonly from: number; readonly length: number }[],
): boolean {
  if (data.length > maxDataBoxes) return false
  let total = 0
  for (const { from, length } of extents) {
    total += length
    if (length > 0 && !data.some((box) => from >= box.body && from + length <= box.end)) return false
    if (total > bytes.length) return false // overlapping on purpose: no end to the work
  }
  for (const { from, length } of extents) bytes.fill(0, from, from + length)
  return true
}
