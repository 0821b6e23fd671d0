import { Client } from 'pg'

type Row = Readonly<Record<string, unknown>>

/** Asks a test's database over a connection of its own. */
export async function queryDatabase(
  url: string,
  text: string,
  values: readonly unknown[] = [],
): Promise<readonly Row[]> {
  const client = new Client({ connectionString: url })
  client.on('error', () => undefined)
  await client.connect()
  try {
    return (await client.query<Row>(text, [...values])).rows
  } finally {
    await client.end()
  }
}
