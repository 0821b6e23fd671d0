import type { Settlement, SettlementEnd } from '@ergon/core'
import type { Session } from '../engine/session.ts'
import { lockRows, rowOf, rowsOf, slotsOf } from '../engine/table.ts'
import { jsonb } from '../jsonb.ts'
import type { SettlementRow } from '../rows.ts'
import { sortedBy } from '../reads/parts.ts'
import { anything } from './task-tx.ts'
import type { Part, TxDeps } from './parts.ts'

type SettlementPart = Part<
  | 'claimSettlement'
  | 'hasOpenSettlement'
  | 'isGoingBack'
  | 'lockSettlement'
  | 'endSettlement'
  | 'confirmRefused'
  | 'reviveFeeOf'
  | 'refuseFeeOf'
  | 'refuseRemainderOf'
>

export const isOpenRow = ({ settlement: { status } }: SettlementRow): boolean =>
  status === 'claimed' || status === 'in_doubt'
/** Fees and what goes back beside the task hold nothing up. */
export const isOpenMove = (row: SettlementRow): boolean =>
  isOpenRow(row) && row.settlement.purpose !== 'fee' && row.settlement.purpose !== 'stray'

type Changes = Partial<Omit<SettlementRow, 'settlement'>> & { readonly settlement?: Partial<Settlement> }

/** A settlement with these changes; while it is open, a code says that it waits. */
export function changeSettlement(row: SettlementRow, { settlement: changes, ...rest }: Changes): SettlementRow {
  const next = { ...row, ...rest }
  const settlement = { ...row.settlement, ...changes }
  return { ...next, settlement: { ...settlement, isWaiting: settlement.status === 'in_doubt' && next.code !== null } }
}

export function latest(one: Date | null, other: Date | null | undefined): Date | null {
  if (one === null || other === null || other === undefined) return one ?? other ?? null
  return one > other ? one : other
}

export function settlementTx(deps: TxDeps): SettlementPart {
  const {
    disk: {
      tables: { settlements, channels },
    },
    run,
  } = deps
  const { by } = settlements
  const anyArbiter = [by.pkey, by.one_lock, by.one_ending, by.one_fee, by.one_remainder]
  return {
    claimSettlement: (one, dueAt) =>
      run('tx.claimSettlement', (session) => settlements.insert(session, fresh(one, dueAt), anyArbiter)),
    hasOpenSettlement: (taskId) =>
      run(
        'tx.hasOpenSettlement',
        (session) =>
          rowsOf(session, by.task, taskId, isOpenMove).length > 0 ||
          rowOf(session, channels.by.task_id_key, taskId)?.channel.status === 'closing',
      ),
    isGoingBack: (hash) =>
      run(
        'tx.isGoingBack',
        (session) =>
          rowsOf(
            session,
            by.subject,
            hash,
            ({ settlement: { status, purpose } }) => status !== 'refused' && purpose === 'stray',
          ).length > 0,
      ),
    lockSettlement: (id) =>
      run(
        'tx.lockSettlement',
        async (session) => (await lockRows(session, slotsOf(session, by.pkey, id), anything))[0]?.settlement ?? null,
      ),
    endSettlement: (id, end, at) =>
      run('tx.endSettlement', async (session) => {
        await settlements.update(session, slotsOf(session, by.pkey, id), anything, (row) => ended(row, end, at))
      }),
    ...secondThoughts(deps),
  }
}

function fresh(one: Settlement, dueAt: Date): SettlementRow {
  const settlement = {
    ...one,
    order: jsonb(one.order),
    rating: jsonb(one.rating),
    txHash: null,
    attempts: 0,
    isWaiting: false,
  }
  return {
    settlement,
    blockNumber: null,
    code: null,
    dueAt: dueAt.getTime(),
    updatedAt: one.createdAt.getTime(),
    proofDueAt: -Infinity,
    watchUntil: null,
    lastRefusal: null,
  }
}

function ended(row: SettlementRow, end: SettlementEnd, at: Date): SettlementRow {
  const { settlement } = row
  return changeSettlement(row, {
    settlement: {
      status: end.status,
      txHash: end.txHash ?? settlement.txHash,
      order: end.order === undefined ? settlement.order : jsonb(end.order),
      sentUntil: latest(settlement.sentUntil, end.sentUntil),
    },
    blockNumber: end.blockNumber ?? row.blockNumber,
    code: end.code ?? (end.status === 'refused' ? row.code : null),
    dueAt: end.dueAt?.getTime() ?? row.dueAt,
    updatedAt: at.getTime(),
    watchUntil: end.watchUntil?.getTime() ?? null,
    lastRefusal: end.refusal ?? row.lastRefusal,
  })
}

function secondThoughts({
  disk: {
    tables: { settlements },
  },
  run,
}: TxDeps): Part<'confirmRefused' | 'reviveFeeOf' | 'refuseFeeOf' | 'refuseRemainderOf'> {
  const { by } = settlements
  const refuse = (label: string, purpose: 'fee' | 'remainder') => (key: string, at: Date) =>
    run(label, async (session) => {
      const where = ({ settlement }: SettlementRow): boolean =>
        settlement.purpose === purpose &&
        (settlement.status === 'claimed' || (purpose === 'fee' && settlement.status === 'in_doubt'))
      const slots = slotsOf(session, purpose === 'fee' ? by.submission : by.task, key, where)
      const refused = await settlements.update(session, slots, where, (row) =>
        changeSettlement(row, { settlement: { status: 'refused' }, updatedAt: at.getTime() }),
      )
      return refused[0]?.settlement ?? null
    })
  const refuseRemainder = refuse('tx.refuseRemainderOf', 'remainder')
  /** Asked once, when the statement begins: what is waited for does not change the answer. */
  const isTaken = (session: Session, { settlement: { subject, purpose } }: SettlementRow): boolean =>
    rowsOf(
      session,
      by.subject,
      subject,
      ({ settlement }) => settlement.purpose === purpose && settlement.status !== 'refused',
    ).length > 0
  return {
    confirmRefused: (id, { txHash, blockNumber }, at) =>
      run('tx.confirmRefused', async (session) => {
        const where = ({ settlement }: SettlementRow): boolean => settlement.status === 'refused'
        const slots = slotsOf(session, by.pkey, id, (row) => where(row) && !isTaken(session, row))
        const confirmed = await settlements.update(session, slots, where, (row) =>
          changeSettlement(row, {
            settlement: { status: 'confirmed', txHash: txHash ?? null },
            blockNumber: blockNumber ?? null,
            code: null,
            watchUntil: null,
            updatedAt: at.getTime(),
          }),
        )
        return confirmed.length > 0
      }),
    reviveFeeOf: (submissionId, at) =>
      run('tx.reviveFeeOf', async (session) => {
        const refused = rowsOf(
          session,
          by.submission,
          submissionId,
          ({ settlement }) => settlement.purpose === 'fee' && settlement.status === 'refused',
        )
        const newest = sortedBy(refused, ({ settlement }) => settlement.createdAt.getTime()).at(-1)
        if (newest === undefined || isTaken(session, newest)) return
        await settlements.update(session, slotsOf(session, by.pkey, newest.settlement.id), anything, (row) =>
          changeSettlement(row, {
            settlement: { status: 'claimed' },
            code: null,
            dueAt: at.getTime(),
            updatedAt: at.getTime(),
          }),
        )
      }),
    refuseFeeOf: refuse('tx.refuseFeeOf', 'fee'),
    refuseRemainderOf: async (taskId, at) => {
      await refuseRemainder(taskId, at)
    },
  }
}
