import { mkdtempSync, rmSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { TestProject } from 'vitest/node'
import { startPostgres } from '../postgres/postgres.ts'
import type { Postgres } from '../postgres/postgres.ts'

declare module 'vitest' {
  // Declaration merging needs an interface.
  interface ProvidedContext {
    /** Where a test asks for the server of this run. */
    ergonPostgresDoor: string
  }
}

/**
 * One PostgreSQL for a whole run, started when the first test asks, so that a run of pure tests pays nothing. The door
 * is a unix socket: whoever connects is told the URL once the server runs.
 */
export async function setup(project: TestProject): Promise<() => Promise<void>> {
  const folder = mkdtempSync(join(tmpdir(), 'ergon-tests-'))
  const path = join(folder, 'door')
  let server: Promise<Postgres> | undefined
  const door = createServer((asker) => {
    asker.on('error', () => undefined)
    server ??= startPostgres({ durable: false, inMemory: true })
    server.then(
      (postgres) => asker.end(JSON.stringify({ url: postgres.url('postgres') })),
      (error: unknown) => asker.end(JSON.stringify({ error: String(error) })),
    )
  })
  await new Promise<void>((resolve) =>
    door.listen(path, () => {
      resolve()
    }),
  )
  project.provide('ergonPostgresDoor', path)
  return async () => {
    door.close()
    await server?.then(
      (postgres) => postgres.stop(),
      () => undefined,
    )
    rmSync(folder, { recursive: true, force: true })
  }
}
