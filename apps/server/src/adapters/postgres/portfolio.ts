import type { Piece, PieceStanding, PortfolioStore, PortfolioTx, ShownPiece, Work } from '@ergon/core'
import type { Pool } from 'pg'
import { countedBy, namedRows } from './named-rows.ts'
import { pageOf } from './page-of.ts'
import type { TransactionLine } from './transaction-line.ts'

type PieceRow = {
  id: string
  task_id: string
  executor_id: string
  publisher: string
  state: Piece['state']
  asks: number
  sources: string[]
  done_at: Date
  asked_at: Date
  answered_at: Date | null
}
type WorkRow = { title: string; category: Work['category']; score: number | null; pictures: string[] }
type StandingRow = WorkRow &
  Omit<PieceRow, 'id' | 'executor_id' | 'publisher' | 'state'> & {
    id: string | null
    state: Piece['state'] | null
    status: PieceStanding['status']
    executor_id: string | null
    publisher: string
    is_hidden: boolean
    is_gone: boolean
  }
type ShownRow = WorkRow & Pick<PieceRow, 'id' | 'task_id' | 'done_at'>

const toPiece = (row: PieceRow): Piece => ({
  id: row.id,
  taskId: row.task_id,
  executorId: row.executor_id,
  publisher: row.publisher,
  state: row.state,
  asks: row.asks,
  sources: row.sources,
  doneAt: row.done_at,
  askedAt: row.asked_at,
  answeredAt: row.answered_at,
})

const toWork = ({ title, category, score, pictures }: WorkRow): Work => ({ title, category, score, pictures })

/** Of a task `t` and its piece `p`. */
const work = `t.title, t.category, array(select c.name from portfolio_pictures c
    where c.piece_id = p.id order by c.place) as pictures,
  (select (r.terms->>'score')::double precision from ratings r
    where r.task_id = t.id and r.direction = 'publisher_rates_executor' and r.status = 'confirmed') as score`
const hidden = 'exists (select 1 from hidden h where h.target_id = p.task_id)'
const banned = 'exists (select 1 from bans b where b.wallet = w.wallet)'
/** What everybody may see. */
const shown = `portfolio_pieces p join workers w on w.id = p.executor_id join tasks t on t.id = p.task_id
  where p.state = 'allowed' and not ${hidden} and not ${banned}`

/** Work on profiles (decision 0256); ids are UUIDv7, so the newest comes first by its key. */
export function createPortfolio(pool: Pool): PortfolioStore {
  const all = namedRows(pool)
  const counted = countedBy(all)
  return {
    async pieceStanding(taskId) {
      const [row] = await all<StandingRow>(
        'portfolio-standing',
        `select p.id, t.id as task_id, t.status, t.executor_id, t.publisher_wallet as publisher, p.state, p.asks,
            p.sources, p.done_at, p.asked_at, p.answered_at, ${work},
            exists (select 1 from hidden h where h.target_id = t.id) as is_hidden,
            (w.anonymised_at is not null or ${banned}) as is_gone
          from tasks t left join portfolio_pieces p on p.task_id = t.id left join workers w on w.id = t.executor_id
          where t.id = $1`,
        [taskId],
      )
      return row === undefined ? null : toStanding(row)
    },
    async shownPieces(executorId, page) {
      const ofWorker = `${shown} and p.executor_id = $1`
      const [total, rows] = await Promise.all([
        counted('portfolio-count', ofWorker, [executorId]),
        all<ShownRow>(
          'portfolio-shown',
          `select p.id, p.task_id, p.done_at, ${work} from ${ofWorker} and ($2::uuid is null or p.id < $2)
            order by p.id desc limit $3 offset $4`,
          [executorId, page.cursor, page.limit + 1, page.cursor === null ? page.offset : 0],
        ),
      ])
      return pageOf(rows, total, page, toShown)
    },
    async shownPicture(pieceId, name) {
      const [row] = await all<{ bytes: Buffer; is_shown: boolean }>(
        'portfolio-picture',
        `select c.bytes, exists (select 1 from ${shown} and p.id = $1) as is_shown
          from portfolio_pictures c where c.piece_id = $1 and c.name = $2 limit 1`,
        [pieceId, name],
      )
      return row === undefined ? null : { bytes: row.bytes, isShown: row.is_shown }
    },
    async endAsks(before, limit) {
      const { rowCount } = await pool.query({
        name: 'portfolio-end-asks',
        text: `with due as (select id from portfolio_pieces where state = 'asked' and asked_at < $1
              order by asked_at limit $2 for update skip locked),
            gone as (delete from portfolio_pictures where piece_id = any(array(select id from due)))
          update portfolio_pieces p set state = 'ended' where p.id = any(array(select id from due))`,
        values: [before, limit],
      })
      return rowCount ?? 0
    },
  }
}

export function createPortfolioTx(client: TransactionLine): PortfolioTx {
  return {
    async piece(taskId) {
      const { rows } = await client.query<PieceRow>('select * from portfolio_pieces where task_id = $1', [taskId])
      return rows[0] === undefined ? null : toPiece(rows[0])
    },
    async putPiece(one, pictures) {
      // Whoever deletes the account waits for this, or this for it.
      const { rowCount } = await client.query(
        'select 1 from workers where id = $1 and anonymised_at is null for share',
        [one.executorId],
      )
      if (rowCount === 0) return false
      await client.tell('delete from portfolio_pieces where task_id = $1', [one.taskId])
      await client.tell(
        `insert into portfolio_pieces (id, task_id, executor_id, publisher, state, asks, sources, done_at, asked_at)
          values ($1, $2, $3, $4, $5, $6, $7, $8, $9)`,
        [one.id, one.taskId, one.executorId, one.publisher, one.state, one.asks, one.sources, one.doneAt, one.askedAt],
      )
      for (const [place, { name, bytes }] of pictures.entries())
        await client.tell('insert into portfolio_pictures (piece_id, place, name, bytes) values ($1, $2, $3, $4)', [
          one.id,
          place,
          name,
          bytes,
        ])
      return true
    },
    async movePiece({ id, state }, to, at) {
      const { rowCount } = await client.query(
        'update portfolio_pieces set state = $3, answered_at = $4 where id = $1 and state = $2',
        [id, state, to, at],
      )
      if (rowCount === 0) return false
      if (to !== 'allowed') await client.query('delete from portfolio_pictures where piece_id = $1', [id])
      return true
    },
  }
}

function toStanding(row: StandingRow): PieceStanding {
  const { id, state, executor_id: executorId, publisher: publisherWallet } = row
  const piece =
    id === null || state === null || executorId === null
      ? null
      : toPiece({ ...row, id, state, executor_id: executorId })
  return {
    ...toWork(row),
    taskId: row.task_id,
    status: row.status,
    executorId,
    publisherWallet,
    piece,
    isHidden: row.is_hidden,
    isGone: row.is_gone,
  }
}

const toShown = ({ id, task_id: taskId, done_at: doneAt, ...row }: ShownRow): ShownPiece => ({
  id,
  taskId,
  doneAt,
  ...toWork(row),
})
