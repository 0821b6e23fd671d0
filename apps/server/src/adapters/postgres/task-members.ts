import type { RoomStore } from '@ergon/core'
import type { Pool } from 'pg'

export function createTaskMembers(pool: Pool): RoomStore {
  return {
    async taskMembers(taskId, wallets) {
      const { rows } = await pool.query<{ wallet: string }>({
        name: 'task-members',
        text: `select publisher_wallet as wallet from tasks where id = $1 and publisher_wallet = any($2::text[])
          union
          select w.wallet from workers w where w.wallet = any($2::text[])
            and (exists (select 1 from tasks t where t.id = $1 and t.executor_id = w.id)
              or exists (select 1 from applications a
                where a.task_id = $1 and a.executor_id = w.id and a.status in ('pending', 'accepted')))`,
        values: [taskId, wallets],
      })
      return rows.map(({ wallet }) => wallet)
    },
  }
}
