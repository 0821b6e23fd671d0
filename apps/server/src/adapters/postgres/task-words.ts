import type { TaskWords, WordsStore, WordsTx } from '@ergon/core'
import type { ReadingLine } from './reading-line.ts'
import type { TransactionLine } from './transaction-line.ts'

type WordsRow = {
  readonly kind: TaskWords['kind']
  readonly author: string
  readonly executor_id: string | null
  readonly wallet: string | null
  readonly words: string
  readonly at: Date
}

/** What was written with the moves of a task. */
export function createTaskWords(line: ReadingLine): WordsStore {
  return {
    async taskWords(taskId) {
      const { rows } = await line.query<WordsRow>({
        name: 'task-words',
        text: `select x.kind, x.author, x.executor_id, w.wallet, x.words, x.at
          from task_words x left join workers w on w.id = x.executor_id where x.task_id = $1 order by x.at`,
        values: [taskId],
      })
      return rows.map(toWords)
    },
  }
}

const toWords = ({ kind, author, executor_id, wallet, words, at }: WordsRow): TaskWords => ({
  kind,
  author,
  worker: executor_id === null || wallet === null ? null : { id: executor_id, wallet },
  text: words,
  at,
})

export function createTaskWordsTx(client: TransactionLine): WordsTx {
  return {
    ...createTaskWords(client),
    async putTaskWords(taskId, { kind, executorId, author, text, at }) {
      if (text === null) {
        await client.tell(
          `delete from task_words
           where task_id = $1 and kind = $2 and coalesce(executor_id, task_id) = coalesce($3, $1)`,
          [taskId, kind, executorId],
        )
        return
      }
      await client.tell(
        `insert into task_words (task_id, kind, executor_id, author, words, at) values ($1, $2, $3, $4, $5, $6)
         on conflict (task_id, kind, coalesce(executor_id, task_id))
         do update set author = excluded.author, words = excluded.words, at = excluded.at`,
        [taskId, kind, executorId, author, text, at],
      )
    },
  }
}
