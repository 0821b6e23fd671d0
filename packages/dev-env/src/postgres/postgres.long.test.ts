import { existsSync, mkdtempSync, readFileSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { isAlive } from '../stopping.ts'
import { queryDatabase } from '../testing/query-database.ts'
import { startPostgres } from './postgres.ts'
import type { Postgres } from './postgres.ts'

async function ask(url: string, text: string): Promise<unknown[]> {
  return (await queryDatabase(url, text)).map((row) => Object.values(row)[0])
}

let dataDir: string
const running = new Set<Postgres>()

async function start(options: Parameters<typeof startPostgres>[0] = {}): Promise<Postgres> {
  const postgres = await startPostgres({ dataDir, ...options })
  running.add(postgres)
  return postgres
}

beforeEach(() => {
  dataDir = mkdtempSync(join(tmpdir(), 'ergon-test-'))
})
afterEach(async () => {
  await Promise.all([...running].map((postgres) => postgres.kill()))
  running.clear()
  rmSync(dataDir, { recursive: true, force: true })
})

describe('the embedded PostgreSQL', () => {
  test('what is committed survives a clean stop, and no process is left', async () => {
    const first = await start()
    await first.createDatabase('ergon')
    await ask(first.url('ergon'), 'CREATE TABLE kept AS SELECT 7 AS n')
    await first.stop()
    expect(first.pid !== undefined && isAlive(first.pid)).toBe(false)
    const second = await start()
    expect(await ask(second.url('ergon'), 'SELECT n FROM kept')).toEqual([7])
    expect(await second.hasDatabase('absent')).toBe(false)
  })

  test('what is committed survives SIGKILL, and the next start clears the stale lock file', async () => {
    const first = await start()
    await ask(first.url('postgres'), 'CREATE TABLE kept AS SELECT 7 AS n')
    await first.kill()
    // The id now belongs to another living process, as after a restart of a container.
    const stale = join(dataDir, 'data', 'postmaster.pid')
    writeFileSync(stale, readFileSync(stale, 'utf8').replace(/^\d+/, '1'))
    const second = await start()
    expect(await ask(second.tcpUrl('postgres'), 'SELECT n FROM kept')).toEqual([7])
  })

  test('a wrong password is refused over the socket and over TCP, and only loopback listens', async () => {
    const postgres = await start({ durable: false })
    for (const url of [postgres.url('postgres'), postgres.tcpUrl('postgres')]) {
      await expect(ask(url.replace(/:[^:@]*@/, ':wrong@'), 'SELECT 1')).rejects.toThrow(
        'password authentication failed',
      )
    }
    expect(await ask(postgres.url('postgres'), 'SHOW listen_addresses')).toEqual(['127.0.0.1'])
    expect(statSync(join(dataDir, 'password')).mode & 0o777).toBe(0o600)
  })

  test('it flushes to disk unless told that the data is for tests', async () => {
    const durable = await start()
    expect(await ask(durable.url('postgres'), 'SHOW fsync')).toEqual(['on'])
    await durable.stop()
    const fast = await start({ durable: false })
    expect(await ask(fast.url('postgres'), 'SHOW fsync')).toEqual(['off'])
  })

  test('a temporary cluster in memory answers, and is gone when it stops', async () => {
    await using held = await startPostgres({ durable: false, inMemory: true })
    expect(await ask(held.url('postgres'), 'SELECT 7')).toEqual([7])
    const { folder = '' } = held
    expect(statSync(folder).isDirectory()).toBe(true)
    await held.stop()
    expect(existsSync(folder)).toBe(false)
  })

  test('what a killed run left in memory goes after a day, and nothing that is younger', async () => {
    const [old, young] = [mkdtempSync('/dev/shm/ergon-postgres-'), mkdtempSync('/dev/shm/ergon-postgres-')]
    const before = (hours: number): Date => new Date(Date.now() - hours * 3_600_000)
    utimesSync(old, before(25), before(25))
    utimesSync(young, before(23), before(23))
    await using _ = await startPostgres({ durable: false, inMemory: true })
    expect([old, young].map((folder) => existsSync(folder))).toEqual([false, true])
    rmSync(young, { recursive: true })
  })

  test('a busy port makes it take the next free one', async () => {
    const blocker = createServer()
    await new Promise<void>((resolve) =>
      blocker.listen(0, '127.0.0.1', () => {
        resolve()
      }),
    )
    const address = blocker.address()
    const busy = typeof address === 'object' && address !== null ? address.port : 0
    const postgres = await start({ port: busy, durable: false })
    blocker.close()
    expect(postgres.port).toBeGreaterThan(busy)
  })

  test('a database is copied from a template, and dropped with its sessions', async () => {
    const postgres = await start({ durable: false })
    await postgres.createDatabase('model')
    await ask(postgres.url('model'), 'CREATE TABLE kept AS SELECT 7 AS n')
    await postgres.createDatabase('copy', 'model')
    expect(await ask(postgres.url('copy'), 'SELECT n FROM kept')).toEqual([7])
    const session = new pg.Client({ connectionString: postgres.url('copy') })
    session.on('error', () => undefined)
    await session.connect()
    await postgres.dropDatabase('copy')
    expect(await postgres.hasDatabase('copy')).toBe(false)
    await session.end().catch(() => undefined)
  })

  test('a folder whose socket path would be too long still works', async () => {
    const postgres = await start({ dataDir: join(dataDir, 'a'.repeat(100)), durable: false })
    expect(await ask(postgres.url('postgres'), 'SELECT 1')).toEqual([1])
  })

  test.runIf(process.getuid?.() === 0)('as root without user namespaces it becomes another account', async () => {
    const postgres = await start({ dataDir: join(dataDir, 'cluster'), durable: false, rung: 'setuid' })
    expect(await ask(postgres.url('postgres'), 'SELECT 1')).toEqual([1])
    expect(statSync(`/proc/${String(postgres.pid)}`).uid).not.toBe(0)
    // The home of a test is closed to that account, so the cluster is outside it.
    const [folder] = await ask(postgres.url('postgres'), 'SHOW data_directory')
    await postgres.stop()
    rmSync(join(String(folder), '..'), { recursive: true })
  })

  test('without a folder it is temporary: stopping leaves nothing', async () => {
    const postgres = await startPostgres({ durable: false })
    const [folder] = await ask(postgres.url('postgres'), 'SHOW data_directory')
    await postgres.stop()
    expect(() => statSync(String(folder))).toThrow('ENOENT')
  })
})
