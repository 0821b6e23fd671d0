import type { Fields } from './transport.ts'

/** What must differ from one call to the next: each is compared as being there, by its kind. */
const volatile: Readonly<Record<string, string>> = {
  id: 'an id',
  task_id: 'an id',
  session_id: 'an id',
  submission_id: 'an id',
  executor_id: 'an id',
  application_id: 'an id',
  dispute_id: 'an id',
  feedback_id: 'an id',
  request_id: 'an id',
  ref: 'an id',
  escrow_id: 'an id',
  created_at: 'a time',
  updated_at: 'a time',
  deadline: 'a time',
  submitted_at: 'a time',
  assigned_at: 'a time',
  accepted_at: 'a time',
  approved_at: 'a time',
  completed_at: 'a time',
  published_at: 'a time',
  applied_at: 'a time',
  reviewed_at: 'a time',
  resolved_at: 'a time',
  cancelled_at: 'a time',
  verified_at: 'a time',
  evidence_accessed_at: 'a time',
  escrow_tx: 'a transaction',
  payment_tx: 'a transaction',
  refund_tx: 'a transaction',
  fee_tx: 'a transaction',
  escrow_release_tx: 'a transaction',
  transaction_hash: 'a transaction',
  upload_url: 'a signed link',
  expires_at: 'a time',
  ends_at: 'a time',
  by: 'a time',
  opened_at: 'a time',
  closing_at: 'a time',
  channel_id: 'a channel',
  channelId: 'a channel',
  delivery_id: 'an id',
  payer: 'an address',
  buyer_wallet: 'an address',
  worker: 'an address',
  recipient: 'an address',
  signature: 'a signature',
  settlement_tx: 'a transaction',
  transaction: 'a transaction',
}

/** Texts that name ids: where to fetch what has to be signed, and where a file goes. */
const namesIds: ReadonlySet<string> = new Set(['challenge', 'key', 'public_url', 'memo'])
const uuid = /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/g

/** What a protocol says beside the answer, in its own words: how a wallet gives the signature that was missing. */
const isBeside = (name: string, value: unknown): boolean =>
  name === 'wallet_action' || (name === 'challenge' && typeof value === 'object')

/** An answer as it is compared: the same but for ids, times and transactions. */
export function normalised(body: Fields): unknown {
  return walk(Object.fromEntries(Object.entries(body).filter(([name, value]) => !isBeside(name, value))))
}

function walk(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(walk)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value).map(([name, one]) => {
      if (namesIds.has(name) && typeof one === 'string') return [name, one.replaceAll(uuid, 'an id')]
      const kind = one === null ? undefined : volatile[name]
      return [name, kind ?? walk(one)]
    }),
  )
}
