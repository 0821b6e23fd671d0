import type { Pool } from 'pg'
import { ask, isTaken } from './ask.ts'
import { registrationKey, type Registration, type RegistrationStore } from './registrations.ts'

const columns = `id, network, agent_uri as "agentUri", metadata, recipient, idempotency_key as "idempotencyKey",
  request_hash as "requestHash", status,
  agent_id as "agentId", mint_transaction as "mintTransaction", transfer_transaction as "transferTransaction", error`

const insertSql = `
  with held as (select epoch from account_leases where account = $8 and epoch = $9 for share),
  written as (
    insert into registrations (id, network, agent_uri, metadata, recipient, idempotency_key, request_hash, status)
    select $1::uuid, $2, $3, $4::jsonb, $5, $6, $7, 'pending' from held on conflict do nothing returning *),
  keyed as (
    insert into request_keys (key, request_hash, registration_id) select $10::text, request_hash, id from written
    where $10::text is not null)
  select (select count(*)::int from held) as held, ${columns} from (select 1) as one left join written on true`

export function createRegistrationStore(pool: Pool): RegistrationStore {
  const query = (name: string, text: string, values: readonly unknown[]): Promise<Registration[]> =>
    ask<Registration>(pool, name, text, values)
  return {
    insert: (registration, account, epoch) => insert(pool, registration, account, epoch),
    async fence(id) {
      await query(
        'registrations-fence',
        `insert into registrations (id, network, agent_uri, status) values ($1, '', '', 'void')
        on conflict (id) do nothing`,
        [id],
      )
      return (
        await query('registrations-find', `select ${columns} from registrations where id = $1 and status <> 'void'`, [
          id,
        ])
      )[0]
    },
    async find(id) {
      return (
        await query('registrations-find', `select ${columns} from registrations where id = $1 and status <> 'void'`, [
          id,
        ])
      )[0]
    },
    async update(id, change) {
      const rows = await query(
        'registrations-update',
        `update registrations set status = coalesce($2, status), agent_id = coalesce($3, agent_id),
        mint_transaction = coalesce($4, mint_transaction), transfer_transaction = coalesce($5, transfer_transaction),
        error = $6
        where id = $1 returning ${columns}`,
        [
          id,
          change.status ?? null,
          change.agentId ?? null,
          change.mintTransaction ?? null,
          change.transferTransaction ?? null,
          change.error ?? null,
        ],
      )
      const [row] = rows
      if (row === undefined) throw new Error(`registration ${id} is gone`)
      return row
    },
    async withdraw(id, error) {
      await query(
        'registrations-withdraw',
        `with freed as (delete from request_keys where registration_id = $1)
        update registrations set status = 'failed', error = $2 where id = $1`,
        [id, error],
      )
    },
    unfinished: () =>
      query(
        'registrations-unfinished',
        `select ${columns} from registrations
      where status in ('pending', 'mint_confirmed') order by created_at`,
        [],
      ),
  }
}

async function insert(
  pool: Pool,
  registration: Parameters<RegistrationStore['insert']>[0],
  account: string,
  epoch: number,
): ReturnType<RegistrationStore['insert']> {
  const { id, network, agentUri, metadata, recipient, idempotencyKey, requestHash } = registration
  try {
    const [answer] = await ask<{ held: number } & (Registration | { id: null })>(
      pool,
      'registrations-insert',
      insertSql,
      [
        id,
        network,
        agentUri,
        JSON.stringify(metadata),
        recipient,
        idempotencyKey,
        requestHash,
        account.toLowerCase(),
        epoch,
        idempotencyKey === null ? null : registrationKey(idempotencyKey),
      ],
    )
    if (answer === undefined || answer.held === 0) return 'fenced'
    const { held: _, ...row } = answer
    return row.id === null ? 'in_flight' : row
  } catch (error) {
    if (isTaken(error)) return 'conflict'
    throw error
  }
}
