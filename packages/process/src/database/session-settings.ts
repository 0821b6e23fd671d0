/** A connection to a database, as far as it is needed here; those of `pg` are such. */
export type DatabaseLine = {
  query(text: string): Promise<{ readonly rows: readonly unknown[] }>
}

/** What every statement leans on, and what bounds it: a role and a database may have settings of their own. */
const everySession: Readonly<Record<string, string>> = {
  client_encoding: 'UTF8',
  timezone: 'UTC',
  datestyle: 'ISO, MDY',
  intervalstyle: 'postgres',
  bytea_output: 'hex',
  extra_float_digits: '1',
  standard_conforming_strings: 'on',
  array_nulls: 'on',
  // Unknown is never no: what a transaction saw when it began is not what it has to decide by.
  default_transaction_isolation: 'read committed',
  default_transaction_deferrable: 'off',
  // Whoever is cut by a time that others chose has a payment without its second half; the driver bounds each answer.
  lock_timeout: '0',
  idle_in_transaction_session_timeout: '0',
  idle_session_timeout: '0',
  transaction_timeout: '0',
}

/** A commit that was acknowledged outlives a crash. How far a standby is waited for stays with the operator. */
const durable = `set_config('synchronous_commit', case current_setting('synchronous_commit')
    when 'off' then 'on' else current_setting('synchronous_commit') end, false)`

/**
 * Makes a new connection independent of what role, database and cluster set, and of what the greeting brought, which a
 * pooler refuses or drops. Of the settings those are left out that this version of PostgreSQL does not know.
 */
export async function settleSession(line: DatabaseLine, own: Readonly<Record<string, string>> = {}): Promise<void> {
  await line.query(sessionSql({ ...everySession, ...own }))
}

// In front of what takes a plan: a time that others chose may be too short for this statement already. What is asked
// here is short, and never worth being compiled.
const atOnce = 'set statement_timeout = 0; set jit = off'

function sessionSql(settings: Readonly<Record<string, string>>): string {
  const rows = Object.entries(settings).map(([name, value]) => `('${name}', '${value}')`)
  return `${atOnce}; select ${durable}, (select count(set_config(name, value, false)) from (values ${rows.join(', ')})
    as wanted (name, value) where current_setting(name, true) is not null) as settled`
}
