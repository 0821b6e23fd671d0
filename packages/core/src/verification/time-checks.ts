import type { Check } from '../submissions/submission.ts'
import { failed, inconclusive, notApplicable, passed } from './outcome.ts'
import type { VerificationScene } from './scene.ts'

const slackMs = 120_000
const clockMs = 300_000
const zoneHours = 3
const degreesPerHour = 15

/** Captured while the task was the worker's: not before the assignment, not after it came in, not after the deadline. */
export function timeWindow(scene: VerificationScene): Check {
  const taken = scene.files.flatMap(({ facts }) => (facts?.exif?.takenAt ?? []))
  const times = [scene.fix?.at ?? [], taken].flat()
  if (times.length === 0) return notApplicable('time_window', 'nothing says when it was captured')
  const from = scene.assignedAt.getTime() - slackMs
  const to = Math.min(scene.receivedAt.getTime() + slackMs, scene.deadline.getTime())
  const early = times.find((time) => time.getTime() < from)
  if (early !== undefined) return failed('time_window', `captured ${span(scene.assignedAt.getTime() - early.getTime())} before the task was assigned`)
  const late = times.find((time) => time.getTime() > to)
  if (late !== undefined) return failed('time_window', `captured ${span(late.getTime() - to)} after it can have been`)
  return passed('time_window', 'captured between assignment and submission')
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
