import { existsSync, mkdirSync, renameSync, rmSync, statSync } from 'node:fs'
import { open } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { gunzip } from 'node:zlib'

const inflate = promisify(gunzip)

/**
 * The copies of the chain's state. The node writes its file in place, so a kill in the middle leaves half of it: it
 * may only write `atExit`. `current` is written beside its place and moved there; `previous` is the one before.
 */
export type StateFiles = {
  readonly atExit: string
  /** What to try to load, newest first. */
  candidates(): readonly string[]
  /** The node has loaded this one: it becomes the current one. */
  adopt(file: string): void
  /** The node could not read this one: it is put aside for whoever wants to look. */
  reject(file: string): void
  /** Keeps the answer of `anvil_dumpState`: the state's JSON, gzipped, in hex. */
  keep(dump: string): Promise<void>
}

export function createStateFiles(folder: string): StateFiles {
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  const [current, previous, atExit, draft] = [
    'chain.json',
    'chain.previous.json',
    'chain.exit.json',
    'chain.new.json',
  ].map((name) => join(folder, name)) as [string, string, string, string] // four names in, four paths out
  const promote = (file: string): void => {
    if (existsSync(current)) renameSync(current, previous)
    renameSync(file, current)
  }
  return {
    atExit,
    candidates: () =>
      [atExit, current, previous]
        .filter((file) => existsSync(file))
        .toSorted((a, b) => statSync(b).mtimeMs - statSync(a).mtimeMs),
    adopt: (file) => {
      if (file !== current) promote(file)
      rmSync(atExit, { force: true })
    },
    reject: (file) => {
      renameSync(file, `${file}.unreadable`)
    },
    keep: async (dump) => {
      const json = await inflate(Buffer.from(dump.slice(2), 'hex'))
      const handle = await open(draft, 'w', 0o600)
      try {
        await handle.writeFile(json)
        await handle.datasync()
      } finally {
        await handle.close()
      }
      promote(draft)
    },
  }
}
