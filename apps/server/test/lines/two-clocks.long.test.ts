import { createTestDatabase } from '@ergon/dev-env/testing'
import pg from 'pg'
import { expect, onTestFinished, test } from 'vitest'
import { eventually, startRig } from '../adapters/rig.ts'
import { send } from '../dispatch/send.ts'
import { signed } from '../dispatch/tiny-service.ts'
import { aTask } from '../http/live-market.ts'
import { startServer } from './server-process.ts'
import { serverSchema } from '../../src/testing/server-schema.ts'

/** Two servers share a database, and one of them has the clock of ten minutes later: the database's clock rules. */

test('alarm clock_far_off: a server that is ten minutes fast accepts, refuses and dates as the other one does', async () => {
  const rig = await startRig()
  onTestFinished(() => rig[Symbol.asyncDispose]())
  const database = await createTestDatabase(serverSchema)
  onTestFinished(() => database[Symbol.asyncDispose]())
  const healthy = await startServer(database.url, { rig })
  const fast = await startServer(database.url, { rig, clockAheadMs: 600_000 })
  const publisher = await healthy.party(0n)

  const text = JSON.stringify(aTask())
  const headers = await signed('POST', '/api/v1/tasks', text, { key: publisher.key })
  expect(await send(fast.url, 'POST', '/api/v1/tasks', headers, text)).toMatchObject({ status: 201 })
  for (const { url } of [healthy, fast, healthy])
    expect(await send(url, 'POST', '/api/v1/tasks', headers, text)).toMatchObject({ status: 401 })

  const pool = new pg.Pool({ connectionString: database.url })
  onTestFinished(() => pool.end())
  const { rows } = await pool.query<{ age: number }>(
    'select extract(epoch from clock_timestamp() - created_at)::float8 as age from tasks',
  )
  expect(rows).toHaveLength(1)
  expect(Math.abs(rows[0]?.age ?? 600)).toBeLessThan(5)

  const ready = await eventually(
    () => send(fast.url, 'GET', '/readyz'),
    ({ status }) => status === 503,
  )
  expect(ready.body).toMatchObject({ status: 'not_ready', reasons: ['clock_far_off'] })
  const complaint = /the clock of this machine is far from that of the database/
  const said = (): Promise<string> => Promise.resolve(fast.said())
  expect(await eventually(said, (text) => complaint.test(text))).toMatch(complaint)
  expect(await send(healthy.url, 'GET', '/readyz')).toMatchObject({ status: 200, body: { status: 'ready' } })
})
