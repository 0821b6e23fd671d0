import { MarketError, type CashOut, type CashOutStore, type CashOutTx } from '@ergon/core'
import type { Pool } from 'pg'
import { countToday, digestOf, type DayCount, type Spent } from './day-counts.ts'
import { forgetRows } from './forget-rows.ts'
import { namedRows, type NamedRows } from './named-rows.ts'
import { pageOf } from './page-of.ts'
import type { TransactionLine } from './transaction-line.ts'

type CashOutRow = {
  id: string
  wallet: string
  network: string
  token: string
  decimals: number
  token_address: string
  to_address: string
  amount_atomic: bigint
  valid_before: bigint
  nonce: string
  signature: string
  status: CashOut['status']
  code: CashOut['code']
  tx_hash: string | null
  attempts: number
  sent_until: Date
  created_at: Date
}

function toCashOut(row: CashOutRow): CashOut {
  const { network, token: symbol, decimals } = row
  return {
    id: row.id,
    transfer: {
      network,
      amount: { atomic: row.amount_atomic, asset: { symbol, network, decimals } },
      token: row.token_address,
      from: row.wallet,
      to: row.to_address,
      validAfter: 0n,
      validBefore: row.valid_before,
      nonce: row.nonce,
      signature: row.signature,
    },
    status: row.status,
    code: row.code,
    txHash: row.tx_hash,
    attempts: row.attempts,
    sentUntil: row.sent_until,
    createdAt: row.created_at,
  }
}

/** What wallet `$1` may send: what it earned and did not spend, less what it sent or is sending. */
const sendable = (network: string, token: string): string =>
  `(coalesce((select sum(l.amount_atomic) from ledger l
      where l.network = ${network} and l.token = ${token} and l.account = 'wallet:' || $1::text), 0)
    - coalesce((select sum(c.amount_atomic) from cash_outs c
      where c.wallet = $1 and c.network = ${network} and c.token = ${token} and c.status <> 'refused'), 0))::bigint`

/** Cash-outs without gas (decision 0249); ids are UUIDv7, so the newest comes first by its key. */
export function createCashOuts(pool: Pool): CashOutStore {
  const all = namedRows(pool)
  return {
    ...reads(all),
    async leaseCashOuts(network, now, leaseUntil, sentUntil, limit) {
      const rows = await all<CashOutRow>(
        'cash-outs-lease',
        `update cash_outs set due_at = $2, attempts = attempts + 1, sent_until = greatest(sent_until, $3),
            updated_at = $1
          where id = any(array(select id from cash_outs
            where status in ('claimed', 'in_doubt') and due_at <= $1 and network = $5
            order by due_at limit $4 for update skip locked)) returning *`,
        [now, leaseUntil, sentUntil, limit, network],
      )
      return rows.map(toCashOut)
    },
    forgetCashOuts: (before, limit) => forgetRows(pool, unsent, limit, [before]),
  }
}

const unsent = { table: 'cash_outs', where: "status = 'refused' and created_at < $2", order: 'created_at' }

function reads(all: NamedRows): Pick<CashOutStore, 'cashOut' | 'cashOutsOf' | 'sendableOf'> {
  return {
    async cashOut(wallet, nonce) {
      const [row] = await all<CashOutRow>('cash-out', 'select * from cash_outs where wallet = $1 and nonce = $2', [
        wallet,
        nonce,
      ])
      return row === undefined ? null : toCashOut(row)
    },
    async cashOutsOf(wallet, page) {
      const [rows, [counted]] = await Promise.all([
        all<CashOutRow>(
          'cash-outs-of',
          `select * from cash_outs where wallet = $1 and ($2::uuid is null or id < $2)
            order by id desc limit $3 offset $4`,
          [wallet, page.cursor, page.limit + 1, page.cursor === null ? page.offset : 0],
        ),
        all<{ count: bigint }>('cash-outs-of-total', 'select count(*) from cash_outs where wallet = $1', [wallet]),
      ])
      return pageOf(rows, Number(counted?.count ?? 0n), page, toCashOut)
    },
    async sendableOf(wallet, assets) {
      const rows = await all<{ place: bigint; atomic: bigint }>(
        'cash-outs-sendable',
        `select a.place, ${sendable('a.network', 'a.token')} as atomic
          from unnest($2::text[], $3::text[]) with ordinality as a (network, token, place)`,
        [wallet, assets.map(({ network }) => network), assets.map(({ symbol }) => symbol)],
      )
      const atomic = new Map(rows.map((row) => [Number(row.place), row.atomic]))
      return assets.map((asset, index) => ({ asset, atomic: atomic.get(index + 1) ?? 0n }))
    },
  }
}

export function createCashOutTx(client: TransactionLine): CashOutTx {
  return {
    async countCashOut(of) {
      const spent = await countToday(client, countsOf(of))
      if (spent !== null) throw refusalOf(spent)
    },
    async sendable(wallet, { network, symbol }) {
      const { rows } = await client.query<{ atomic: bigint }>({
        name: 'cash-out-sendable',
        text: `select ${sendable('$2', '$3')} as atomic`,
        values: [wallet, network, symbol],
      })
      return rows[0]?.atomic ?? 0n
    },
    async insertCashOut({ id, transfer, status, attempts, sentUntil, createdAt }, dueAt) {
      const { from, to, token, amount, validBefore, nonce, signature } = transfer
      const { symbol, network, decimals } = amount.asset
      const { rowCount } = await client.query(
        `insert into cash_outs (id, wallet, network, token, decimals, token_address, to_address, amount_atomic,
            valid_before, nonce, signature, status, attempts, sent_until, due_at, created_at, updated_at)
          values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $16) on conflict do nothing`,
        [
          ...[id, from, network, symbol, decimals, token, to, amount.atomic, validBefore, nonce, signature, status],
          ...[attempts, sentUntil, dueAt, createdAt],
        ],
      )
      return rowCount === 1
    },
    async endCashOut({ id, attempts }, { status, code, txHash, dueAt }, at) {
      const { rowCount } = await client.query(
        `update cash_outs set status = $3, code = $4, tx_hash = coalesce($5, tx_hash), due_at = coalesce($6, due_at),
            updated_at = $7
          where id = $1 and (($3 = 'confirmed' and status <> 'confirmed')
            or (status in ('claimed', 'in_doubt') and attempts = $2))`,
        [id, attempts, status, code ?? null, txHash ?? null, dueAt ?? null, at],
      )
      return rowCount === 1
    },
  }
}

type Counted = Parameters<CashOutTx['countCashOut']>[0]

function countsOf({ wallet, to, perWalletDay, perAddressDay, perDay }: Counted): readonly DayCount[] {
  return [
    { by: 'wallet', counted: digestOf(`cash-outs of ${wallet}`), amount: 1, limit: perWalletDay },
    { by: 'address', counted: digestOf(`cash-outs to ${to}`), amount: 1, limit: perAddressDay },
    { by: 'all', counted: 'cash-outs', amount: 1, limit: perDay },
  ]
}

function refusalOf({ by, limit, reset, secondsLeft }: Spent): MarketError {
  const details = { by, limit, remaining: 0, reset_at: reset.toISOString(), retry_after_sec: secondsLeft }
  if (by === 'all')
    return new MarketError('GAS_BUDGET_SPENT', details, {
      message: "This deployment has spent today's gas for cash-outs. No money has moved.",
    })
  const who = by === 'wallet' ? 'from this wallet' : 'to this address'
  return new MarketError('RATE_LIMITED', details, {
    message: `Today's cash-outs ${who} are used up. No money has moved.`,
  })
}
