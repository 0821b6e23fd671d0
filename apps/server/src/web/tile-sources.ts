import { open } from 'node:fs/promises'
import type { TileSource } from './tile-archive.ts'

/** Bytes that are in memory anyway. */
export const memorySource = (bytes: Buffer): TileSource => ({
  size: bytes.length,
  read: (offset, length) => Promise.resolve(bytes.subarray(offset, offset + length)),
})

/** A file that stays open: whoever replaces it does so beside it and starts the service again. */
export async function fileSource(path: string): Promise<TileSource & AsyncDisposable> {
  const file = await open(path, 'r')
  try {
    const facts = await file.stat()
    if (!facts.isFile()) throw new Error('it is no file')
    return {
      size: facts.size,
      async read(offset, length) {
        const { bytesRead, buffer } = await file.read(Buffer.alloc(length), 0, length, offset)
        if (bytesRead < length) throw new Error('the file of the map is shorter than it was')
        return buffer
      },
      [Symbol.asyncDispose]: () => file.close(),
    }
  } catch (error) {
    await file.close()
    throw error
  }
}
