import assert from 'node:assert/strict'
import { jsonb } from '../jsonb.ts'
import { lockRows, rowOf, rowsOf, slotsOf } from '../engine/table.ts'
import { keyOf } from '../schema.ts'
import { changeTasks, anything } from './task-tx.ts'
import type { Part, TxDeps } from './parts.ts'

type MoneyPart = Part<
  'claimSettlement' | 'hasOpenSettlement' | 'lockSettlement' | 'endSettlement' | 'refuseFeeOf' | 'refuseRemainderOf' | 'putEscrow' | 'escrowPayment' | 'clearEscrow' | 'settleFee' | 'ledgerBalance' | 'addPaymentEvent' | 'post' | 'endSweep'
>

export const isOpenMove = ({ settlement: { status, purpose } }: { readonly settlement: { readonly status: string; readonly purpose: string } }): boolean => (status === 'claimed' || status === 'in_doubt') && purpose !== 'fee'

export function moneyTx(deps: TxDeps): MoneyPart {
  return { ...settlementTx(deps), ...escrowTx(deps), ...bookTx(deps) }
}

function settlementTx({ disk: { tables: { settlements } }, run }: TxDeps): Part<'claimSettlement' | 'hasOpenSettlement' | 'lockSettlement' | 'endSettlement' | 'refuseFeeOf' | 'refuseRemainderOf'> {
  const { by } = settlements
  const anyArbiter = [by.pkey, by.one_lock, by.one_ending, by.one_fee, by.one_remainder]
  const refuse = (label: string, purpose: 'fee' | 'remainder') => (submissionId: string, at: Date) => run(label, async (session) => {
    const where = ({ settlement }: { readonly settlement: { readonly purpose: string; readonly status: string } }): boolean => settlement.purpose === purpose && settlement.status === 'claimed'
    await settlements.update(session, slotsOf(session, by.submission, submissionId, where), where, (row) => ({ ...row, settlement: { ...row.settlement, status: 'refused' }, updatedAt: at.getTime() }))
  })
  return {
    claimSettlement: (one, dueAt) => run('tx.claimSettlement', (session) => {
      const at = one.createdAt.getTime()
      const settlement = { ...one, order: jsonb(one.order), rating: jsonb(one.rating), txHash: null, attempts: 0 }
      return settlements.insert(session, { settlement, blockNumber: null, code: null, dueAt: dueAt.getTime(), updatedAt: at, proofDueAt: -Infinity }, anyArbiter)
    }),
    hasOpenSettlement: (taskId) => run('tx.hasOpenSettlement', (session) => rowsOf(session, by.task, taskId, isOpenMove).length > 0),
    lockSettlement: (id) => run('tx.lockSettlement', async (session) => (await lockRows(session, slotsOf(session, by.pkey, id), anything))[0]?.settlement ?? null),
    endSettlement: (id, end, at) => run('tx.endSettlement', async (session) => {
      await settlements.update(session, slotsOf(session, by.pkey, id), anything, (row) => ({
        ...row,
        settlement: { ...row.settlement, status: end.status, txHash: end.txHash ?? row.settlement.txHash },
        blockNumber: end.blockNumber ?? row.blockNumber, code: end.code ?? null, dueAt: end.dueAt?.getTime() ?? row.dueAt, updatedAt: at.getTime(),
      }))
    }),
    refuseFeeOf: refuse('tx.refuseFeeOf', 'fee'),
    refuseRemainderOf: refuse('tx.refuseRemainderOf', 'remainder'),
  }
}

function escrowTx({ disk, run }: TxDeps): Part<'putEscrow' | 'escrowPayment' | 'clearEscrow' | 'settleFee'> {
  const { escrows } = disk.tables
  return {
    putEscrow: (taskId, given) => run('tx.putEscrow', async (session) => {
      const payment = jsonb(given)
      await escrows.upsert(session, { taskId, payment, auditDueAt: -Infinity }, escrows.by.pkey, (row) => ({ ...row, payment }))
    }),
    escrowPayment: (taskId) => run('tx.escrowPayment', (session) => rowOf(session, escrows.by.pkey, taskId)?.payment ?? null),
    clearEscrow: (taskId) => run('tx.clearEscrow', async (session) => { await escrows.remove(session, slotsOf(session, escrows.by.pkey, taskId), anything) }),
    settleFee: (taskId, txHash, at) => run('tx.settleFee', async (session) => {
      const settled = await changeTasks(disk, session, taskId, (row) => ({ ...row, task: { ...row.task, feeTx: txHash, updatedAt: at }, paymentBlock: txHash === null ? null : row.paymentBlock }), ({ task, paymentBlock }) => task.feeTx === null && paymentBlock !== null)
      return settled.length > 0
    }),
  }
}

function bookTx({ disk, run }: TxDeps): Part<'ledgerBalance' | 'addPaymentEvent' | 'post' | 'endSweep'> {
  const { ledger, paymentEvents, sweeps } = disk.tables
  return {
    ledgerBalance: (asset, account) => run('tx.ledgerBalance', (session) => rowsOf(session, ledger.by.account, keyOf(asset.network, asset.symbol, account)).reduce((sum, { atomic }) => sum + atomic, 0n)),
    addPaymentEvent: (one) => run('tx.addPaymentEvent', async (session) => { await paymentEvents.insert(session, one) }),
    post: async (journal) => {
      assert(journal.postings.reduce((sum, one) => sum + one.atomic, 0n) === 0n, 'a journal adds up to zero')
      const { id, taskId, asset: { network, symbol: token }, at } = journal
      return run('tx.post', async (session) => {
        for (const { account, atomic } of journal.postings) await ledger.insert(session, { seq: disk.nextSeq(), journal: id, taskId, network, token, account, atomic, at })
      })
    },
    endSweep: (id, end, at) => run('tx.endSweep', async (session) => {
      const where = ({ status }: { readonly status: string }): boolean => status === 'open'
      const ended = await sweeps.update(session, slotsOf(session, sweeps.by.pkey, id, where), where, (row) => ({
        ...row, status: end.status, txHash: end.txHash ?? row.txHash, blockNumber: end.blockNumber ?? row.blockNumber, amount: end.amount ?? row.amount, dueAt: end.dueAt?.getTime() ?? row.dueAt, updatedAt: at.getTime(),
      }))
      return ended.length > 0
    }),
  }
}
