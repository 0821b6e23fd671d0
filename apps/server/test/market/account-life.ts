import type { WalletCaller } from '@ergon/core'
import { appliedJob, approval, publisher, submittedJob, untilQuiet, worker, type Stage } from './stage.ts'

export const caller = (digit: string): WalletCaller => ({
  kind: 'wallet',
  wallet: `0x${digit.repeat(40)}`,
  agentId: null,
  via: 'signature',
})
export const stranger = caller('9')

/**
 * Something of every kind: work paid and disputed, a listing, scores, sessions, remembered answers, reports and blocks.
 */
export async function liveALife(stage: Stage): Promise<void> {
  const { market, pool, store, clock } = stage
  const paid = await completedJob(stage)
  await pool.query(
    `insert into ratings (id, task_id, direction, rater, ratee, terms, comment, document, status)
      values (gen_random_uuid(), $1, 'publisher_rates_executor', $2, $3, '{}', 'Good work.', 'bytes', 'confirmed')`,
    [paid, publisher.wallet, worker.wallet],
  )
  await addPortfolio(stage, paid)
  const disputed = await submittedJob(stage)
  const { dispute } = await market.reject(publisher, disputed.submissionId, {
    reason: 'The photo shows another gate.',
    criteria: [],
  })
  await market.addStatement(worker, dispute.id, { statement: 'It was this gate.', links: ['https://example.org/gate'] })
  await market.addStatement(publisher, dispute.id, { statement: 'It was not.', links: [] })
  await market.sendMessage(worker, disputed.taskId, 'I was there at noon.')
  await market.sendMessage(publisher, disputed.taskId, 'Which gate was it?')
  const left = await appliedJob(stage)
  const { executorId: assigned, paymentAuth } = left
  await market.assign(publisher, left.taskId, { executorId: assigned, notes: 'Ring twice.', paymentAuth })
  await untilQuiet(stage)
  await market.withdraw(worker, left.taskId, 'I am ill.')
  await untilQuiet(stage)
  await postGates(stage)
  const executorId = await market.ownExecutorId(worker)
  await store.putWorkerProfile(executorId, {
    bio: 'I stand in front of gates.',
    capabilities: ['gates'],
    pricing: { gate: 2 },
  })
  await store.putPayoutAddress(executorId, '11111111111111111111111111111111')
  const of = [disputed.submissionId, disputed.taskId, executorId]
  await pool.query(
    `insert into position_receipts (submission_id, task_id, executor_id, lat, lng, received_at)
      values ($1, $2, $3, 48.2, 16.3, now())`,
    of,
  )
  await pool.query(
    `insert into evidence_files (submission_id, evidence_type, task_id, executor_id, sha256)
      values ($1, 'photo', $2, $3, 'ab')`,
    of,
  )
  await pool.query(
    `insert into image_hashes (submission_id, evidence_type, variant, task_id, executor_id, phash)
      values ($1, 'photo', 0, $2, $3, 7)`,
    of,
  )
  await pool.query(
    "insert into uploads (key, task_id, executor_id, day, bytes) values ('a/photo', $1, $2, '2026-01-01', 5)",
    [disputed.taskId, executorId],
  )
  await pool.query(
    'insert into task_places (task_id, lat, lng, radius_m, set_at) values ($1, 48.2, 16.3, 500, now())',
    [disputed.taskId],
  )
  for (const one of [publisher, worker, stranger]) {
    await market.report(one, { target: 'task', targetId: paid, reason: 'spam', note: 'Look at this.' })
    await market.block(one, caller('7').wallet)
    await pool.query(
      "insert into sessions values (gen_random_uuid(), $1, 31337, $2, $2::timestamptz + interval '1 hour')",
      [one.wallet, clock.now()],
    )
    await pool.query(
      `insert into operations (identity, key, operation, body_hash, state, token, lease_until, status, answer)
        values ($1, 'key', 'tasks.publish', 'hash', 'done', gen_random_uuid(), now(), 201, '{}')`,
      [one.wallet],
    )
    await pool.query("insert into account_proofs (wallet, proof, has_acted) values ($1, 'key', true)", [one.wallet])
    await addWebhook(stage, one.wallet)
    await addConsent(stage, one.wallet)
    await pool.query(
      `insert into a2a_push_configs (task_id, wallet, config_id, url, secrets, place, due_at, created_at)
        values ($1, $2, 'one', 'https://example.org/updates', 'sealed', '0.0', now(), now())`,
      [paid, one.wallet],
    )
    await addNotices(stage, one.wallet)
    await addPicture(stage, one.wallet)
    await connectTool(stage, one.wallet)
    await store.putScore({
      network: 'localnet',
      agentId: 1,
      role: 'publisher',
      wallet: one.wallet,
      score: 80,
      count: 1,
      at: clock.now(),
    })
  }
  await appliedJob(stage, stranger)
  await setBans(stage, true)
}

export async function postGates({ market }: Pick<Stage, 'market'>): Promise<void> {
  await market.postListing(worker, {
    title: 'I photograph gates',
    description: 'I photograph any gate of the old town.',
    category: 'sensory',
    unitPriceUsd: '2',
    skills: ['gates'],
    evidence: ['text_response'],
    network: null,
    acceptedNetworks: null,
  })
}

export async function completedJob(on: Stage): Promise<string> {
  const job = await submittedJob(on)
  await on.market.approve(publisher, job.submissionId, await approval(on, job.submissionId))
  await untilQuiet(on)
  return job.taskId
}

