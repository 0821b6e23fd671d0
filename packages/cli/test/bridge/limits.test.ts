import { describe, expect, test } from 'vitest'
import { explain } from '../../src/bridge/explain.ts'
import { entryFor, readLimits, type Entry } from '../../src/bridge/limits-of-signing.ts'
import {
  lock,
  lockWithWord,
  now,
  release,
  scene,
  settlement,
  taskId,
  termsOf,
  transfer,
  type Answered,
} from './scene.ts'

const read = ({ body, call }: Answered) => explain(body, call, scene)
const limits = { perTask: 3_000_000n, perDay: 5_000_000n }
const line = (change: Partial<Entry>): Entry => ({
  at: now,
  act: 'lock',
  task: 'another',
  amount: '0',
  counted: '0',
  token: 'USDC',
  network: 'localnet',
  to: null,
  payment: null,
  ...change,
})

describe('a limit is the last amount that is signed', () => {
  const rows = [
    ['the last millionth of a task', line({ task: taskId, counted: '1930000' }), true],
    ['one more', line({ task: taskId, counted: '1930001' }), false],
    ['a task of long ago still counts for itself', line({ task: taskId, counted: '1930001', at: now - 9e7 }), false],
    ['the last millionth of a day', line({ counted: '3930000' }), true],
    ['one more of a day', line({ counted: '3930001' }), false],
    ['what was signed 24 hours ago is of another day', line({ counted: '3930001', at: now - 86_400 }), true],
    ['and a second later is not', line({ counted: '3930001', at: now - 86_399 }), false],
    ['a clock that was set back forgets nothing', line({ counted: '3930001', at: now + 1_000 }), false],
  ] as const
  test.each(rows)('%s', (_says, entry, isSigned) => {
    const sign = () => entryFor(read(lock()), [entry], limits, now)
    if (isSigned) expect(sign()).toMatchObject({ counted: '1070000', task: taskId })
    else expect(sign).toThrow(/past the limit per (task|day)/)
  })
})

test('what was locked through the bridge is released without counting twice, and what was not counts', () => {
  const locked = entryFor(read(lock()), [], limits, now)
  expect(entryFor(read(release()), [locked], limits, now)).toMatchObject({ counted: '0', amount: '1070000' })
  expect(entryFor(read(release()), [], limits, now)).toMatchObject({ counted: '1070000' })
  const foreign = release({ info: { ...termsOf(lock()), salt: 5n } })
  expect(entryFor(read(foreign), [locked], limits, now)).toMatchObject({
    counted: '1070000',
    task: expect.stringMatching(/^0x[0-9a-f]{64}$/),
  })
})

test('the word for silence counts nothing beside its lock, and everything without it', () => {
  const statement = read(lockWithWord())
  const word = statement.besides ?? expect.unreachable('it is explained')
  const tight = { perTask: 1_070_000n, perDay: 1_070_000n }
  const locked = entryFor(statement, [], tight, now)
  expect(entryFor(word, [locked], tight, now)).toMatchObject({ act: 'standing', counted: '0', amount: '1070000' })
  expect(entryFor(word, [], tight, now)).toMatchObject({ counted: '1070000' })
})

test('a settlement counts what leaves the escrow, unless as much was locked through the bridge', () => {
  const locked = entryFor(read(lock()), [], limits, now)
  expect(entryFor(read(settlement()), [locked], limits, now)).toMatchObject({ act: 'settlement', counted: '0' })
  expect(entryFor(read(settlement()), [], limits, now)).toMatchObject({ counted: '500000' })
  expect(entryFor(read(settlement()), [{ ...locked, amount: '499999' }], limits, now)).toMatchObject({
    counted: '500000',
  })
  expect(() => entryFor(read(settlement()), [], { perTask: 499_999n, perDay: 499_999n }, now)).toThrow(/per task/)
})

test('worker and fee of a direct payment count together', () => {
  const tight = { perTask: 1_070_000n, perDay: 5_000_000n }
  const first = entryFor(read(transfer('worker')), [], tight, now)
  const second = entryFor(read(transfer('fee')), [first], tight, now)
  expect(BigInt(first.counted) + BigInt(second.counted)).toBe(1_070_000n)
  expect(() => entryFor(read(transfer('fee')), [first, second], tight, now)).toThrow(/per task/)
})

describe('a task is locked as it was published', () => {
  const agreed = line({ act: 'agreed', task: taskId, amount: '1070000' })
  test.each([
    ['the same', agreed, null],
    ['of another task', { ...agreed, task: 'another', amount: '1' }, null],
    ['another amount', { ...agreed, amount: '1000000' }, /published with 1.00/],
    ['another token', { ...agreed, token: 'EURC' }, /published in EURC/],
    ['another network', { ...agreed, network: 'base' }, /published on base/],
  ] as const)('%s', (_says, entry, why) => {
    const sign = () => entryFor(read(lock()), [entry], limits, now)
    if (why === null) expect(sign()).toMatchObject({ act: 'lock' })
    else expect(sign).toThrow(why)
  })
  test('the last word is that of an edit', () => {
    const edited = { ...agreed, amount: '2000000' }
    expect(() => entryFor(read(lock()), [agreed, edited], limits, now)).toThrow(/published with 2.00/)
  })
})

test.each([
  ['5', '20', { perTask: 5_000_000n, perDay: 20_000_000n }],
  ['0.000001', '0.000001', { perTask: 1n, perDay: 1n }],
  ['5', '4', null],
  ['0', '4', null],
  ['-1', '4', null],
  ['1e3', '4', null],
  ['1.0000001', '4', null],
  [5, 20, null],
] as const)('limits of %s and %s', (per_task_usd, per_day_usd, read) => {
  const written = { per_task_usd, per_day_usd } as Parameters<typeof readLimits>[0]
  if (read === null) expect(() => readLimits(written)).toThrow(/limit/)
  else expect(readLimits(written)).toEqual(read)
})
