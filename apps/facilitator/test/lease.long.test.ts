import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { queryDatabase, startPostgres, type Chain } from '@ergon/dev-env'
import { createTestDatabase } from '@ergon/dev-env/testing'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Facilitator } from '../src/index.ts'
import { facilitatorEnv } from './harness-env.ts'
import {
  balanceOf,
  createClient,
  eventually,
  sentByFacilitator,
  startFacilitator,
  startFundedChain,
} from './harness.ts'
import { startPgProxy } from './pg-proxy.ts'
import { aTransfer, exactV2, facilitator, worker } from '../src/testing/payments.ts'
import { facilitatorSchema } from '../src/testing/facilitator-schema.ts'

let chain: Chain
beforeAll(async () => {
  chain = await startFundedChain()
})
afterAll(async () => {
  await chain.stop()
})

async function hasFailed(service: Facilitator): Promise<boolean> {
  return Promise.race([
    service.failed.then(() => true),
    new Promise<boolean>((resolve) => setTimeout(resolve, 0, false)),
  ])
}

/** Who holds the account; a migration holds a lock of its own, and a start may end where its connection is cut. */
const lockHolders = `select pid from pg_locks where locktype = 'advisory' and granted and objid <> 7128402
  and database = (select oid from pg_database where datname = current_database())`

describe('the account', () => {
  test('a predecessor whose lease was taken writes no intent', async () => {
    await using database = await createTestDatabase(facilitatorSchema)
    await using service = await startFacilitator(facilitatorEnv(chain.rpcUrl, database.url))
    const client = createClient(await service.listen())
    expect((await client.post('/settle', exactV2(aTransfer()))).body).toMatchObject({ success: true })
    const before = {
      sent: await sentByFacilitator(chain.rpcUrl),
      rows: await queryDatabase(database.url, 'select id from intents'),
    }
    // What a successor does first; this process believes that it holds the lock still.
    await queryDatabase(database.url, 'update account_leases set epoch = epoch + 1 where account = $1', [
      facilitator.address.toLowerCase(),
    ])
    const answer = await client.post('/settle', exactV2(aTransfer()), { 'idempotency-key': 'stale' })
    expect(answer).toMatchObject({
      status: 502,
      body: { errorCode: 'rpc_unavailable', broadcast: false, final: false },
    })
    expect(await queryDatabase(database.url, 'select id from intents')).toEqual(before.rows)
    expect(await queryDatabase(database.url, 'select key from request_keys')).toEqual([])
    expect(await sentByFacilitator(chain.rpcUrl)).toBe(before.sent)
    expect((await service.failed).message).toMatch(/taken over/)
  })

  test('is taken over by a successor whose predecessor lost its connection, and the predecessor ends', async () => {
    await using database = await createTestDatabase(facilitatorSchema)
    const env = facilitatorEnv(chain.rpcUrl, database.url)
    await using first = await startFacilitator(env)
    const starting = startFacilitator(env)
    await eventually(
      async () => {
        await queryDatabase(database.url, `select pg_terminate_backend(pid) from (${lockHolders}) as held`)
        return Promise.race([
          starting.then(() => true),
          new Promise<boolean>((resolve) => setTimeout(resolve, 30, false)),
        ])
      },
      (isTaken) => isTaken,
      'the takeover',
    )
    await using second = await starting
    expect((await first.failed).message).toMatch(/taken over/)
    expect(await hasFailed(second)).toBe(false)
    expect((await createClient(await second.listen()).post('/settle', exactV2(aTransfer()))).body).toMatchObject({
      success: true,
    })
  })

  test('is waited for by a standby whose own connection is terminated again and again', async () => {
    await using database = await createTestDatabase(facilitatorSchema)
    const env = facilitatorEnv(chain.rpcUrl, database.url)
    const first = await startFacilitator(env)
    const holders = await queryDatabase(database.url, lockHolders)
    const starting = startFacilitator(env)
    let cut = 0
    await eventually(
      async () => {
        const ended = await queryDatabase(
          database.url,
          `select pg_terminate_backend(pid) from pg_stat_activity
        where datname = current_database() and pid <> pg_backend_pid() and query like '%pg_try_advisory_lock%'
          and pid not in (${lockHolders})`,
        )
        return (cut += ended.length)
      },
      (count) => count >= 3,
      'three cut connections',
    )
    expect(await queryDatabase(database.url, lockHolders)).toEqual(holders)
    await first[Symbol.asyncDispose]()
    await using second = await starting
    expect((await createClient(await second.listen()).post('/settle', exactV2(aTransfer()))).body).toMatchObject({
      success: true,
    })
  })

  test('is kept when every connection to the database is terminated', async () => {
    await using database = await createTestDatabase(facilitatorSchema)
    const env = facilitatorEnv(chain.rpcUrl, database.url, { FACILITATOR_LEASE_WAIT_MS: '300' })
    await using service = await startFacilitator(env)
    const client = createClient(await service.listen())
    for (let round = 0; round < 3; round += 1) {
      await queryDatabase(
        database.url,
        `select pg_terminate_backend(pid) from pg_stat_activity
        where datname = current_database() and pid <> pg_backend_pid()`,
      )
      const body = exactV2(aTransfer({ value: 1_000n }))
      await eventually(
        () => client.post('/settle', body, { 'idempotency-key': `round-${round}` }),
        ({ status }) => status === 200,
        'the settlement',
      )
    }
    await eventually(
      () => queryDatabase(database.url, lockHolders),
      (rows) => rows.length === 1,
      'the lock',
    )
    await expect(startFacilitator(env)).rejects.toThrow(/another facilitator runs with the account/)
    expect(await hasFailed(service)).toBe(false)
  })
})

