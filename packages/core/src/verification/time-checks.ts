import type { Check } from '../submissions/submission.ts'
import { failed, inconclusive, notApplicable, passed } from './outcome.ts'
import type { VerificationScene } from './scene.ts'

const slackMs = 120_000
const clockMs = 300_000
/** A clock that is set wrongly, or to another zone; a photo of last week is not explained by it. */
const skewMostMs = 3 * 3_600_000
const zoneHours = 3
const degreesPerHour = 15

/**
 * Captured while the task was the worker's: not before the assignment, not after it came in, not after the deadline. A
 * clock that is off by as much as the device says of it explains a time outside, but proves none inside.
 */
export function timeWindow(scene: VerificationScene): Check {
  const taken = scene.files.flatMap(({ facts }) => (facts?.exif?.takenAt ?? []))
  const times = [scene.fix?.at ?? [], taken].flat()
  if (times.length === 0) return notApplicable('time_window', 'nothing says when it was captured')
  const outside = times.map((time) => ({ time, says: outsideOf(scene, time.getTime()) })).filter((one): one is { readonly time: Date; readonly says: string } => one.says !== null)
  const [first] = outside
  if (first === undefined) return passed('time_window', 'captured between assignment and submission')
  const skew = scene.device.clock === null ? 0 : scene.device.clock.getTime() - scene.receivedAt.getTime()
  const unexplained = Math.abs(skew) > skewMostMs ? first : outside.find(({ time }) => outsideOf(scene, time.getTime() - skew) !== null)
  if (unexplained !== undefined) return failed('time_window', unexplained.says)
  return inconclusive('time_window', `${first.says}, by a clock that is off by ${span(skew)}`)
}

/** Null for a moment within the window. */
function outsideOf({ assignedAt, receivedAt, deadline }: VerificationScene, at: number): string | null {
  const to = Math.min(receivedAt.getTime() + slackMs, deadline.getTime())
  if (at < assignedAt.getTime() - slackMs) return `captured ${span(assignedAt.getTime() - at)} before the task was assigned`
  return at > to ? `captured ${span(at - to)} after it can have been` : null
}

/** A device whose clock or zone does not fit the place it claims. */
export function clock({ device, fix, receivedAt }: VerificationScene): Check {
  const off = device.clock === null ? null : Math.abs(device.clock.getTime() - receivedAt.getTime())
  const zone = device.utcOffsetMin === null || fix === null ? null : hoursApart(device.utcOffsetMin / 60, fix.lng / degreesPerHour)
  if (off === null && zone === null) return notApplicable('clock', 'the device told nothing of its clock')
  if (off !== null && off > clockMs) return inconclusive('clock', `the clock of the device is off by ${span(off)}`)
  if (zone !== null && zone > zoneHours) return inconclusive('clock', `the zone of the device is ${zone.toFixed(1)} hours from where it claims to be`)
  return passed('clock', 'clock and zone of the device fit')
}

/** Around the clock the shorter way. */
function hoursApart(one: number, other: number): number {
  const apart = Math.abs(one - other) % 24
  return Math.min(apart, 24 - apart)
}

function span(ms: number): string {
  const minutes = Math.max(1, Math.round(Math.abs(ms) / 60_000))
  return minutes < 120 ? `${String(minutes)} min` : `${String(Math.round(minutes / 60))} h`
}
