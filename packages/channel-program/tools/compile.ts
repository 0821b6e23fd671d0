/** `npm exec -w packages/channel-program -- node tools/compile.ts`: writes the program and says its sha256. */
import { createHash } from 'node:crypto'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { compileProgram } from './compile-program.ts'

const elf = await compileProgram()
await writeFile(join(import.meta.dirname, '..', 'elf', 'channel.so'), elf)
process.stdout.write(`${elf.length} bytes, sha256 ${createHash('sha256').update(elf).digest('hex')}\n`)
