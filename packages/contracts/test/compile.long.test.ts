import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { compileContracts, formatArtifact, published } from '../tools/compiler.ts'

test('compiling the sources again gives the committed artifacts, byte for byte', { timeout: 180_000 }, async () => {
  const artifacts = await compileContracts()
  for (const name of published) {
    const artifact = artifacts[name]
    const committed = await readFile(join(import.meta.dirname, '..', 'artifacts', `${name}.json`), 'utf8')
    expect(artifact === undefined ? '' : formatArtifact(artifact), name).toBe(committed)
  }
})
