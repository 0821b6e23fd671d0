import { randomBytes, randomUUID } from 'node:crypto'
import { toBase58 } from '@ergon/protocols'
import type pg from 'pg'

export type BoundChannel = { readonly taskId: string; readonly channelId: string }

const limitAtomic = 10_000_000_000_000n

/** Metered tasks of a publisher with channels that hold enough, written as the engine binds them. */
export async function bindChannels(database: pg.Client, publisher: string, count: number): Promise<BoundChannel[]> {
  const executorId = randomUUID()
  await database.query("insert into workers (id, wallet, party, created_at) values ($1, $2, 'agent', now())", [
    executorId,
    `0x${randomBytes(20).toString('hex')}`,
  ])
  const made: BoundChannel[] = []
  for (let at = 0; at < count; at += 1) {
    const one = { taskId: randomUUID(), channelId: toBase58(randomBytes(32)) }
    await database.query(insertTask, [one.taskId, publisher.toLowerCase(), executorId])
    await database.query("insert into meter_terms values ($1, 'scan', 1, $2)", [one.taskId, limitAtomic])
    await database.query(insertChannel, [one.channelId, one.taskId, executorId, limitAtomic, toBase58(randomBytes(32))])
    made.push(one)
  }
  return made
}

const insertTask = `insert into tasks (id, status, title, instructions, category, bounty_atomic, token, network,
    decimals, deadline, publisher_wallet, publisher_type, publisher_agent_id, target, executor_id, evidence_required,
    evidence_optional, min_reputation, escrow_status, created_at, updated_at)
  values ($1, 'accepted', 'Count the boats', 'Scan the harbour and count every boat.', 'data_collection', 1000000,
    'USDC', 'solana', 6, now() + interval '1 day', $2, 'agent', 1, 'any', $3, '{text_response}', '{}', 0, 'none',
    now(), now())`

/** Nothing of them is on the ledger, so nobody looks there while ticks are measured. */
const insertChannel = `insert into channels (id, task_id, executor_id, network, token, decimals, payer, payee, worker,
    voucher_signer, status, unit, price_atomic, limit_atomic, deposit_atomic, measured, cumulative_atomic,
    measured_until, vouchers, bound_at, updated_at, due_at, audit_due_at)
  values ($1, $2, $3, 'solana', 'USDC', 6, $5, $5, $5, 'operator', 'open', 'scan', 1, $4, $4, 0, 0, now(), 0, now(),
    now(), now() + interval '1 day', now() + interval '1 day')`
