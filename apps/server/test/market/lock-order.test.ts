import { expect, test } from 'vitest'
import { watchLocks } from './lock-order.ts'
import { openStageDatabase } from './stage-database.ts'

const [one, other] = ['01890a5d-ac96-774b-bcce-b302099a8057', '01890a5d-ac96-774b-bcce-b302099a8058'] as const

test('every stage of a market tells of locks that two transactions could wait for in a circle', async () => {
  const { store, drop } = await openStageDatabase()
  const broken: string[] = []
  const watched = watchLocks(store, broken)
  await watched.transaction(async (tx) => {
    await tx.lockListing(one)
    await tx.lockTask(one)
    await tx.lockSettlement(one)
    await tx.lockSubmission(one)
    await tx.lockTask(one)
  })
  await watched.transaction((tx) => tx.lockDispute(one))
  expect(broken).toEqual([])
  await watched.transaction(async (tx) => {
    await tx.lockDispute(one)
    await tx.lockRulingOf(other)
    await tx.lockTask(one)
  })
  await watched.transaction(async (tx) => {
    await tx.lockTask(one)
    await tx.lockTask(other)
    await tx.lockLiveStreams('0x1')
  })
  expect(broken).toEqual([
    `lockRulingOf(["${other}"]) after lockDispute(["${one}"])`,
    `lockTask(["${one}"]) after lockDispute(["${one}"])`,
    `lockTask(["${other}"]) after lockTask(["${one}"])`,
    `lockLiveStreams(["0x1"]) after lockTask(["${one}"])`,
  ])
  await drop()
})
