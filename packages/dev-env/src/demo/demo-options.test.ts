import { expect, test } from 'vitest'
import { readDemoOptions } from './demo-options.ts'

test('no option is needed', () => {
  expect(readDemoOptions([])).toEqual({
    via: 'rest',
    json: false,
    all: false,
    keep: false,
    help: false,
    bountyAtomic: 1_000_000n,
    paymentMode: undefined,
    isMetered: false,
    dataDir: undefined,
  })
})

test.each([
  ['0.01', 10_000n],
  ['100', 100_000_000n],
  ['2.5', 2_500_000n],
  ['1.000001', 1_000_001n],
])('a bounty of %s is %s atomic units', (text, atomic) => {
  expect(readDemoOptions(['--bounty', text]).bountyAtomic).toBe(atomic)
})

test.each([
  ['--bounty', '0.009'],
  ['--bounty', '100.01'],
  ['--bounty', '1.0000001'],
  ['--bounty', '1e1'],
  ['--bounty', '-1'],
  ['--bounty', ''],
  ['--mode', 'fase3'],
  ['--kep'],
  ['stray'],
  ['--via', 'post'],
  ['--mode', 'channel', '--all'],
])('a wrong word is refused: %s %s', (...args) => {
  expect(() => readDemoOptions(args.filter((word) => word !== undefined))).toThrow()
})

test('the metered job is a mode of its own, told over HTTP alone', () => {
  expect(readDemoOptions(['--mode', 'channel'])).toMatchObject({ isMetered: true, paymentMode: undefined })
  expect(() => readDemoOptions(['--mode', 'channel', '--via', 'cli'])).toThrow(/--via/)
})
