import type { QueryConfig } from 'pg'
import { expect, test } from 'vitest'
import { createPostgresStore } from '../../src/adapters/postgres/index.ts'
import { leaveFeeUnpaid } from '../http/unpaid-fee.ts'
import { approval, openStage, publisher, submittedJob } from './stage.ts'

test('of many who publish at once those who owe a fee are told, and all ask by one statement after the first', async () => {
  await using stage = await openStage()
  const { taskId, submissionId } = await submittedJob(stage)
  await stage.market.approve(publisher, submissionId, await approval(stage, submissionId))
  await stage.market.duties.reconcile()
  await leaveFeeUnpaid((text, values) => stage.pool.query(text, [...values]), taskId)
  const asked: string[] = []
  const listening = Object.create(stage.pool, {
    query: {
      value: (statement: QueryConfig) => {
        if (statement.name === 'fees-owed-by') asked.push(statement.name)
        return stage.pool.query(statement)
      },
    },
  }) as typeof stage.pool // the same pool, and each statement is noted
  const store = createPostgresStore(listening, { identityNetwork: 'localnet' })
  const wallets = Array.from({ length: 40 }, (_, at) => (at % 10 === 3 ? publisher.wallet : `0x${String(at)}`))
  const owed = await Promise.all(wallets.map((wallet) => store.feeOwedBy(wallet)))
  expect(owed.map((one) => one?.taskId ?? null)).toEqual(
    wallets.map((wallet) => (wallet === publisher.wallet ? taskId : null)),
  )
  expect(asked.length).toBeLessThanOrEqual(2)
  // Whoever asks later reads anew.
  await stage.pool.query("delete from settlements where purpose = 'fee' and task_id = $1", [taskId])
  expect(await store.feeOwedBy(publisher.wallet)).toBeNull()
})
