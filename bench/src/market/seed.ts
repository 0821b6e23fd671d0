import type { Client } from 'pg'

/** Rising ids as the service makes them (UUIDv7: 48 bits of time first), a minute apart, the last one just now. */
const insert = `insert into tasks (id, status, title, instructions, category, bounty_atomic, token, network, decimals,
  deadline, publisher_wallet, publisher_type, publisher_agent_id, target, evidence_required, evidence_optional,
  location_hint, min_reputation, escrow_status, created_at, updated_at)
select (substr(ms, 1, 8) || '-' || substr(ms, 9, 4) || '-7' || substr(noise, 1, 3)
    || '-8' || substr(noise, 4, 3) || '-' || substr(noise, 7, 12))::uuid,
  'published', 'Photo of the corner of street ' || n,
  repeat('Take a photo of the shop window at noon. ', 6), 'physical_presence',
  100000 + n % 1000 * 10000, 'USDC', 'localnet', 6,
  now() + interval '7 days', '0x' || substr(md5((n % 1000)::text), 1, 8) || md5((n % 1000)::text),
  'agent', n % 1000, 'any',
  '{photo,text_response}', '{}', 'Old town', 0, 'pending_assignment',
  at, at
from (select n, at, lpad(to_hex((extract(epoch from at) * 1000)::bigint), 12, '0') as ms, md5(n::text) as noise
  from (select n, now() - ($1::int - n) * interval '1 minute' as at from generate_series(1, $1::int) n) t) s`

/** Fills the market with open tasks of a thousand publishers; answers ids spread over all of them. */
export async function seedTasks(client: Client, count: number): Promise<readonly string[]> {
  await client.query(insert, [count])
  await client.query('vacuum analyze tasks')
  const { rows } = await client.query<{ id: string }>(
    'select id from (select id, row_number() over (order by id) as n from tasks) t where n % 97 = 50',
  )
  return rows.map(({ id }) => id)
}
