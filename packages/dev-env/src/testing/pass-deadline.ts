import { queryDatabase } from './query-database.ts'

/** Lets the deadline of a task pass, which no operation does. */
export async function passDeadline(databaseUrl: string, taskId: string): Promise<void> {
  await queryDatabase(databaseUrl, "update tasks set deadline = now() - interval '1 second' where id = $1", [taskId])
}
