import pg from 'pg'

/** What a statement read, table by table, when it ran. */
export type Reading = {
  readonly text: string
  /** Pages of 8 KiB that it touched, in memory or on disk. */
  readonly pages: number
  /** The most rows that one scan of it looked at, and of what. */
  readonly rows: number
  readonly table: string
}

type Plan = {
  readonly 'Relation Name'?: string
  readonly 'Actual Rows'?: number
  readonly 'Actual Loops'?: number
  readonly 'Rows Removed by Filter'?: number
  readonly 'Rows Removed by Index Recheck'?: number
  readonly 'Shared Hit Blocks'?: number
  readonly 'Shared Read Blocks'?: number
  readonly Plans?: readonly Plan[]
}

/** Has the database send the plan of every statement that it runs, those within triggers included. */
export async function sendPlans(databaseUrl: string): Promise<void> {
  const settings = {
    session_preload_libraries: 'auto_explain',
    'auto_explain.log_min_duration': '0',
    'auto_explain.log_analyze': 'on',
    'auto_explain.log_timing': 'off',
    'auto_explain.log_buffers': 'on',
    'auto_explain.log_nested_statements': 'on',
    'auto_explain.log_format': 'json',
    'auto_explain.log_level': 'notice',
  }
  const client = new pg.Client({ connectionString: databaseUrl })
  await client.connect()
  try {
    const name = (await client.query<{ name: string }>('select current_database() as name')).rows[0]?.name ?? ''
    await client.query("load 'auto_explain'")
    for (const [key, value] of Object.entries(settings))
      await client.query(`alter database ${pg.escapeIdentifier(name)} set ${key} = ${pg.escapeLiteral(value)}`)
  } finally {
    await client.end()
  }
}

/** Hears the plans on every connection that this process opens from now on. */
export function watchPlans(heard: (reading: Reading) => void): Disposable {
  const prototype = pg.Client.prototype
  // The driver has no other place where each new connection passes.
  const connect = Object.getOwnPropertyDescriptor(prototype, 'connect')?.value as (...args: unknown[]) => unknown
  Object.assign(prototype, {
    connect(this: pg.Client, ...args: unknown[]) {
      this.on('notice', ({ message }) => {
        const plan = message?.indexOf('plan:\n') ?? -1
        if (message !== undefined && plan >= 0) heard(readingOf(message.slice(plan + 'plan:\n'.length)))
      })
      return connect.apply(this, args)
    },
  })
  return { [Symbol.dispose]: () => Object.assign(prototype, { connect }) }
}

function readingOf(json: string): Reading {
  // As `EXPLAIN (FORMAT JSON)` documents it.
  const { Plan: root, 'Query Text': text } = JSON.parse(json) as { readonly Plan: Plan; readonly 'Query Text': string }
  const most = { rows: 0, table: '' }
  const visit = (plan: Plan): void => {
    const each =
      (plan['Actual Rows'] ?? 0) + (plan['Rows Removed by Filter'] ?? 0) + (plan['Rows Removed by Index Recheck'] ?? 0)
    const rows = each * (plan['Actual Loops'] ?? 1)
    const table = plan['Relation Name']
    if (table !== undefined && rows > most.rows) Object.assign(most, { rows, table })
    plan.Plans?.forEach(visit)
  }
  visit(root)
  return { text, pages: (root['Shared Hit Blocks'] ?? 0) + (root['Shared Read Blocks'] ?? 0), ...most }
}
