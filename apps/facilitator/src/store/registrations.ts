import type { Address, Hex } from '@ergon/protocols'
import type { Pool } from 'pg'
import { Unavailable } from '../errors.ts'

export type Metadata = readonly { readonly key: string; readonly value: Hex }[]

/** An agent on its way into the registry: minted here, then handed to its recipient. */
export type Registration = {
  readonly id: string
  readonly network: string
  readonly agentUri: string
  readonly metadata: Metadata
  readonly recipient: Address | null
  readonly idempotencyKey: string | null
  readonly requestHash: string
  readonly status: 'pending' | 'mint_confirmed' | 'done' | 'failed'
  readonly agentId: string | null
  readonly mintTransaction: Hex | null
  readonly transferTransaction: Hex | null
  readonly error: string | null
}

export type NewRegistration = Pick<Registration, 'network' | 'agentUri' | 'metadata' | 'recipient' | 'idempotencyKey' | 'requestHash'>
export type RegistrationChange = Partial<Pick<Registration, 'status' | 'agentId' | 'mintTransaction' | 'transferTransaction' | 'error'>>

export type RegistrationStore = {
  /** Undefined when the same registration is in flight. */
  insert(registration: NewRegistration & { readonly id: string }): Promise<Registration | undefined>
  find(id: string): Promise<Registration | undefined>
  findKeyed(idempotencyKey: string): Promise<Registration | undefined>
  update(id: string, change: RegistrationChange): Promise<Registration>
  unfinished(): Promise<Registration[]>
}

const columns = `id, network, agent_uri as "agentUri", metadata, recipient, idempotency_key as "idempotencyKey", request_hash as "requestHash", status,
  agent_id as "agentId", mint_transaction as "mintTransaction", transfer_transaction as "transferTransaction", error`

export function createRegistrationStore(pool: Pool): RegistrationStore {
  const query = async (text: string, values: readonly unknown[]): Promise<Registration[]> => {
    try {
      return (await pool.query<Registration>(text, [...values])).rows
    } catch (cause) {
      throw new Unavailable('store_unavailable', 'the settlement store does not answer', { status: 503, cause })
    }
  }
  return {
    async insert(registration) {
      const rows = await query(`insert into registrations (id, network, agent_uri, metadata, recipient, idempotency_key, request_hash, status)
        values ($1, $2, $3, $4, $5, $6, $7, 'pending') on conflict do nothing returning ${columns}`,
      [registration.id, registration.network, registration.agentUri, JSON.stringify(registration.metadata), registration.recipient,
        registration.idempotencyKey, registration.requestHash])
      return rows[0]
    },
    async find(id) {
      return (await query(`select ${columns} from registrations where id = $1`, [id]))[0]
    },
    async findKeyed(idempotencyKey) {
      return (await query(`select ${columns} from registrations where idempotency_key = $1 and status <> 'failed'`, [idempotencyKey]))[0]
    },
    async update(id, change) {
      const rows = await query(`update registrations set status = coalesce($2, status), agent_id = coalesce($3, agent_id),
        mint_transaction = coalesce($4, mint_transaction), transfer_transaction = coalesce($5, transfer_transaction), error = $6
        where id = $1 returning ${columns}`,
      [id, change.status ?? null, change.agentId ?? null, change.mintTransaction ?? null, change.transferTransaction ?? null, change.error ?? null])
      const [row] = rows
      if (row === undefined) throw new Error(`registration ${id} is gone`)
      return row
    },
    unfinished: () => query(`select ${columns} from registrations where status in ('pending', 'mint_confirmed') order by created_at`, []),
  }
}
