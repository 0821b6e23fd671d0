import type { Pool } from 'pg'

/** Rows that wait for their time. `isOpen` is an SQL condition of rows that still have one. */
type Queue = {
  readonly name: string
  readonly table: string
  readonly keys: readonly (readonly [column: string, type: string])[]
  readonly due: string
  readonly isOpen: string
}

export const queues = {
  sweeps: { name: 'sweeps', table: 'sweeps', keys: [['id', 'uuid']], due: 'due_at', isOpen: "q.status = 'open'" },
  ratings: { name: 'ratings', table: 'ratings', keys: [['id', 'uuid']], due: 'due_at', isOpen: "q.status = 'due'" },
  verifications: {
    name: 'verifications',
    table: 'submissions',
    keys: [['id', 'uuid']],
    due: 'verification_due_at',
    isOpen: 'true',
  },
  deliveries: {
    name: 'deliveries',
    table: 'webhook_deliveries',
    keys: [['id', 'uuid']],
    due: 'due_at',
    isOpen: "q.status = 'pending'",
  },
  pushes: {
    name: 'pushes',
    table: 'a2a_push_configs',
    keys: [
      ['task_id', 'uuid'],
      ['wallet', 'text'],
      ['config_id', 'text'],
    ],
    due: 'due_at',
    isOpen: 'true',
  },
  subscriptions: {
    name: 'subscriptions',
    table: 'push_subscriptions',
    keys: [['id', 'uuid']],
    due: 'due_at',
    isOpen: 'true',
  },
  mails: { name: 'mails', table: 'mail_subscriptions', keys: [['id', 'uuid']], due: 'due_at', isOpen: 'true' },
  uploads: { name: 'uploads', table: 'uploads', keys: [['key', 'text']], due: 'purge_at', isOpen: 'true' },
  cursors: {
    name: 'cursors',
    table: 'event_cursors',
    keys: [
      ['name', 'text'],
      ['holder', 'text'],
    ],
    due: 'held_until',
    isOpen: 'true',
  },
} as const satisfies Readonly<Record<string, Queue>>

/** A lease on one row: what it is known by, in the order of its queue, and until when it was written. */
export type HeldRow = { readonly keys: readonly string[]; readonly due: Date }

/** With the pause of the loops this is how long the duties of a killed process wait for another one. */
export const leaseMs = 7_000
const renewEveryMs = 2_000

/** How far a lease is written, of work that may take until then: the rest is added while its process lives. */
export function firstLease(now: Date, until: Date): Date {
  return new Date(Math.min(until.getTime(), now.getTime() + leaseMs))
}

export type LeaseKeeper = {
  /** Renews these for as long as the work may take; a row that was finished or taken over meanwhile is let go. */
  keep(queue: Queue, rows: readonly HeldRow[], forMs: number): void
}

type Kept = HeldRow & { readonly endsAt: number }

const keepers = new WeakMap<Pool, LeaseKeeper>()

/** The keeper of a pool. */
export function leaseKeeperOf(pool: Pool): LeaseKeeper {
  const known = keepers.get(pool)
  if (known !== undefined) return known
  const made = createLeaseKeeper(pool)
  keepers.set(pool, made)
  return made
}

/** For stores that are compared step by step: what a lease was written with stays until it is written again. */
export function keepNoLeases(pool: Pool): void {
  keepers.set(pool, { keep: () => undefined })
}

/**
 * Leases are short, so that what a killed process held is soon taken over, and are renewed while it lives, so that work
 * may take its time (decision 0117). A row is renewed only as it was left: whoever finishes it or takes it over writes
 * another time.
 */
function createLeaseKeeper(pool: Pool): LeaseKeeper {
  const held = new Map<Queue, readonly Kept[]>()
  let timer: NodeJS.Timeout | undefined
  let renewedAt = 0
  const plan = (): void => {
    if (timer !== undefined || held.size === 0) return
    renewedAt = performance.now()
    timer = setTimeout(() => {
      void renewAll().then(() => {
        timer = undefined
        plan()
      })
    }, renewEveryMs).unref()
  }
  const renewAll = async (): Promise<void> => {
    const now = performance.now()
    const byMs = now - renewedAt
    const round = [...held].map(([queue, rows]) => [queue, rows.filter(({ endsAt }) => endsAt > now)] as const)
    held.clear()
    await Promise.all(
      round.map(async ([queue, rows]) => {
        // A renewal that fails lets go: the row is taken up again when its lease is over.
        const left = rows.length === 0 ? [] : await renew(pool, queue, rows, byMs).catch(() => [])
        if (left.length > 0) held.set(queue, [...left, ...(held.get(queue) ?? [])])
      }),
    )
  }
  return {
    keep(queue, rows, forMs) {
      if (rows.length === 0) return
      const endsAt = performance.now() + forMs - leaseMs
      held.set(queue, [...(held.get(queue) ?? []), ...rows.map((row) => ({ ...row, endsAt }))])
      plan()
    },
  }
}

async function renew(pool: Pool, queue: Queue, rows: readonly Kept[], byMs: number): Promise<readonly Kept[]> {
  const { name, table, keys, due, isOpen } = queue
  const isSame = keys.map(([column]) => `q.${column} = h.${column}`).join(' and ')
  const columns = keys.map((_, index) => rows.map((row) => row.keys[index]))
  const result = await pool.query<{ key: string[]; due: Date }>({
    name: `lease-renew-${name}`,
    // Whoever writes several rows at once locks them in the order of their keys: two never wait for one another.
    text: `with held as (
        select ${keys.map(([column]) => `h.${column}`).join(', ')}, h.due as held_due
        from unnest(${keys.map(([, type], index) => `$${String(index + 1)}::${type}[]`).join(', ')},
          $${String(keys.length + 1)}::timestamptz[]) as h (${keys.map(([column]) => column).join(', ')}, due)
        join ${table} q on ${isSame}
        order by ${keys.map(([column]) => `q.${column}`).join(', ')} for no key update of q
      )
      update ${table} q set ${due} = h.held_due + $${String(keys.length + 2)} * interval '1 millisecond' from held h
      where ${isSame} and q.${due} = h.held_due and ${isOpen}
      returning array[${keys.map(([column]) => `q.${column}::text`).join(', ')}] as key, q.${due} as due`,
    values: [...columns, rows.map((row) => row.due), Math.round(byMs)],
  })
  const renewed = new Map(result.rows.map((row) => [row.key.join(' '), row.due]))
  return rows.flatMap((row): readonly Kept[] => {
    const dueNow = renewed.get(row.keys.join(' '))
    return dueNow === undefined ? [] : [{ ...row, due: dueNow }]
  })
}
