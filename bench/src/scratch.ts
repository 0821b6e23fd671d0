import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

export type Scratch = Disposable & { readonly path: string }

/** A folder for one measurement; gone with it, and with the process when that is ended first. */
export function createScratch(): Scratch {
  const path = mkdtempSync(join(tmpdir(), 'ergon-bench-'))
  const remove = (): void => {
    rmSync(path, { recursive: true, force: true, maxRetries: 5 })
  }
  process.once('exit', remove)
  return {
    path,
    [Symbol.dispose]: () => {
      process.off('exit', remove)
      remove()
    },
  }
}
