/** A directory of an archive, a column for each of its facts, by rising id. */
export type Directory = {
  readonly ids: Float64Array
  /** How many tiles are the same; 0 names a directory below. */
  readonly runs: Float64Array
  readonly lengths: Float64Array
  readonly offsets: Float64Array
}
export type DirectoryEntry = { readonly run: number; readonly offset: number; readonly length: number }

/** Each entry takes a byte at least in each of its four columns. */
const leastEntryBytes = 4

/**
 * Reads a directory (PMTiles 3, §4): the bytes are foreign, so nothing is made larger than they are.
 * @throws RangeError when they are no directory
 */
export function parseDirectory(bytes: Uint8Array): Directory {
  let at = 0
  const next = (): number => {
    let value = 0
    for (let factor = 1; ; factor *= 0x80) {
      const byte = bytes[at]
      if (byte === undefined || factor > 2 ** 49) throw new RangeError('a number of the directory has no end')
      at += 1
      value += (byte & 0x7f) * factor
      if (byte < 0x80) return value
    }
  }
  const count = next()
  if (count > bytes.length / leastEntryBytes) throw new RangeError('the directory is shorter than it says')
  const column = (of: (value: number, index: number) => number): Float64Array => {
    const values = new Float64Array(count)
    for (let index = 0; index < count; index += 1) values[index] = of(next(), index)
    return values
  }
  let id = 0
  const ids = column((step) => (id += step))
  const [runs, lengths] = [column((run) => run), column((length) => length)]
  let end = 0
  const offsets = column((given, index) => {
    const offset = given === 0 && index > 0 ? end : given - 1
    end = offset + (lengths[index] ?? 0)
    if (offset < 0 || !Number.isSafeInteger(end)) throw new RangeError('an entry of the directory lies nowhere')
    return offset
  })
  return { ids, runs, lengths, offsets }
}

/** The entry that a tile lies in or below; undefined where none does. */
export function entryFor({ ids, runs, lengths, offsets }: Directory, id: number): DirectoryEntry | undefined {
  let [low, high] = [0, ids.length - 1]
  while (low <= high) {
    const middle = (low + high) >>> 1
    if ((ids[middle] ?? 0) <= id) low = middle + 1
    else high = middle - 1
  }
  const [first, run, length, offset] = [ids[high], runs[high], lengths[high], offsets[high]]
  if (first === undefined || run === undefined || length === undefined || offset === undefined) return undefined
  return length > 0 && (run === 0 || id < first + run) ? { run, length, offset } : undefined
}
