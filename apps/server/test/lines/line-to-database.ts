import { createTestDatabase } from '@ergon/dev-env/testing'
import pg from 'pg'
import type { Env, Overrides } from '../../src/index.ts'
import { startRig, type Rig } from '../adapters/rig.ts'
import { startTcpProxy, type TcpProxy } from '../adapters/tcp-proxy.ts'
import { startLiveMarket, type LiveMarket } from '../http/live-market.ts'
import { serverSchema } from '../../src/testing/server-schema.ts'

/** The service over a line to its database that can fail; `sql` does not take that line. */
export type LineToDatabase = AsyncDisposable & {
  readonly line: TcpProxy
  readonly live: LiveMarket
  readonly rig: Rig
  readonly databaseUrl: string
  sql<R extends pg.QueryResultRow>(text: string, values?: readonly unknown[]): Promise<readonly R[]>
}

export async function startLineToDatabase(
  env: Env = {},
  overrides: Overrides = {},
  ofFacilitator: Readonly<Record<string, string>> = {},
): Promise<LineToDatabase> {
  await using stack = new AsyncDisposableStack()
  const rig = stack.use(await startRig(ofFacilitator))
  const database = stack.use(await createTestDatabase(serverSchema))
  const { line, url } = await lineTo(database.url)
  stack.use(line)
  const live = stack.use(
    await startLiveMarket(
      { DATABASE_URL: url, SVC_PUBLISH_PER_HOUR: '0', SVC_LOG_LEVEL: 'silent', ...env },
      rig,
      overrides,
    ),
  )
  const aside = new pg.Pool({ connectionString: database.url, max: 2 })
  aside.on('error', () => undefined)
  stack.defer(() => aside.end())
  const owned = stack.move()
  return {
    line,
    live,
    rig,
    databaseUrl: database.url,
    sql: async <R extends pg.QueryResultRow>(text: string, values: readonly unknown[] = []) =>
      (await aside.query<R>(text, [...values])).rows,
    [Symbol.asyncDispose]: () => owned.disposeAsync(),
  }
}

/** What the service asks by itself, however quiet it is. */
export const isAsked = (question: string): boolean =>
  !/event-horizon|events-after|ergon_events|admin-version|select 1/.test(question)

/** The address of a database, by a line of its own instead of the socket. */
export async function lineTo(databaseUrl: string): Promise<{ readonly line: TcpProxy; readonly url: string }> {
  const url = new URL(databaseUrl)
  const line = await startTcpProxy(Number(url.port))
  url.searchParams.delete('host')
  url.hostname = '127.0.0.1'
  url.port = String(line.port)
  return { line, url: url.href }
}
