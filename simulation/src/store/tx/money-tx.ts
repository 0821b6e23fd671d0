import assert from 'node:assert/strict'
import { MarketError } from '@ergon/core'
import { DatabaseError } from '../engine/errors.ts'
import { jsonb } from '../jsonb.ts'
import { rowOf, rowsOf, slotsOf } from '../engine/table.ts'
import { keyOf } from '../schema.ts'
import { changeTasks, anything } from './task-tx.ts'
import type { Part, TxDeps } from './parts.ts'

type MoneyPart = Part<
  | 'putEscrow'
  | 'escrowPayment'
  | 'clearEscrow'
  | 'settleFee'
  | 'ledgerBalance'
  | 'addPaymentEvent'
  | 'post'
  | 'endSweep'
>

export function moneyTx(deps: TxDeps): MoneyPart {
  return { ...escrowTx(deps), ...bookTx(deps) }
}

function escrowTx({ disk, run }: TxDeps): Part<'putEscrow' | 'escrowPayment' | 'clearEscrow' | 'settleFee'> {
  const { escrows } = disk.tables
  return {
    putEscrow: (taskId, given) =>
      run('tx.putEscrow', async (session) => {
        const payment = jsonb(given)
        await escrows.upsert(
          session,
          { taskId, payment, auditDueAt: -Infinity, standingOrder: null },
          escrows.by.pkey,
          (row) => ({
            ...row,
            payment,
          }),
        )
      }).catch((error: unknown) => {
        const isAnothers = error instanceof DatabaseError && error.constraint === escrows.by.hash_key.name
        throw isAnothers ? new MarketError('PAYMENT_AUTH_USED', { task_id: taskId }, { cause: error }) : error
      }),
    escrowPayment: (taskId) =>
      run('tx.escrowPayment', (session) => rowOf(session, escrows.by.pkey, taskId)?.payment ?? null),
    clearEscrow: (taskId) =>
      run('tx.clearEscrow', async (session) => {
        await escrows.remove(session, slotsOf(session, escrows.by.pkey, taskId), anything)
      }),
    settleFee: (taskId, txHash, at) =>
      run('tx.settleFee', async (session) => {
        const settled = await changeTasks(
          disk,
          session,
          taskId,
          (row) => ({
            ...row,
            task: { ...row.task, feeTx: txHash, updatedAt: at },
            paymentBlock: txHash === null ? null : row.paymentBlock,
          }),
          ({ task, paymentBlock }) => task.feeTx === null && paymentBlock !== null,
        )
        return settled.length > 0
      }),
  }
}

function bookTx({ disk, run }: TxDeps): Part<'ledgerBalance' | 'addPaymentEvent' | 'post' | 'endSweep'> {
  const { ledger, paymentEvents, sweeps } = disk.tables
  return {
    ledgerBalance: (asset, account) =>
      run('tx.ledgerBalance', (session) =>
        rowsOf(session, ledger.by.account, keyOf(asset.network, asset.symbol, account)).reduce(
          (sum, { atomic }) => sum + atomic,
          0n,
        ),
      ),
    addPaymentEvent: (one) =>
      run('tx.addPaymentEvent', async (session) => {
        await paymentEvents.insert(session, one)
      }),
    post: async (journal) => {
      assert(journal.postings.reduce((sum, one) => sum + one.atomic, 0n) === 0n, 'a journal adds up to zero')
      const {
        id,
        taskId,
        asset: { network, symbol: token },
        at,
      } = journal
      return run('tx.post', async (session) => {
        for (const { account, atomic } of journal.postings)
          await ledger.insert(session, {
            seq: disk.nextSeq(),
            journal: id,
            taskId,
            network,
            token,
            account,
            atomic,
            at,
          })
      })
    },
    endSweep: (id, end, at) =>
      run('tx.endSweep', async (session) => {
        const where = ({ status }: { readonly status: string }): boolean => status === 'open'
        const ended = await sweeps.update(session, slotsOf(session, sweeps.by.pkey, id, where), where, (row) => ({
          ...row,
          status: end.status,
          txHash: end.txHash ?? row.txHash,
          blockNumber: end.blockNumber ?? row.blockNumber,
          amount: end.amount ?? row.amount,
          dueAt: end.dueAt?.getTime() ?? row.dueAt,
          updatedAt: at.getTime(),
        }))
        return ended.length > 0
      }),
  }
}
