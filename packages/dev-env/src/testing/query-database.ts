import { overConnection } from '../postgres/over-connection.ts'

/** Asks a local database over a connection of its own, for what a test has to bring about and no operation does. */
export function queryDatabase(
  url: string,
  text: string,
  values: readonly unknown[] = [],
): Promise<readonly Readonly<Record<string, unknown>>[]> {
  return overConnection(url, async (client) => (await client.query<Record<string, unknown>>(text, [...values])).rows)
}
