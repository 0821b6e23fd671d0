import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createTestDatabase } from '@ergon/dev-env/testing'
import { expect, onTestFinished, test } from 'vitest'
import { serverSchema } from '../../src/testing/server-schema.ts'
import { startServer } from '../lines/server-process.ts'

test('a secret that every user of the machine can read is told of at the start', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'ergon-open-'))
  onTestFinished(() => rm(folder, { recursive: true }))
  const file = join(folder, 'secret')
  await writeFile(file, 'a secret of this test, long enough')
  await Promise.all([chmod(folder, 0o755), chmod(file, 0o644)])
  const database = await createTestDatabase(serverSchema)
  onTestFinished(() => database[Symbol.asyncDispose]())
  const env = { SVC_SECRET: '', SVC_SECRET_FILE: file, SVC_LOG_LEVEL: 'warn' }
  const { said } = await startServer(database.url, { env })
  expect(said()).toContain(`every user of this machine can read ${file} of SVC_SECRET_FILE: chmod o-rwx ${file}`)
  expect(said()).not.toContain('long enough')
})
