import { realpathSync, statSync } from 'node:fs'
import { dirname } from 'node:path'

const [read, enter] = [0o004, 0o001]
const allows = (path: string, bit: number): boolean => (statSync(path).mode & bit) !== 0

/** Whether every user of the machine can read a file: its mode says so, and each folder above lets everybody in. */
export function isOpenToAll(file: string): boolean {
  try {
    const real = realpathSync(file)
    if (!allows(real, read)) return false
    for (let folder = dirname(real); ; folder = dirname(folder)) {
      if (!allows(folder, enter)) return false
      if (folder === dirname(folder)) return true
    }
  } catch {
    // Whoever reads it says what is wrong with it.
    return false
  }
}
