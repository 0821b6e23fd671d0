import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { compileContracts, formatArtifact, published } from './compiler.ts'

const folder = join(import.meta.dirname, '..', 'artifacts')
const artifacts = await compileContracts()
await mkdir(folder, { recursive: true })
for (const name of published) {
  const artifact = artifacts[name]
  if (artifact === undefined) throw new Error(`The sources define no contract ${name}.`)
  await writeFile(join(folder, `${name}.json`), formatArtifact(artifact))
  console.log(`${name}: ${(artifact.bytecode.length - 2) / 2} bytes`)
}
