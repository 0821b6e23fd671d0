import { execFile } from 'node:child_process'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { linkSbpf } from './link-sbpf.ts'

const run = promisify(execFile)

/** The first generation of the machine, and nothing that calls for a runtime library or a table in the data. */
const flags = [
  '-target',
  'bpf',
  '-mcpu=v1',
  '-O2',
  '-ffreestanding',
  '-fno-builtin',
  '-fno-jump-tables',
  '-Wall',
  '-Wextra',
  '-Werror',
]

/** The committed bytes are those of this generation of clang; another orders the same instructions otherwise. */
export const clangVersion = '14.0.6'

/** The version of the clang on the path, undefined if there is none. */
export async function installedClang(): Promise<string | undefined> {
  try {
    const { stdout } = await run('clang', ['--version'])
    return /clang version ([\d.]+)/.exec(stdout)?.[1]
  } catch {
    return undefined
  }
}

/** Compiles and links `c/channel.c`. Needs clang: `apt-get install -y --no-install-recommends clang`. */
export async function compileProgram(): Promise<Buffer> {
  const folder = await mkdtemp(join(tmpdir(), 'ergon-program-'))
  try {
    const object = join(folder, 'channel.o')
    // Relative names, so that no path of this machine can reach the object.
    await run('clang', [...flags, '-c', 'channel.c', '-o', object], { cwd: join(import.meta.dirname, '..', 'c') })
    return linkSbpf(await readFile(object))
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}
