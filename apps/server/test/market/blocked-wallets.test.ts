import { expect, onTestFinished, test } from 'vitest'
import { caller } from './account-life.ts'
import { openStage } from './stage.ts'

test('a wallet blocks a thousand others and no more, until it takes one back', async () => {
  const stage = await openStage()
  onTestFinished(() => stage[Symbol.asyncDispose]())
  const { market, pool } = stage
  const mine = caller('7')
  const other = (index: number): string => `0x${index.toString(16).padStart(40, '0')}`
  await pool.query(
    `insert into blocks (id, blocker, blocked, created_at)
       select gen_random_uuid(), $1, '0x' || lpad(to_hex(i), 40, '0'), now() from generate_series(1, 999) i`,
    [mine.wallet],
  )
  const last = await market.block(mine, other(1_000))
  await expect(market.block(mine, other(1_001))).rejects.toMatchObject({
    code: 'VALIDATION_FAILED',
    details: { field: 'wallet' },
  })
  // What is kept is answered as it is, however many there are.
  expect(await market.block(mine, other(1_000))).toEqual(last)
  expect(await market.block(caller('8'), other(1_001))).toMatchObject({ blocked: other(1_001) })
  expect(await market.unblock(mine, other(5))).toBe(true)
  expect(await market.block(mine, other(1_001))).toMatchObject({ blocked: other(1_001) })
  const { rows } = await pool.query<{ count: bigint }>('select count(*) from blocks where blocker = $1', [mine.wallet])
  expect(rows[0]?.count).toBe(1_000n)
})