export async function addNotices({ pool }: Stage, wallet: string): Promise<void> {
  await pool.query(
    `insert into push_subscriptions (id, wallet, endpoint, p256dh, auth, kinds, language, place, due_at, created_at)
      values (gen_random_uuid(), $1, 'https://push.example/' || $1, 'key', 'secret', '{money}', 'en', '0.0', now(),
        now())`,
    [wallet],
  )
  await pool.query(
    `insert into mail_subscriptions (id, wallet, address, kinds, language, asked_at, due_at)
      values (gen_random_uuid(), $1, 'ana@mail.test', '{money}', 'en', now(), now())`,
    [wallet],
  )
  await pool.query(
    `insert into saved_searches (wallet, slot, name, filter, party, saved_at, ends_at, seen, due_at)
      values ($1, 1, 'Gates', '{"words": "gate"}', 'human', now(), now(), gen_random_uuid(), now() + interval '1 day')`,
    [wallet],
  )
}

/** Of a wallet that works; nothing of another. */
export async function addPicture({ pool, store }: Stage, wallet: string): Promise<void> {
  const { rows } = await pool.query<{ id: string }>('select id from workers where wallet = $1', [wallet])
  for (const { id } of rows) await store.putPicture(id, Buffer.from('a face'), new Date())
}

/** Work of a task that is shown, with a picture. */
export async function addPortfolio({ pool }: Pick<Stage, 'pool'>, taskId: string): Promise<void> {
  await pool.query(
    `with piece as (insert into portfolio_pieces
        (id, task_id, executor_id, publisher, state, asks, sources, done_at, asked_at, answered_at)
      select gen_random_uuid(), id, executor_id, publisher_wallet, 'allowed', 1, '{}', now(), now(), now()
        from tasks where id = $1 returning id)
    insert into portfolio_pictures (piece_id, place, name, bytes) select id, 0, 'aa', '\\x00' from piece`,
    [taskId],
  )
}

/** What a tool may release for a wallet, and released. */
export async function addConsent({ pool }: Pick<Stage, 'pool'>, wallet: string): Promise<void> {
  await pool.query('insert into approval_budgets (grant_id, wallet, taken, kept_until) values ($1, $2, 1, now())', [
    `grant of ${wallet}`,
    wallet,
  ])
  await pool.query(
    `insert into approval_uses (grant_id, submission_id, reservation, cents)
      values ($1, gen_random_uuid(), gen_random_uuid(), 107)`,
    [`grant of ${wallet}`],
  )
  await pool.query(
    `insert into standing_warrants (grant_id, wallet, chain_id, token, standing_order, good_until)
     values ($1, $2, 31337, '0x', '{}', now() + interval '1 day')`,
    [`grant of ${wallet}`, wallet],
  )
  await pool.query(
    "insert into linked_signers (wallet, secret, good_until) values ($1, 'sealed', now() + interval '1 day')",
    [wallet],
  )
  await pool.query(
    `insert into linked_signer_requests (id, wallet, subject, asked, good_until)
     values (gen_random_uuid(), $1, 'subject', 'sealed', now() + interval '1 day')`,
    [wallet],
  )
}

/** A tool that was let in, with the sign-in it came by. */
async function connectTool({ pool }: Stage, wallet: string): Promise<void> {
  await pool.query(
    `insert into oauth_sign_ins (rid, client_id, client_name, redirect_uri, scopes, resource, challenge, csrf_hash,
        expires_at, wallet)
      values ($1::text || ' rid', 'c', 'Tool', 'https://tool.example/', '{task:read}', 'r', 'h', 'h', now(), $1)`,
    [wallet],
  )
  await pool.query(
    `with granted as (insert into oauth_grants (id, client_id, client_name, wallet, chain_id, scopes, resource,
        redirect_uri, challenge, code_hash, code_expires_at, created_at, used_at, expires_at)
      values ($1::text || ' id', 'c', 'Tool', $1, 1, '{task:read}', 'r', 'https://tool.example/', 'h',
        $1::text || ' code', now(), now(), now(), now() + interval '1 day') returning *)
    insert into oauth_audit (at, wallet, grant_id, client_id, client_name, kind)
      select now(), wallet, id, client_id, client_name, 'consented' from granted`,
    [wallet],
  )
}

/** An endpoint with its secret, and a delivery that was tried. */
export async function addWebhook({ pool }: Stage, owner: string): Promise<void> {
  const { rows } = await pool.query<{ id: string }>(
    `insert into webhooks (id, owner, url, events, status, created_at, updated_at)
      values (gen_random_uuid(), $1, 'https://hooks.example/', '{*}', 'active', now(), now()) returning id`,
    [owner],
  )
  const id = rows[0]?.id
  await pool.query(
    "insert into webhook_secrets (id, webhook_id, sealed, created_at) values (gen_random_uuid(), $1, 'sealed', now())",
    [id],
  )
  await pool.query(
    `with sent as (insert into webhook_deliveries (id, webhook_id, event_id, event_type, kind, body, status, due_at,
            created_at)
        values (gen_random_uuid(), $1, gen_random_uuid(), 'task.created', 'event', $2, 'delivered', now(), now())
        returning id)
     insert into webhook_attempts (delivery_id, attempt, at, duration_ms, request_headers) select id, 1, now(), 5, '{}'
     from sent`,
    [id, JSON.stringify({ for: owner })],
  )
}

export async function setBans(stage: Stage, banned: boolean): Promise<void> {
  for (const one of [publisher, worker, stranger])
    await stage.market.setBan(one.wallet, banned, {
      actor: 'ada',
      reason: 'To be seen in the export.',
      requestId: 'request-1',
    })
}
