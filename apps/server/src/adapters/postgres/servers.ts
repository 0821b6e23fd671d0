import { setTimeout as pause } from 'node:timers/promises'
import type { Pool } from 'pg'
import { ConfigError } from '../../config/config-error.ts'

/** What servers on one database must agree on, by the setting that makes it; secrets as digests. */
export type SharedFacts = Readonly<Record<string, string>>

export type Membership = AsyncDisposable & {
  /** Since this server last wrote to the database, milliseconds; it does so every three seconds. */
  unwrittenMs(): number
}

export type JoinOptions = {
  readonly id: string
  readonly version: string
  readonly facts: SharedFacts
  readonly onError: (error: unknown) => void
}

const beatMs = 3_000
/** A server that was not seen for so long is dead, or as good as. */
const silentMs = 10_000
const forgottenMs = 24 * 3_600_000
/** Held while one looks at the others and enters itself, so that of two that differ one sees the other. */
const lockKey = 7_210_452

/**
 * Enters this server among those that run on the database. Where it differs from one of them, that one may have been
 * killed: it is waited for until it is silent.
 * @throws ConfigError naming the settings that differ from those of a server that lives
 */
export async function joinServers(pool: Pool, { id, version, facts, onError }: JoinOptions): Promise<Membership> {
  const until = performance.now() + silentMs + beatMs
  for (;;) {
    const differing = await enter(pool, { id, version, facts })
    if (differing.length === 0) break
    if (performance.now() > until)
      throw new ConfigError(
        `${differing.join(' and ')} ${differing.length === 1 ? 'differs' : 'differ'} from what another server on this database has: give all of them the same, or stop the others first`,
      )
    await pause(500)
  }
  let writtenAt = performance.now()
  let isTold = false
  const timer = setInterval(() => {
    void pool.query({ name: 'server-beat', text: beat, values: [id, version, facts] }).then(
      () => {
        writtenAt = performance.now()
        isTold = false
      },
      (error: unknown) => {
        if (!isTold) onError(error)
        isTold = true
      },
    )
  }, beatMs)
  timer.unref()
  return {
    unwrittenMs: () => performance.now() - writtenAt,
    async [Symbol.asyncDispose]() {
      clearInterval(timer)
      await pool.query('delete from servers where id = $1', [id]).catch(onError)
    },
  }
}

const beat = `insert into servers (id, version, facts) values ($1, $2, $3)
  on conflict (id) do update set seen_at = clock_timestamp()`

async function enter(pool: Pool, { id, version, facts }: Omit<JoinOptions, 'onError'>): Promise<readonly string[]> {
  const client = await pool.connect()
  let isDone = false
  try {
    await client.query('begin')
    await client.query('select pg_advisory_xact_lock($1)', [lockKey])
    await client.query("delete from servers where seen_at < clock_timestamp() - $1 * interval '1 millisecond'", [
      forgottenMs,
    ])
    const { rows } = await client.query<{ facts: SharedFacts }>(
      `select facts from servers where id <> $1 and seen_at > clock_timestamp() - $2 * interval '1 millisecond'`,
      [id, silentMs],
    )
    const differing = differingFrom(
      facts,
      rows.map((row) => row.facts),
    )
    if (differing.length === 0) await client.query(beat, [id, version, facts])
    await client.query('commit')
    isDone = true
    return differing
  } finally {
    client.release(!isDone)
  }
}

/** Another version may know of more or fewer settings. Digests under another secret say nothing. */
function differingFrom(facts: SharedFacts, others: readonly SharedFacts[]): readonly string[] {
  const differing = Object.keys(facts).filter((name) =>
    others.some((other) => other[name] !== undefined && other[name] !== facts[name]),
  )
  return differing.includes('SVC_SECRET') ? differing.filter((name) => name !== 'SVC_ADMIN_KEY') : differing
}
