import pg from 'pg'

/** Asks a local database over a connection of its own, for what a test has to bring about and no operation does. */
export async function queryDatabase(
  url: string,
  text: string,
  values: readonly unknown[] = [],
): Promise<readonly Readonly<Record<string, unknown>>[]> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    return (await client.query<Record<string, unknown>>(text, [...values])).rows
  } finally {
    await client.end()
  }
}
