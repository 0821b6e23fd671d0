import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { channelProgramElf, channelProgramSha256 } from '../src/index.ts'
import { clangVersion, compileProgram, installedClang } from '../tools/compile-program.ts'
import { linkSbpf } from '../tools/link-sbpf.ts'

const clang = await installedClang()

test('the committed program is the one whose sha256 is published', () => {
  expect(createHash('sha256').update(channelProgramElf()).digest('hex')).toBe(channelProgramSha256)
})

test.runIf(clang !== clangVersion && process.env['CI'] !== undefined)('a continuous build has the clang', () => {
  throw new Error(`install clang ${clangVersion}: apt-get install -y --no-install-recommends clang`)
})

// Another generation of clang orders the same instructions otherwise.
test.runIf(clang === clangVersion)('compiling and linking the C again gives the committed bytes', async () => {
  const built = await compileProgram()
  expect(built.equals(await readFile(join(import.meta.dirname, '..', 'elf', 'channel.so')))).toBe(true)
})

test('what is no BPF object is refused by the linker', () => {
  expect(() => linkSbpf(Buffer.alloc(64))).toThrow('not a little-endian ELF64 file')
  expect(() => linkSbpf(Buffer.from(channelProgramElf()))).toThrow('not a relocatable file')
})
