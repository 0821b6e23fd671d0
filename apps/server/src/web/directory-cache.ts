import type { Directory } from './tile-directory.ts'

/** Four columns of eight bytes an entry. */
const bytesOf = ({ ids }: Directory): number => ids.length * 32
const mostBytes = 16_777_216
/** What is read at the same time; more waits. */
const mostReading = 32

export type DirectoryCache = { readonly get: (offset: number, length: number) => Promise<Directory> }

/** Keeps what was read last, up to a size; whoever asks for what is being read waits for the same. */
export function createDirectoryCache(read: (offset: number, length: number) => Promise<Directory>): DirectoryCache {
  const kept = new Map<number, Directory>()
  const reading = new Map<number, Promise<Directory>>()
  let bytes = 0
  const keep = (offset: number, directory: Directory): void => {
    kept.set(offset, directory)
    bytes += bytesOf(directory)
    for (const [oldest, one] of kept) {
      if (bytes <= mostBytes) break
      kept.delete(oldest)
      bytes -= bytesOf(one)
    }
  }
  const known = (offset: number): Directory | undefined => {
    const directory = kept.get(offset)
    if (directory !== undefined && kept.delete(offset)) kept.set(offset, directory)
    return directory
  }
  return {
    async get(offset, length) {
      for (;;) {
        const found = known(offset) ?? reading.get(offset)
        if (found !== undefined) return found
        if (reading.size < mostReading) break
        await Promise.race(reading.values()).catch(() => undefined)
      }
      const work = read(offset, length).finally(() => reading.delete(offset))
      reading.set(offset, work)
      const directory = await work
      keep(offset, directory)
      return directory
    },
  }
}
