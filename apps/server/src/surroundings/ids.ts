import { randomFillSync } from 'node:crypto'
import type { Ids } from '@ergon/core'

const counterBits = 12
const counterEnd = 1 << counterBits
/** Random bytes of one id. They are drawn for many ids at once: the call costs more than the bytes. */
const randomLength = 10
const idsAtOnce = 200

/**
 * UUIDv7 with a counter (RFC 9562 §5.7, §6.2 method 1): of the ids of one source each sorts after the one before,
 * within a millisecond and while the clock goes back as well. A millisecond begins in the lower half of the counter,
 * and one that runs out borrows the next. What processes make together is in the order of their clocks only.
 */
export function createIds(now: () => Date): Ids {
  let last = 0
  let counter = 0
  const drawn = Buffer.alloc(randomLength * idsAtOnce)
  let at = drawn.length
  const draw = (): Buffer => {
    if (at === drawn.length) {
      randomFillSync(drawn)
      at = 0
    }
    at += randomLength
    return drawn.subarray(at - randomLength, at)
  }
  return {
    next() {
      const time = now().getTime()
      const random = draw()
      if (time > last) [last, counter] = [time, random.readUInt16BE(8) & (counterEnd / 2 - 1)]
      else if (counter + 1 < counterEnd) counter += 1
      else [last, counter] = [last + 1, 0]
      const stamp = last.toString(16).padStart(12, '0')
      // The variant takes the first two bits of the random half.
      const tail = ((random.readBigUInt64BE() & (2n ** 62n - 1n)) | (2n ** 63n)).toString(16)
      return `${stamp.slice(0, 8)}-${stamp.slice(8)}-7${counter.toString(16).padStart(3, '0')}-${tail.slice(0, 4)}-${tail.slice(4)}`
    },
  }
}
