import type { AccountTx } from '@ergon/core'
import type { TransactionLine } from './transaction-line.ts'

const over = "('completed', 'cancelled', 'expired')"
const moneyMoves = "('authorizing', 'authorized', 'releasing', 'refunding')"

/** Tasks of a publisher or a worker that are not over, and those it applied to; each part has an index of its own. */
const openTasks = `select id from tasks where publisher_wallet = $1 and status not in ${over}
  union select id from tasks where executor_id = $2 and status not in ${over}
  union select t.id from applications a join tasks t on t.id = a.task_id
    where a.executor_id = $2 and a.status = 'pending' and t.status not in ${over} order by id`

/** Forgetting an account within one transaction. Locks go task, worker, listing, as everywhere. */
export function createAccountTx(client: TransactionLine): AccountTx {
  return {
    async lockAccount({ wallet, executorId }) {
      await client.tell(
        `select id from tasks where id = any(array(${openTasks})) and status not in ${over} order by id for update`,
        [wallet, executorId],
      )
      if (executorId !== null) await client.query('select 1 from workers where id = $1 for no key update', [executorId])
      // A statement of its own: it must see what those that held the locks have committed.
      const { rows } = await client.query<{ id: string }>(
        `select id from tasks
          where (publisher_wallet = $1 or executor_id = $2)
            and (status not in ${over} or escrow_status in ${moneyMoves})
         union
         select s.task_id from settlements s join tasks t on t.id = s.task_id
         where s.status in ('claimed', 'in_doubt') and s.purpose <> 'fee'
           and (s.executor_id = $2 or t.executor_id = $2 or t.publisher_wallet = $1)
         order by id`,
        [wallet, executorId],
      )
      return rows.map(({ id }) => id)
    },
    async changeParty({ id, wallet }, party) {
      // An application refers to its worker: nobody applies as this one until this is over.
      await client.tell('select 1 from workers where id = $1 for update', [id])
      const { rows } = await client.query<{ id: string }>(openTasks, [wallet, id])
      if (rows.length === 0) await client.query('update workers set party = $2 where id = $1', [id, party])
      return rows.map((row) => row.id)
    },
    async anonymiseAccount({ wallet, executorId }, at) {
      if (executorId !== null) await blankWorker(client, executorId, at)
      await client.tell(
        `update dispute_statements x set statement = '', links = '{}' from disputes d, tasks t, submissions s
         where d.id = x.dispute_id and t.id = d.task_id and s.id = d.submission_id
           and ((x.side = 'publisher' and t.publisher_wallet = $1) or (x.side = 'worker' and s.executor_id = $2))`,
        [wallet, executorId],
      )
      await client.tell("update task_messages set text = '' where author = $1", [wallet])
      await client.tell('update reports set note = null where reporter = $1', [wallet])
      await client.tell('delete from task_words where author = $1', [wallet])
      await client.tell('delete from blocks where blocker = $1', [wallet])
      await client.tell("delete from operations where identity = $1 and state = 'done'", [wallet])
      await client.tell('delete from sessions where wallet = $1', [wallet])
      await client.tell('delete from webhooks where owner = $1', [wallet])
      // With a grant go its tokens: the gate asks for it.
      for (const table of ['linked_signer_requests', 'linked_signers', 'oauth_grants', 'oauth_sign_ins', 'oauth_audit'])
        await client.tell(`delete from ${table} where wallet = $1`, [wallet])
      await client.tell('delete from a2a_push_configs where wallet = $1', [wallet])
      await client.tell('delete from push_subscriptions where wallet = $1', [wallet])
      await client.tell('delete from mail_subscriptions where wallet = $1', [wallet])
      await client.tell('delete from saved_searches where wallet = $1', [wallet])
      await forgetPortfolio(client, wallet, executorId, at)
      // An order is nobody's from here on, and goes when the facilitator knows that it is over, or with its own end.
      await client.tell(
        "update standing_warrants set wallet = '', taken_back_due = coalesce(taken_back_due, now()) where wallet = $1",
        [wallet],
      )
    },
  }
}

/** Work is shown for as long as both sides are there; of a publisher that left nothing is asked again. */
async function forgetPortfolio(
  client: TransactionLine,
  wallet: string,
  executorId: string | null,
  at: Date,
): Promise<void> {
  await client.tell('delete from portfolio_pieces where executor_id = $1', [executorId])
  await client.tell(
    `delete from portfolio_pictures c using portfolio_pieces p where p.publisher = $1 and c.piece_id = p.id`,
    [wallet],
  )
  await client.tell("update portfolio_pieces set state = 'declined', answered_at = $2 where publisher = $1", [
    wallet,
    at,
  ])
}

async function blankWorker(client: TransactionLine, executorId: string, at: Date): Promise<void> {
  await client.tell(
    `update workers
      set display_name = null, bio = null, avatar_url = null, picture = null, agent_card_url = null,
        mcp_endpoint_url = null, capabilities = null, pricing = null,
       solana_payout_address = null, anonymised_at = $2 where id = $1`,
    [executorId, at],
  )
  await client.tell(
    `update applications set message = null, status = case status when 'pending' then 'withdrawn' else status end
      where executor_id = $1`,
    [executorId],
  )
  await client.tell('update submissions set notes = null, device = null where executor_id = $1', [executorId])
  await client.tell('delete from worker_pictures where executor_id = $1', [executorId])
  await client.tell('delete from position_receipts where executor_id = $1', [executorId])
  await client.tell(
    `update listings
      set availability = 'paused', title = 'Removed', description = 'Removed by its seller.', skills = '{}',
        updated_at = $2 where seller_executor_id = $1`,
    [executorId, at],
  )
}
