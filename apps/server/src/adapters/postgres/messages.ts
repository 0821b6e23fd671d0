import type { Message, MessageStore, MessageTx, Question } from '@ergon/core'
import type { Pool } from 'pg'
import { countedBy, namedRows } from './named-rows.ts'
import { pageOf } from './page-of.ts'
import type { TransactionLine } from './transaction-line.ts'

type MessageRow = {
  id: string
  task_id: string
  audience: Message['audience']
  executor_id: string
  side: Message['side']
  author: string
  text: string
  answers: string | null
  created_at: Date
}

type Day = { in_day: bigint; day_began: Date | null }
type AskedRow = Day & { in_task: bigint; unanswered: bigint; by_worker: bigint }

const toMessage = (row: MessageRow): Message => ({
  id: row.id,
  taskId: row.task_id,
  audience: row.audience,
  executorId: row.executor_id,
  side: row.side,
  author: row.author,
  text: row.text,
  answers: row.answers,
  createdAt: row.created_at,
})

const dayOf = (row: Day | undefined): { readonly inDay: number; readonly dayBegan: Date | null } => ({
  inDay: Number(row?.in_day ?? 0n),
  dayBegan: row?.day_began ?? null,
})

const asked = "task_messages where task_id = $1 and audience = 'public' and answers is null"
const answersTo = 'select * from task_messages where answers = any($1::uuid[])'

function toQuestion(row: MessageRow, answers: readonly MessageRow[]): Question {
  const answer = answers.find((one) => one.answers === row.id)
  return { ...toMessage(row), answer: answer === undefined ? null : toMessage(answer) }
}

/** What is said about a task (decision 0232); ids are UUIDv7, so the newest comes first by its key. */
export function createMessages(pool: Pool): MessageStore {
  const all = namedRows(pool)
  const counted = countedBy(all)
  return {
    async messages({ taskId, audience, executorId }, page) {
      const [name, own, of] =
        executorId === null ? ['of-task', '', []] : ['of-thread', ' and executor_id = $3', [executorId]]
      const where = `task_messages where task_id = $1 and audience = $2${own}`
      const given = [taskId, audience, ...of]
      const [cursor, limit, offset] = [1, 2, 3].map((place) => `$${String(given.length + place)}`)
      const [total, rows] = await Promise.all([
        counted(`messages-${name}-count`, where, given),
        all<MessageRow>(
          `messages-${name}`,
          `select * from ${where} and (${cursor}::uuid is null or id < ${cursor})
            order by id desc limit ${limit} offset ${offset}`,
          [...given, page.cursor, page.limit + 1, page.cursor === null ? page.offset : 0],
        ),
      ])
      return pageOf(rows, total, page, toMessage)
    },
    async questions(taskId, page) {
      const [total, rows] = await Promise.all([
        counted('questions-count', asked, [taskId]),
        all<MessageRow>(
          'questions',
          `select * from ${asked} and ($2::uuid is null or id < $2) order by id desc limit $3 offset $4`,
          [taskId, page.cursor, page.limit + 1, page.cursor === null ? page.offset : 0],
        ),
      ])
      const answers = await all<MessageRow>('answers', answersTo, [rows.map(({ id }) => id)])
      return pageOf(rows, total, page, (row) => toQuestion(row, answers))
    },
  }
}

export function createMessageTx(client: TransactionLine): MessageTx {
  return {
    async insertMessage(one) {
      await client.tell(
        `insert into task_messages (id, task_id, audience, executor_id, side, author, text, answers, created_at)
          values ($1, $2, $3, $4, $5, $6, $7, $8, $9)`,
        [one.id, one.taskId, one.audience, one.executorId, one.side, one.author, one.text, one.answers, one.createdAt],
      )
    },
    async question(taskId, id) {
      const { rows } = await client.query<MessageRow>(`select * from ${asked} and id = $2`, [taskId, id])
      const [row] = rows
      if (row === undefined) return null
      return toQuestion(row, (await client.query<MessageRow>(answersTo, [[id]])).rows)
    },
    async asked({ taskId, executorId, author }, since) {
      const { rows } = await client.query<AskedRow>(
        `select count(q.id) as in_task, count(q.id) filter (where a.id is null) as unanswered,
            count(*) filter (where q.executor_id = $2) as by_worker, min(d.count) as in_day, min(d.began) as day_began
          from (select count(*) as count, min(created_at) as began from task_messages
              where author = $3 and created_at > $4 and audience = 'public' and side = 'worker') d
            left join task_messages q on q.task_id = $1 and q.audience = 'public' and q.answers is null
            left join task_messages a on a.answers = q.id`,
        [taskId, executorId, author, since],
      )
      const [row] = rows
      return {
        inTask: Number(row?.in_task ?? 0n),
        unanswered: Number(row?.unanswered ?? 0n),
        byWorker: Number(row?.by_worker ?? 0n),
        ...dayOf(row),
      }
    },
    async said({ taskId, audience, executorId, author }, since) {
      const { rows } = await client.query<Day & { in_thread: bigint }>(
        `select (select count(*) from task_messages
              where task_id = $1 and audience = $2 and executor_id = $3) as in_thread,
            count(*) as in_day, min(created_at) as day_began
          from task_messages where author = $4 and created_at > $5`,
        [taskId, audience, executorId, author, since],
      )
      return { inThread: Number(rows[0]?.in_thread ?? 0n), ...dayOf(rows[0]) }
    },
  }
}
