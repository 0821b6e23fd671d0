import { setTimeout as pause } from 'node:timers/promises'
import type { Market, MoneyFinding } from '@ergon/core'
import { bookedSince, createPool, keepEventEpoch, noteChecked, type BookedLine } from './adapters/postgres/index.ts'
import { createApp } from './app.ts'
import type { Config } from './config/config.ts'
import type { Secrets } from './config/secrets.ts'
import { createIds } from './surroundings/ids.ts'

export type RestoreReport = {
  /** What the chain knew and the database had lost. */
  readonly booked: readonly BookedLine[]
  /** What a person has to look at; those of before the restore as well. */
  readonly findings: readonly MoneyFinding[]
  /** Networks whose logs were not read to their end. */
  readonly unread: readonly string[]
  /** Payments whose end is not known yet; the server that starts next goes on with them. */
  readonly open: number
}

const patienceMs = 600_000
const pauseMs = 1_000
/** The audit looks at so many rows a round, and at each once in a while. */
const auditRounds = 3

export type RestoreOptions = {
  /** After this it answers what it has. */
  readonly waitMs?: number
  /** Hears what is waited for, again and again. */
  readonly told?: (line: string) => void
}

const tellEveryMs = 10_000

/**
 * After a restore, before the servers start: begins a new epoch of events, reads what the chains say from the block
 * where the backup stopped, and books what the database lost, locks included (decisions 0083 and 0115). What fits
 * nothing is a finding.
 */
export async function restoreCheck(
  config: Config,
  secrets: Secrets,
  { waitMs = patienceMs, told = () => undefined }: RestoreOptions = {},
): Promise<RestoreReport> {
  await using app = await createApp(config, secrets, { withoutDuties: true })
  const pool = createPool(config.databaseUrl, { size: 1 })
  try {
    await keepEventEpoch(pool, 'asked')
    const now = (): Date => new Date()
    const [beganAt, first] = [now(), createIds(now).next()]
    const deadline = performance.now() + waitMs
    const names: readonly string[] = config.networks.map((one) => one.network.name)
    let unread = names
    let open = 1
    let toldAt = -Infinity
    while ((unread.length > 0 || open > 0) && performance.now() < deadline) {
      if (performance.now() - toldAt >= tellEveryMs) {
        toldAt = performance.now()
        if (unread.length > 0) told(`reading ${unread.join(', ')}`)
        else told(`${String(open)} payments whose end is not known yet`)
      }
      await walk(app.market)
      unread = await unreadSince(app.market, names, beganAt)
      const { inFlight, inDoubt } = await app.market.paymentsHealth()
      open = inFlight + inDoubt
      if (unread.length > 0 || open > 0) await pause(pauseMs)
    }
    for (let round = 0; round < auditRounds; round += 1) await app.market.duties.auditMoney()
    if (unread.length === 0 && open === 0) await noteChecked(pool)
    return {
      booked: await bookedSince(pool, first),
      findings: await app.market.unresolvedFindings(1_000),
      unread,
      open,
    }
  } finally {
    await pool.end()
  }
}

async function walk({ duties }: Market): Promise<void> {
  while ((await duties.followChains('book')) > 0);
  await duties.reconcile()
  await duties.watchRefused()
  await duties.disburseFees()
}

/** A network nobody has followed was never read: what its chain knows of the time before is not asked for. */
async function unreadSince(market: Market, names: readonly string[], since: Date): Promise<string[]> {
  const read = (await market.chainLags())
    .filter(({ readAt, lagBlocks }) => readAt >= since && lagBlocks === 0n)
    .map(({ network }) => network)
  return names.filter((name) => !read.includes(name))
}

/** The report as an operator reads it, one line each. */
export function reportLines({ booked, findings, unread, open }: RestoreReport): readonly string[] {
  const counts = [`${String(booked.length)} booked`, `${String(findings.length)} findings`]
  return [
    ...booked.map(({ task_id: task, type, amount_atomic: atomic, token, network, tx_hash: tx }) =>
      [`booked: task ${task} ${type}`, String(atomic), token, `on ${network}, ${tx}`].join(' '),
    ),
    ...findings.map(
      ({ kind, taskId, detail }) => `finding: ${kind}${taskId === null ? '' : ` of task ${taskId}`}: ${detail}`,
    ),
    ...unread.map((network) => `unread: ${network} could not be read to its newest block`),
    ...(open === 0 ? [] : [`open: ${String(open)} payments whose end is not known yet; the server goes on with them`]),
    `restore-check: ${counts.join(', ')}, ${String(unread.length)} networks unread`,
  ]
}
