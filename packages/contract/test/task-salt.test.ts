import fc from 'fast-check'
import { expect, test } from 'vitest'
import { otherTaskIn, saltOf } from '../src/facts/task-salt.ts'

const uuid = fc.uuid({ version: 7 })
const wide = fc.bigInt({ min: 0n, max: 2n ** 256n - 1n })

test('a salt carries its task, whatever the random half is, and never outgrows 256 bits', () => {
  fc.assert(
    fc.property(uuid, wide, (id, random) => {
      const salt = saltOf(id, random)
      expect(otherTaskIn(salt, id)).toBeNull()
      expect(salt >> 256n).toBe(0n)
      expect(BigInt.asUintN(128, salt)).toBe(BigInt.asUintN(128, random))
    }),
  )
})

test('for every other task it names the one it carries', () => {
  fc.assert(
    fc.property(uuid, uuid, wide, (id, other, random) => {
      fc.pre(id !== other)
      expect(otherTaskIn(saltOf(id, random), other)).toBe(id)
    }),
  )
})

test.each([
  ['nothing', 0n],
  ['ones alone', 2n ** 256n - 1n],
  ['another version of id', saltOf('01950000-0000-4000-8000-000000000001', 1n)],
  ['another variant of id', saltOf('01950000-0000-7000-c000-000000000001', 1n)],
])('a salt of %s carries no task', (_what, salt) => {
  expect(otherTaskIn(salt, '01950000-0000-7000-8000-000000000001')).toBeNull()
})
