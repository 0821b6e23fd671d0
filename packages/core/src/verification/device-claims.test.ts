import { expect, test } from 'vitest'
import { deviceClaims } from './device-claims.ts'

const at = new Date('2026-11-21T12:00:00Z')
const told = (metadata: Readonly<Record<string, unknown>> | null) => Object.values(deviceClaims(metadata))

test('a device tells its clock as an instant with its zone, and nothing longer', () => {
  const padded = (digits: number): string => `2026-11-21T12:00:00.${'0'.repeat(digits)}Z`
  expect(padded(19)).toHaveLength(40)
  expect(told({ clock: padded(19) })).toEqual([at, null])
  for (const clock of [padded(20), '2026-11-21T12:00:00', 'noon', 5, null])
    expect(told({ clock })).toEqual([null, null])
})

test('a device tells its zone in whole minutes, of fourteen hours at most', () => {
  for (const zone of [0, 840, -840]) expect(told({ utc_offset_minutes: zone })).toEqual([null, zone])
  for (const zone of [841, -841, 0.5, '60', null]) expect(told({ utc_offset_minutes: zone })).toEqual([null, null])
})

test('a device that tells nothing claims nothing', () => {
  for (const metadata of [null, {}]) expect(told(metadata)).toEqual([null, null])
})
