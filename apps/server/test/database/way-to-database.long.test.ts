import { queryDatabase } from '@ergon/dev-env'
import { startCluster } from '@ergon/dev-env/testing'
import { execFileSync } from 'node:child_process'
import { chmodSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { awaitDatabase } from '@ergon/process'
import { createPool } from '../../src/adapters/postgres/index.ts'
import { startRig } from '../adapters/rig.ts'
import { aTask, eventually, expectStatus, startLiveMarket } from '../http/live-market.ts'

/** Decision 0291: how a database is reached, and one that goes away under those who use it. */

/** A private authority, and its certificate for 127.0.0.1. */
function certificates(): { readonly ca: string; readonly key: string; readonly cert: string } {
  const folder = mkdtempSync(join(tmpdir(), 'ergon-database-tls-'))
  onTestFinished(() => {
    rmSync(folder, { recursive: true, force: true })
  })
  chmodSync(folder, 0o755)
  const run = (...args: string[]): void => {
    execFileSync('openssl', args, { cwd: folder, stdio: 'ignore' })
  }
  const made = ['-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes', '-days', '2']
  run('req', ...made, '-keyout', 'ca.key', '-out', 'ca.pem', '-subj', '/CN=A private authority')
  const here = ['-subj', '/CN=127.0.0.1', '-addext', 'subjectAltName=IP:127.0.0.1']
  run('req', ...made, '-keyout', 'key.pem', '-out', 'cert.pem', '-CA', 'ca.pem', '-CAkey', 'ca.key', ...here)
  return { ca: join(folder, 'ca.pem'), key: join(folder, 'key.pem'), cert: join(folder, 'cert.pem') }
}

const open = (url: string) => {
  const pool = createPool(url, { size: 2 })
  onTestFinished(() => pool.end())
  return pool
}
const refuse = (text: string): Error => new Error(text)
const waits = { limitMs: 10_000, onDoubt: (text: string) => expect.fail(`it waited: ${text}`), refuse }

test('a database is reached over TLS that is verified, with any password, and refused at once without them', async () => {
  const { ca, key, cert } = certificates()
  // It reads its key as the account it runs under.
  chmodSync(key, 0o640)
  if (process.getuid?.() === 0) execFileSync('chown', ['root:postgres', key])
  else chmodSync(key, 0o600)
  const tls = { ssl: 'on', ssl_cert_file: cert, ssl_key_file: key }
  await using cluster = await startCluster({
    settings: tls,
    access: ['hostssl all guarded 127.0.0.1/32 scram-sha-256', 'host all ergon 127.0.0.1/32 trust'],
  })
  const password = "p@ss:w/o?r#d%'é"
  await queryDatabase(cluster.url('postgres'), `create role guarded login password '${password.replace("'", "''")}'`)
  const url = (change: string, secret = password): string => {
    const written = secret === '' ? '' : `:${encodeURIComponent(secret)}`
    return `${cluster.url('postgres').replace('//ergon@', `//guarded${written}@`)}${change}`
  }
  const verified = `?sslmode=verify-full&sslrootcert=${ca}`
  const { rows } = await open(url(verified)).query('select ssl from pg_stat_ssl where pid = pg_backend_pid()')
  expect(rows).toEqual([{ ssl: true }])
  for (const [wrong, reason] of [
    [url('?sslmode=verify-full'), /lets nobody in: .*certificate/],
    [url(''), /lets nobody in: no pg_hba.conf entry/],
    [url(verified, 'another'), /lets nobody in: password authentication failed/],
    [url(verified, ''), /lets nobody in: it asks for a password, and the URL has none/],
    [url(`?sslmode=verify-full&sslrootcert=${ca}.none`), /lets nobody in: ENOENT.* open/],
  ] as const)
    await expect(awaitDatabase(async () => open(wrong).query('select 1'), waits)).rejects.toThrow(reason)
})

test('a database that is renamed, or made anew, under those who use it is busy and never taken for an empty one', async () => {
  await using cluster = await startCluster()
  for (const name of ['market', 'payments']) cluster.create(name)
  const rig = await startRig({ DATABASE_URL: cluster.url('payments') })
  onTestFinished(() => rig[Symbol.asyncDispose]())
  await using market = await startLiveMarket({ DATABASE_URL: cluster.url('market'), SVC_LOG_LEVEL: 'fatal' }, rig)
  const publisher = await market.party(20n)
  const publish = () => publisher.call('POST', '/api/v1/tasks', aTask())
  expectStatus(await publish(), 201)
  const ask = (statement: string, database = 'postgres') => queryDatabase(cluster.url(database), statement)
  const cut = () =>
    ask("select pg_terminate_backend(pid) from pg_stat_activity where datname in ('market', 'payments')")
  const rename = async (from: string, to: string): Promise<void> => {
    await eventually(
      () =>
        cut()
          .then(() => ask(`alter database ${from} rename to ${to}`))
          .then(
            () => true,
            () => false,
          ),
      (isDone) => isDone,
    )
  }
  await rename('market', 'away')
  expect(await publish()).toMatchObject({ status: 503, body: { code: 'SERVICE_BUSY' } })
  await rename('away', 'market')
  const published = await eventually(publish, ({ status }) => status !== 503)
  expectStatus(published, 201)
  expect(await ask('select count(*)::int from tasks', 'market')).toEqual([{ count: 2 }])

  for (const name of ['market', 'payments']) {
    await ask(`drop database ${name} with (force)`)
    cluster.create(name)
  }
  expect((await publish()).status).toBeGreaterThanOrEqual(500)
  const ready = async (): Promise<unknown> => (await fetch(`${market.url}/readyz`)).json()
  await expect.poll(ready, { timeout: 30_000 }).toMatchObject({
    status: 'not_ready',
    reasons: expect.arrayContaining(['database_unwritable']) as unknown,
  })
  for (const name of ['market', 'payments'])
    expect(await ask("select from pg_tables where schemaname = 'public'", name)).toEqual([])
})
