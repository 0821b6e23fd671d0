import { existsSync } from 'node:fs'
import { delimiter, join } from 'node:path'

/** @throws Error that says what to install, where a program of Debian is missing */
export function pathTo(program: string, name: string, debian = program): string {
  const places = (process.env['PATH'] ?? '').split(delimiter).map((folder) => join(folder, program))
  const found = places.find((path) => existsSync(path))
  if (found === undefined)
    throw new Error(`this test needs ${name} on the PATH: apt-get install --no-install-recommends ${debian}`)
  return found
}
