import { expect, test } from 'vitest'
import { createDisk } from '../../src/store/engine/database.ts'
import { allSlots, createTable, takeFree, unique } from '../../src/store/engine/table.ts'

type Row = { readonly id: string; readonly dueAt: number }
const anything = (): boolean => true

test('who skips what is locked takes several rows at once, and meets nobody who takes them one after the other', async () => {
  const disk = createDisk()
  const rows = createTable({ name: 'rows', by: { pkey: unique<Row>(({ id }) => id) } })
  const open = (name: string): ReturnType<typeof disk.open> => disk.open(name, () => undefined)
  const first = open('first')
  for (const [id, dueAt] of [
    ['a', 2],
    ['b', 1],
    ['c', 3],
  ] as const)
    await rows.insert(first, { id, dueAt })
  disk.commit(first)
  const [leasing, renewing, late] = [open('leasing'), open('renewing'), open('late')]
  const taken = takeFree(leasing, allSlots(leasing, rows, anything), ({ dueAt }) => dueAt, 2)
  const leased = rows.update(leasing, taken, anything, (row) => ({ ...row, dueAt: 9 }))
  const renewed = rows.update(renewing, allSlots(renewing, rows, anything), anything, (row) => row)
  expect((await leased).map(({ id }) => id)).toEqual(['b', 'a'])
  const left = takeFree(late, allSlots(late, rows, anything), ({ dueAt }) => dueAt, 2)
  expect(left.map(({ committed }) => committed?.id)).toEqual(['c'])
  disk.undo(late, 'over')
  disk.commit(leasing)
  expect((await renewed).map(({ id, dueAt }) => [id, dueAt])).toEqual([
    ['a', 9],
    ['b', 9],
    ['c', 3],
  ])
})
