import { expect, test } from 'vitest'
import { simulate } from './command.ts'

test('the same seed gives the same trace, byte for byte', async () => {
  const [one, other] = await Promise.all([simulate('--seed', '7'), simulate('--seed', '7')])
  expect(one.lines.length).toBeGreaterThan(50)
  expect(other.output).toBe(one.output)
})

test('a seed gives the same trace whoever has steps between its own', async () => {
  const [alone, abreast, fewer] = await Promise.all([
    simulate('--seeds', '100..130', '--digests'),
    simulate('--seeds', '100..130', '--digests', '--abreast', '16'),
    simulate('--seeds', '110..112', '--digests', '--abreast', '3'),
  ])
  expect(alone.lines).toHaveLength(31)
  expect(new Set(alone.lines.map((line) => line.split(' ')[1])).size).toBe(31)
  expect(abreast.lines).toEqual(alone.lines)
  expect(fewer.lines).toEqual(alone.lines.slice(10, 13))
})

test('the last line of a run in JSON counts its seeds, its failures and its faults', async () => {
  const { lines, code, output } = await simulate('--seeds', '1..40', '--json')
  const { seeds, failed, seeds_per_second, seeds_per_cpu_second, faults } = JSON.parse(lines.at(-1) ?? '') as Record<
    string,
    unknown
  >
  expect({ seeds, failed, code }, output).toEqual({ seeds: 40, failed: 0, code: 0 })
  expect(seeds_per_second).toBeGreaterThan(0)
  expect(seeds_per_cpu_second).toBeGreaterThan(0)
  expect(faults).toBeGreaterThan(0)
})

test('seeds shared out over processes are the same seeds', async () => {
  const [one, two] = await Promise.all([
    simulate('--seeds', '1..60', '--json'),
    simulate('--seeds', '1..60', '--json', '--workers', '2'),
  ])
  const faultsOf = (lines: readonly string[]): unknown =>
    (JSON.parse(lines.at(-1) ?? '{}') as Record<string, unknown>)['faults']
  expect(faultsOf(two.lines)).toBe(faultsOf(one.lines))
})
