import type pg from 'pg'
import { overConnection } from './over-connection.ts'

export type DatabaseAdmin = {
  /** Creates a database, as a copy of `template` if named. Throws when it is there already. */
  createDatabase(name: string, template?: string): Promise<void>
  /** Drops a database and ends its sessions; silent when there is none. */
  dropDatabase(name: string): Promise<void>
  hasDatabase(name: string): Promise<boolean>
}

/** Works through one short connection per call, so that an idle constellation holds none. */
export function createAdmin(url: (database: string) => string): DatabaseAdmin & { close(): Promise<void> } {
  const open = new Set<pg.Client>()
  const query = (text: string, values: readonly string[] = []): Promise<number> =>
    overConnection(url('postgres'), async (client) => {
      open.add(client)
      try {
        return (await client.query(text, [...values])).rowCount ?? 0
      } finally {
        open.delete(client)
      }
    })
  return {
    createDatabase: async (name, template) => {
      await query(`CREATE DATABASE ${quote(name)}${template === undefined ? '' : ` TEMPLATE ${quote(template)}`}`)
    },
    dropDatabase: async (name) => {
      await query(`DROP DATABASE IF EXISTS ${quote(name)} WITH (FORCE)`)
    },
    hasDatabase: async (name) => (await query('SELECT 1 FROM pg_database WHERE datname = $1', [name])) > 0,
    close: async () => {
      await Promise.all([...open].map((client) => client.end()))
    },
  }
}

function quote(name: string): string {
  return `"${name.replaceAll('"', '""')}"`
}
