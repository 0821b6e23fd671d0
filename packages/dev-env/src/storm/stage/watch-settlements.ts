import { setTimeout as pause } from 'node:timers/promises'
import pg from 'pg'

/** When each settlement was seen open for the first and for the last time, in milliseconds of this process. */
export type Openings = ReadonlyMap<string, { readonly from: number; readonly to: number | undefined }>

export type Watch = AsyncDisposable & {
  readonly openings: Openings
  /** How many are open as of the last look; undefined before the first one. */
  openNow(): number | undefined
  /** Waits until none is open, or answers how many are when `until` has come. */
  quiet(until: number): Promise<number>
}

const everyMs = 200

/** Looks at the table of settlements past every line, so that the time a fault costs is measured from outside. */
export function watchSettlements(url: () => string): Watch {
  const openings = new Map<string, { from: number; to: number | undefined }>()
  let openNow: number | undefined
  let isOver = false
  const look = async (client: pg.Client): Promise<void> => {
    const { rows } = await client.query<{ id: string }>(
      "select id from settlements where status in ('claimed', 'in_doubt')",
    )
    const now = performance.now()
    const open = new Set(rows.map(({ id }) => id))
    for (const id of open) {
      const known = openings.get(id)
      if (known === undefined) openings.set(id, { from: now, to: undefined })
      else known.to = undefined
    }
    for (const [id, opening] of openings) if (opening.to === undefined && !open.has(id)) opening.to = now
    openNow = open.size
  }
  const run = async (): Promise<void> => {
    let client: pg.Client | undefined
    while (!isOver) {
      try {
        client ??= await connected(url())
        await look(client)
      } catch {
        // PostgreSQL is one of those that are struck; the next look is on a new connection.
        void client?.end().catch(() => undefined)
        client = undefined
      }
      await pause(everyMs)
    }
    await client?.end().catch(() => undefined)
  }
  const running = run()
  return {
    openings,
    openNow: () => openNow,
    async quiet(until) {
      openNow = undefined
      while (performance.now() < until && openNow !== 0) await pause(everyMs)
      return openNow ?? -1
    },
    async [Symbol.asyncDispose]() {
      isOver = true
      await running
    },
  }
}

async function connected(connectionString: string): Promise<pg.Client> {
  const client = new pg.Client({ connectionString, connectionTimeoutMillis: 2_000, query_timeout: 5_000 })
  client.on('error', () => undefined)
  await client.connect()
  return client
}
