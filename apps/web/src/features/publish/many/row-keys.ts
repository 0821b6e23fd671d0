import { sha256 } from '@noble/hashes/sha2.js'
import { bytesToHex, utf8ToBytes } from '@noble/hashes/utils.js'
import type { ReadTask } from './read-tasks.ts'

const keyLength = 32

/**
 * The idempotency key of each row, made of what the row says, which of several alike it is, and the name of the batch.
 * So nothing has to be kept: after a reload, on another device, or after other rows were mended, what was posted is
 * answered and not posted again.
 */
export function rowKeys(tasks: readonly ReadTask[], batch: string): readonly string[] {
  const seen = new Map<string, number>()
  return tasks.map(({ fields }) => {
    const said = JSON.stringify(Object.entries(fields).toSorted(([one], [other]) => (one < other ? -1 : 1)))
    const nth = (seen.get(said) ?? 0) + 1
    seen.set(said, nth)
    const key = bytesToHex(sha256(utf8ToBytes(JSON.stringify([batch.trim(), said, nth]))))
    return `table-${key.slice(0, keyLength)}`
  })
}
