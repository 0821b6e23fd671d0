import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startPostgres, type Postgres } from '@ergon/dev-env'
import type { Pool } from 'pg'
import { expect, onTestFinished, test } from 'vitest'
import { createPool, migrate } from '../../src/adapters/postgres/index.ts'
import { createKeyStore, type KeyStore } from '../../src/adapters/postgres/key-store.ts'
import { keyedWrites } from '../../src/adapters/postgres/keyed-call.ts'

/** Decision 0272: which commits wait for the disk, seen by a crash of the database that writes nothing more. */
const scope = { identity: 'a-worker', operation: 'tasks.apply' }
const times = { leaseMs: 8_000, keepMs: 86_400_000 }

type Ground = AsyncDisposable & { readonly postgres: Postgres; readonly pool: Pool; readonly keys: KeyStore }

async function open(folder: string): Promise<Ground> {
  const postgres = await startPostgres({ dataDir: folder })
  await postgres.createDatabase('market').catch(() => undefined) // it is there after a crash
  const pool = createPool(postgres.url('market'))
  await migrate(pool)
  return {
    postgres,
    pool,
    keys: createKeyStore(pool, times),
    async [Symbol.asyncDispose]() {
      await pool.end()
      await postgres.stop()
    },
  }
}

/** The processes of a database, and of those the ones with such a title. */
function childrenOf(parent: number | undefined, title = ''): readonly number[] {
  return readdirSync('/proc').flatMap((name) => {
    if (!/^\d+$/.test(name)) return []
    try {
      const isChild = readFileSync(`/proc/${name}/stat`, 'utf8').split(') ').at(-1)?.split(' ')[1] === String(parent)
      return isChild && readFileSync(`/proc/${name}/cmdline`, 'utf8').includes(title) ? [Number(name)] : []
    } catch {
      return [] // it has ended meanwhile
    }
  })
}

/** What waits in memory to be written is written by nobody from here on, unless a commit does. */
function stopWriter({ postgres }: Ground): void {
  for (const pid of childrenOf(postgres.pid, 'walwriter')) process.kill(pid, 'SIGSTOP')
}

/** Ends all of the database at once, and answers the one that comes after it. */
async function crash({ postgres, pool }: Ground, folder: string): Promise<Ground> {
  const children = childrenOf(postgres.pid)
  await postgres.kill()
  for (const pid of children)
    try {
      process.kill(pid, 'SIGKILL')
    } catch {
      // it has noticed by itself
    }
  await pool.end().catch(() => undefined)
  return open(folder)
}

test('a key does not wait for the disk, and what is written under it never outlives it', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'ergon-unhurried-'))
  onTestFinished(() => {
    rmSync(folder, { recursive: true, force: true })
  })
  const before = await open(folder)
  stopWriter(before)
  const written = await before.keys.begin({ ...scope, key: 'written' }, 'hash')
  if (written.state !== 'begun') throw new Error('a key that nobody has used')
  await before.keys.within(written.call, () =>
    keyedWrites(before.pool).query({
      text: `insert into bans (wallet, reason, actor, banned_at) values ('0x1', 'a reason', 'an operator', now())`,
    }),
  )
  await before.keys.begin({ ...scope, key: 'begun' }, 'hash')
  await before.keys.finish(written.call, 201, { is: 'told' })

  const after = await crash(before, folder)
  onTestFinished(() => after[Symbol.asyncDispose]())
  expect((await after.pool.query('select wallet from bans')).rows).toEqual([{ wallet: '0x1' }])
  // The answer was forgotten, and that something was written was not.
  expect(await after.keys.find(scope.identity, 'written', null)).toMatchObject({ state: 'written', answer: null })
  expect(await after.keys.find(scope.identity, 'begun', null)).toBeNull()
})
