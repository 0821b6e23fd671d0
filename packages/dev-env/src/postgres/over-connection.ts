import pg from 'pg'

/**
 * Lends one short connection to a local database. A server that dies while nothing is asked is told by the next
 * statement, which rejects: the driver's event, which nobody would hear, ends no process.
 */
export async function overConnection<T>(url: string, use: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client({ connectionString: url })
  client.on('error', () => undefined)
  try {
    await client.connect()
    return await use(client)
  } finally {
    await client.end()
  }
}