test('a start waits for PostgreSQL, so long and no longer', async () => {
  const dataDir = mkdtempSync(join(tmpdir(), 'facilitator-late-'))
  try {
    await using stack = new AsyncDisposableStack()
    const postgres = await startPostgres({ dataDir, durable: false })
    await postgres.createDatabase('settlements')
    const env = facilitatorEnv(chain.rpcUrl, postgres.tcpUrl('settlements'))
    const nowhere = facilitatorEnv(chain.rpcUrl, postgres.tcpUrl('nowhere'))
    await expect(startFacilitator(nowhere)).rejects.toThrow(/lets nobody in: database "nowhere" does not exist/)
    const { port } = postgres
    await postgres.stop()
    await expect(startFacilitator({ ...env, FACILITATOR_DATABASE_WAIT_MS: '300' })).rejects.toThrow(
      /did not answer within 0.3 s/,
    )
    const starting = startFacilitator(env)
    await new Promise((resolve) => setTimeout(resolve, 1_000))
    const late = await startPostgres({ dataDir, durable: false, port })
    stack.defer(() => late.stop())
    const service = await starting
    const client = createClient(await service.listen())
    expect((await client.post('/settle', exactV2(aTransfer({ value: 1_000n })))).body).toMatchObject({ success: true })
    await service[Symbol.asyncDispose]()
  } finally {
    rmSync(dataDir, { recursive: true, force: true })
  }
})

test('a start whose database goes away while it is judged waits for it', async () => {
  await using database = await createTestDatabase(facilitatorSchema)
  await using proxy = await startPgProxy(database.url)
  let cuts = 0
  proxy.decide = (question) => {
    if (!question.includes('pg_encoding_to_char') || cuts >= 2) return 'carry'
    cuts += 1
    return cuts === 1 ? 'lose-question' : 'lose-answer'
  }
  const service = await startFacilitator(facilitatorEnv(chain.rpcUrl, proxy.url))
  expect(cuts).toBe(2)
  await service[Symbol.asyncDispose]()
})

test('a restart of PostgreSQL does not end the facilitator', async () => {
  const dataDir = mkdtempSync(join(tmpdir(), 'facilitator-restart-'))
  try {
    await using stack = new AsyncDisposableStack()
    const postgres = await startPostgres({ dataDir, durable: false })
    await postgres.createDatabase('settlements')
    const url = postgres.tcpUrl('settlements')
    const env = facilitatorEnv(chain.rpcUrl, url, {
      FACILITATOR_SETTLE_WAIT_MS: '500',
      FACILITATOR_LEASE_WAIT_MS: '300',
    })
    const service = stack.use(await startFacilitator(env))
    const client = createClient(await service.listen())
    const before = await balanceOf(chain.rpcUrl, worker.address)
    expect((await client.post('/settle', exactV2(aTransfer({ value: 1_000n })))).body).toMatchObject({ success: true })
    const { port } = postgres
    await postgres.stop()
    const body = exactV2(aTransfer({ value: 2_000n }))
    const key = { 'idempotency-key': 'over a restart'.replaceAll(' ', '-') }
    expect(await client.post('/settle', body, key)).toMatchObject({
      status: 502,
      body: { errorCode: 'settlement_pending', broadcast: true },
    })
    const again = await startPostgres({ dataDir, durable: false, port })
    stack.defer(() => again.stop())
    expect(again.tcpUrl('settlements')).toBe(url)
    await eventually(
      () => client.post('/settle', body, key),
      ({ status }) => status === 200,
      'the settlement',
      20_000,
    )
    expect(await balanceOf(chain.rpcUrl, worker.address)).toBe(before + 3_000n)
    await eventually(
      () => queryDatabase(url, lockHolders),
      (rows) => rows.length === 1,
      'the lock',
    )
    await expect(startFacilitator(env)).rejects.toThrow(/another facilitator runs with the account/)
    expect(await hasFailed(service)).toBe(false)
    // The service lets go of the database before the database ends.
    await service[Symbol.asyncDispose]()
  } finally {
    rmSync(dataDir, { recursive: true, force: true })
  }
})
