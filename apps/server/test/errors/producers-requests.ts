import { anArbiter, offered, unsignedRuling } from '../http/live-offers.ts'
import { expect } from 'vitest'
import { send } from '../dispatch/send.ts'
import { authority, signed } from '../dispatch/tiny-service.ts'
import { aTask, eventually, expectStatus } from '../http/live-market.ts'
import { photo } from '../files/photos.ts'
import type { Bench } from './bench.ts'
import type { Producers } from './producers.ts'

export const nothing = '01890a5d-ac96-774b-bcce-b302099a8057'
const taskWith =
  (change: Record<string, unknown>) =>
  ({ publisher }: Bench) =>
    publisher.call('POST', '/api/v1/tasks', aTask(change))

/** What is wrong with a request as it is, and what is not there. */
export const requestProducers = {
  MALFORMED_BODY: ({ publisher }) => publisher.call('POST', '/api/v1/tasks', '{'),
  METHOD_NOT_ALLOWED: ({ publisher }) => publisher.call('PUT', '/api/v1/tasks', aTask()),
  UNSUPPORTED_MEDIA_TYPE: ({ publisher }) =>
    publisher.call('POST', '/api/v1/tasks', JSON.stringify(aTask()), { 'content-type': 'text/plain' }),
  request_body_too_large: ({ publisher }) =>
    publisher.call('POST', '/api/v1/tasks', aTask({ instructions: 'x'.repeat(1_048_577) })),
  VALIDATION_FAILED: taskWith({ title: 'No' }),
  UNKNOWN_FIELD: taskWith({ bounty: 5 }),
  INVALID_BOUNTY: taskWith({ bounty_usd: 0.001 }),
  sell_intent_rejected: taskWith({
    title: 'I will build your website',
    instructions: 'I offer to build your website for this price, hire me today.',
  }),
  NETWORK_NOT_ACCEPTED: taskWith({ payment_network: 'base' }),
  async NETWORK_CLOSED(bench) {
    const close = (value: string) =>
      bench.admin('PUT', '/api/v1/admin/config', { key: 'networks.closed', value, reason: 'The token lost its peg.' })
    await close('localnet')
    const reply = await taskWith({})(bench)
    await close('')
    return reply
  },
  TOKEN_NOT_ACCEPTED: taskWith({ payment_token: 'EURC' }),
  NOT_WIRED: ({ strict, publisher }) => strict.known(publisher).call('POST', `/api/v1/tasks/${nothing}/tick`, {}),
  price_mismatch: async (bench) =>
    bench.publisher.call('POST', `/api/v1/services/${await posted(bench)}/order`, { bounty_usd_override: 2 }),
  OWN_LISTING: async (bench) => bench.worker.call('POST', `/api/v1/services/${await posted(bench)}/order`, {}),
  async LISTING_PAUSED(bench) {
    const id = await posted(bench)
    expectStatus(await bench.worker.call('PATCH', `/api/v1/services/${id}`, { availability: 'paused' }), 200)
    return bench.publisher.call('POST', `/api/v1/services/${id}/order`, {})
  },
  async LISTING_CAP_REACHED({ market }) {
    const seller = await market.party(0n)
    for (let count = 0; count < 20; count += 1) expectStatus(await seller.call('POST', '/api/v1/services', offer), 201)
    return seller.call('POST', '/api/v1/services', offer)
  },
  CONFIG_NOT_CHANGEABLE: ({ admin }) =>
    admin('PUT', '/api/v1/admin/config', { key: 'fee_bps', value: 1, reason: 'It is asked for.' }),
  async IDEMPOTENCY_KEY_REUSED({ publisher }) {
    expectStatus(await publisher.call('POST', '/api/v1/tasks', aTask(), { 'x-idempotency-key': 'twice' }), 201)
    return publisher.call('POST', '/api/v1/tasks', aTask({ bounty_usd: 2 }), { 'x-idempotency-key': 'twice' })
  },
  async IDEMPOTENCY_IN_FLIGHT({ whileHeld, worker, published, sql }) {
    const taskId = await published()
    const ask = () => worker.call('POST', `/api/v1/tasks/${taskId}/apply`, {}, { 'x-idempotency-key': 'at-once' })
    return whileHeld('applications', async (letGo) => {
      const first = ask()
      // Only once the first holds the key, and waits for the table, is the second sent.
      await expect
        .poll(
          () =>
            sql(
              "select 1 from operations where key = 'at-once' and state = 'in_flight' and lease_until > clock_timestamp()",
            ),
          { interval: 20 },
        )
        .toHaveLength(1)
      const reply = await ask()
      await letGo()
      expectStatus(await first, 201)
      return reply
    })
  },

  NOT_FOUND: ({ market }) => market.get('/api/v1/nothing'),
  TASK_NOT_FOUND: ({ market }) => market.get(`/api/v1/tasks/${nothing}`),
  SUBMISSION_NOT_FOUND: ({ publisher }) => publisher.call('GET', `/api/v1/submissions/${nothing}`),
  WORKER_NOT_FOUND: ({ market }) => market.get(`/api/v1/workers/${nothing}`),
  LISTING_NOT_FOUND: ({ market }) => market.get(`/api/v1/services/${nothing}`),
  OFFER_NOT_FOUND: ({ publisher }) => publisher.call('GET', `/api/v1/settlements/${nothing}/challenge`),
  async OFFER_NOT_OPEN({ publisher, worker, submitted }) {
    const offerId = await offered(worker, (await submitted()).taskId)
    expectStatus(await publisher.call('POST', `/api/v1/settlements/${offerId}/close`, {}), 200)
    return publisher.call('GET', `/api/v1/settlements/${offerId}/challenge`)
  },
  PORTFOLIO_NOT_OPEN: async ({ worker, submitted }) =>
    worker.call('PUT', `/api/v1/tasks/${(await submitted()).taskId}/portfolio`, { pictures: [] }),
  async SETTLEMENT_SIGNATURE_REQUIRED({ worker, submitted }) {
    const target = `/api/v1/tasks/${(await submitted()).taskId}/settlements`
    return worker.call('POST', target, { worker_amount_usd: 0.5 })
  },
  async RULING_SIGNATURE_REQUIRED(scene) {
    const { worker, submitted } = scene
    const disputeId = await disputed(worker, await submitted())
    const { signature: _, ...unsigned } = unsignedRuling
    return (await anArbiter(scene)).call('POST', `/api/v1/disputes/${disputeId}/ruling`, unsigned)
  },
  async RULING_NOT_FOUND({ worker, submitted }) {
    return worker.call('GET', `/api/v1/disputes/${await disputed(worker, await submitted())}/ruling`)
  },
  async ARBITER_UNKNOWN({ market, worker, submitted }) {
    const stranger = await market.party(0n)
    const disputeId = await disputed(worker, await submitted())
    return stranger.call('POST', `/api/v1/disputes/${disputeId}/ruling`, unsignedRuling)
  },
  DISPUTE_NOT_FOUND: ({ publisher }) => publisher.call('GET', `/api/v1/disputes/${nothing}`),
  FEEDBACK_NOT_FOUND: ({ market }) => market.get(`/api/v1/reputation/feedback/${nothing}`),
  IDENTITY_NOT_FOUND: ({ market }) => market.get('/api/v1/reputation/agents/4711/identity'),
  ESCROW_NOT_FOUND: async ({ market, published }) => market.get(`/api/v1/escrow/${await published()}`),
  LOCATION_NOT_FOUND: async ({ market, published }) => market.get(`/api/v1/tasks/${await published()}/location`),
  async EVENTS_FORGOTTEN({ publisher, sql, published }) {
    await published()
    await sql('insert into forgotten_events (xid, seq) select max(xid), 1 from outbox')
    const reply = await publisher.call('GET', '/api/v1/events?cursor=1.0')
    await sql('delete from forgotten_events')
    return reply
  },
  async TASK_GONE({ market, publisher, published }) {
    const taskId = await published()
    expectStatus(await publisher.call('DELETE', `/api/v1/tasks/${taskId}`), 200)
    return market.get(`/api/v1/tasks/${taskId}`)
  },
  FEATURE_DISABLED: ({ strict }) => strict.get('/api/v1/streams'),

  // The table is held for longer than a statement may take.
  GEOCODER_UNAVAILABLE: ({ market }) => market.get('/api/v1/places?q=Plaza%20Mayor%201'),
  SERVICE_BUSY: ({ whileHeld, market }) => whileHeld('tasks', () => market.get('/api/v1/tasks')),
  OUTCOME_UNKNOWN: ({ whileHeld, sql, publisher }) =>
    whileHeld('task_history', async () => {
      const asked = publisher.call('POST', '/api/v1/tasks', aTask())
      const cut =
        "select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'"
      await eventually(
        () => sql(cut),
        (rows) => rows.length > 0,
      )
      return asked
    }),
  INTERNAL: ({ withoutTable, worker }) => withoutTable('reports', () => worker.call('GET', '/api/v1/reports')),
  async RATE_LIMITED({ market }) {
    const party = await market.party(0n)
    for (let count = 0; count < 5; count += 1) expectStatus(await party.call('GET', '/api/v1/account/export'), 200)
    return party.call('GET', '/api/v1/account/export')
  },

  UPLOAD_NOT_ALLOWED: ({ market }) =>
    send(
      market.url,
      'PUT',
      `/api/v1/evidence/files/${nothing}/photo.jpg`,
      { host: authority, 'content-type': 'image/jpeg' },
      'no picture',
    ),
  async UPLOAD_QUOTA_EXCEEDED({ worker, accepted, sql }) {
    const { taskId } = await accepted({ evidence_required: ['photo'] })
    await sql("insert into upload_counts (scope, files, bytes) values ('task:' || $1::text, 20, 500 * 1048576)", [
      taskId,
    ])
    return worker.call('GET', `/api/v1/evidence/presign-upload?task_id=${taskId}`)
  },
  async UPLOAD_BUDGET_SPENT({ worker, accepted, sql }) {
    const { taskId } = await accepted({ evidence_required: ['photo'] })
    const day = new Date().toISOString().slice(0, 10)
    await sql(
      "insert into upload_counts (scope, day, files, bytes) values ('day:' || $1::text, $1::text::date, 900, 20480 * 1048576::bigint) on conflict (scope) do update set bytes = excluded.bytes",
      [day],
    )
    const refused = await worker.call('GET', `/api/v1/evidence/presign-upload?task_id=${taskId}`)
    await sql("delete from upload_counts where scope = 'day:' || $1::text", [day])
    return refused
  },
  async UPLOAD_TYPE_REFUSED({ market, worker, accepted }) {
    const { taskId } = await accepted({ evidence_required: ['photo'] })
    const link = expectStatus(await worker.call('GET', `/api/v1/evidence/presign-upload?task_id=${taskId}`), 200)
    const { pathname, search } = new URL(String(link.body['upload_url']))
    return send(market.url, 'PUT', pathname + search, { host: authority, 'content-type': 'image/jpeg' }, 'no picture')
  },
  async EVIDENCE_TAKEN_DOWN({ admin, market, publisher, worker, accepted }) {
    const { taskId } = await accepted({ evidence_required: ['photo'] })
    const link = expectStatus(await worker.call('GET', `/api/v1/evidence/presign-upload?task_id=${taskId}`), 200)
    const { pathname, search } = new URL(String(link.body['upload_url']))
    const type = { host: authority, 'content-type': 'image/jpeg' }
    expectStatus(await send(market.url, 'PUT', pathname + search, type, await photo('image/jpeg')), 201)
    const evidence = { photo: link.body['public_url'] }
    const work = expectStatus(await worker.call('POST', `/api/v1/tasks/${taskId}/submit`, { evidence }), 201)
    const report = { target: 'submission', target_id: work.body['submission_id'], reason: 'illegal' }
    const { body } = expectStatus(await publisher.call('POST', '/api/v1/reports', report), 201)
    const act = { action: 'take_down', reason: 'It was asked for.' }
    expectStatus(await admin('PUT', `/api/v1/admin/reports/${String(body['id'])}`, act), 200)
    return worker.call('GET', `/api/v1/evidence/presign-download?key=${String(link.body['key'])}`)
  },
  EVIDENCE_MISSING: async ({ worker, accepted }) =>
    worker.call(
      'POST',
      `/api/v1/tasks/${(await accepted({ evidence_required: ['text_response', 'gps'] })).taskId}/submit`,
      { evidence: { text_response: 'It is open.' } },
    ),
  EVIDENCE_INVALID: async ({ worker, accepted }) =>
    worker.call('POST', `/api/v1/tasks/${(await accepted({ evidence_required: ['photo'] })).taskId}/submit`, {
      evidence: { photo: 'https://elsewhere.example/gate.jpg' },
    }),
} satisfies Partial<Producers>

const offer = {
  title: 'Photographs of gates',
  description: 'One sharp photograph of any gate in town.',
  category: 'simple_action',
  unit_price_usd: 1,
}

export async function posted({ worker, sql }: Bench): Promise<string> {
  await sql("update listings set availability = 'paused' where availability = 'active'")
  return String(expectStatus(await worker.call('POST', '/api/v1/services', offer), 201).body['id'])
}

/** A signed request with its signature's terms changed. */
export const signedWith = async ({ market, publisher }: Bench, change: Parameters<typeof signed>[3]) =>
  send(
    market.url,
    'GET',
    '/api/v1/users/blocked',
    await signed('GET', '/api/v1/users/blocked', undefined, { key: publisher.key, ...change }),
  )

async function disputed(worker: Bench['worker'], { submissionId }: { readonly submissionId: string }): Promise<string> {
  const fields = { reason: 'no_response', description: 'Nobody looks at it.' }
  const reply = await worker.call('POST', `/api/v1/submissions/${submissionId}/dispute`, fields)
  return String(expectStatus(reply, 201).body['id'])
}
