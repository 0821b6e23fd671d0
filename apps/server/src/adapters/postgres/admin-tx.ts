import type { AdminTx, RunChanges } from '@ergon/core'
import { toBan, type BanRow } from './admin-rows.ts'
import { createPictureTx } from './pictures.ts'
import type { TransactionLine } from './transaction-line.ts'

/** What the admin key changes within one transaction. */
export function createAdminTx(client: TransactionLine): AdminTx {
  return {
    async addAudit(line) {
      await client.tell(
        `insert into audit_log (id, at, actor, action, subject, before, after, reason, request_id)
          values ($1, $2, $3, $4, $5, $6, $7, $8, $9)`,
        [
          line.id,
          line.at,
          line.actor,
          line.action,
          line.subject,
          JSON.stringify(line.before),
          JSON.stringify(line.after),
          line.reason,
          line.requestId,
        ],
      )
    },
    async putBan(ban) {
      const { rowCount } = await client.query(
        'insert into bans (wallet, reason, actor, banned_at) values ($1, $2, $3, $4) on conflict (wallet) do nothing',
        [ban.wallet, ban.reason, ban.actor, ban.bannedAt],
      )
      return rowCount === 1
    },
    async removeBan(wallet) {
      const { rows } = await client.query<BanRow>('delete from bans where wallet = $1 returning *', [wallet])
      return rows[0] === undefined ? null : toBan(rows[0])
    },
    ...createReportTx(client),
    ...createPictureTx(client),
    async lockRunChanges() {
      await client.tell('select 1 from admin_version for update', [])
      return readRunChanges(client)
    },
    async putRunChange(key, value, at) {
      if (value === null) await client.query('delete from run_config where key = $1', [key])
      else
        await client.tell(
          `insert into run_config (key, value, changed_at) values ($1, $2, $3)
            on conflict (key) do update set value = excluded.value, changed_at = excluded.changed_at`,
          [key, JSON.stringify(value), at],
        )
    },
    async pendingSubmission(taskId) {
      const { rows } = await client.query<{ id: string }>(
        "select id from submissions where task_id = $1 and status = 'pending_review' for update",
        [taskId],
      )
      return rows[0]?.id ?? null
    },
  }
}

/** What an operator does about a report. */
function createReportTx(client: TransactionLine): Pick<AdminTx, 'decideReport' | 'setHidden' | 'takeDownEvidence'> {
  return {
    async decideReport({ reportId, state, note, actor, at }) {
      await client.tell(
        'update reports set state = $2, operator_note = $3, decided_by = $4, decided_at = $5 where id = $1',
        [reportId, state, note, actor, at],
      )
    },
    async setHidden(targetId, isHidden, at) {
      if (!isHidden) await client.query('delete from hidden where target_id = $1', [targetId])
      else
        await client.tell('insert into hidden (target_id, hidden_at) values ($1, $2) on conflict do nothing', [
          targetId,
          at,
        ])
    },
    async takeDownEvidence(submissionId, fileTypes, at) {
      const { rows } = await client.query<{ hashes: Readonly<Record<string, string>> }>(takeDown, [
        submissionId,
        fileTypes,
        at,
      ])
      // What is shown of it elsewhere was made of it (decision 0256).
      await client.tell(
        `delete from portfolio_pictures c using portfolio_pieces p, submissions s
          where s.id = $1 and p.task_id = s.task_id and c.piece_id = p.id`,
        [submissionId],
      )
      return rows[0]?.hashes ?? {}
    },
  }
}

type Asking = {
  query(config: {
    readonly name: string
    readonly text: string
  }): Promise<{ readonly rows: { key: string; value: string | number | boolean }[] }>
}

/** Only values that met the schema of their key are ever written. */
export async function readRunChanges(asking: Asking): Promise<RunChanges> {
  const { rows } = await asking.query({ name: 'run-config', text: 'select key, value from run_config' })
  return Object.fromEntries(rows.map(({ key, value }) => [key, value]))
}

/**
 * The values go and their hashes stay. Uploads that the submission held wait again and are due at once, so that the
 * purge removes their files, and goes on after a crash (decision 0091); those that another submission holds it leaves.
 */
const takeDown = `with was as (
    select task_id, executor_id, evidence, notes from submissions where id = $1 for update),
  hashed as (select coalesce(jsonb_object_agg(piece, hash), '{}') as hashes from (
    select p.key as piece, case when p.key = any($2::text[]) then p.value ->> 'sha256'
        else encode(sha256(convert_to(
          case jsonb_typeof(p.value) when 'string' then p.value #>> '{}' else p.value::text end, 'UTF8')), 'hex')
        end as hash
      from was, jsonb_each(was.evidence) p
    union all select 'notes', encode(sha256(convert_to(notes, 'UTF8')), 'hex') from was where notes is not null
  ) each_piece),
  named as (select coalesce(array_agg(file), '{}') as keys
    from was, jsonb_each(was.evidence) p, unnest(array[p.value ->> 'key', p.value ->> 'clean_key']) file
    where p.key = any($2::text[]) and file is not null),
  files as (select u.key, u.bytes, u.purge_at is null as was_kept from uploads u, was
    where u.task_id = was.task_id and u.executor_id = was.executor_id and exists (
      select 1 from jsonb_each(was.evidence) p where p.value ->> 'key' = any(u.kept)) for update of u),
  due as (update uploads u set purge_at = $3 from files where u.key = files.key),
  counted as (update upload_counts set files = files + (select count(*) from files where was_kept),
      bytes = bytes + (select coalesce(sum(bytes), 0) from files where was_kept)
    where scope = 'waiting' and exists (select 1 from files where was_kept))
  update submissions s set evidence = '{}', notes = null, taken_down_at = coalesce(s.taken_down_at, $3),
      taken_down_hashes = coalesce(s.taken_down_hashes, '{}') || hashed.hashes,
      taken_down_keys = coalesce(s.taken_down_keys, '{}') || named.keys
    from hashed, named where s.id = $1 returning s.taken_down_hashes as hashes`
