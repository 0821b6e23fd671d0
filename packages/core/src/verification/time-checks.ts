import type { Check } from '../submissions/submission.ts'
import { failed, inconclusive, notApplicable, passed } from './outcome.ts'
import { say, type Reason } from './reasons.ts'
import type { VerificationScene } from './scene.ts'

const slackMs = 120_000
const clockMs = 300_000
/** A clock that is set wrongly, or to another zone; a photo of last week is not explained by it. */
const skewMostMs = 3 * 3_600_000
const zoneHours = 3
const degreesPerHour = 15

/**
 * Captured while the task was the worker's: not before the assignment, not after it came in, not after the deadline. A
 * clock that is off by as much as the device says about it explains a time outside, but proves none inside.
 */
export function timeWindow(scene: VerificationScene): Check {
  const taken = scene.files.flatMap(({ facts }) => facts?.exif?.takenAt ?? [])
  const times = [scene.fix?.at ?? [], taken].flat()
  if (times.length === 0) return notApplicable('time_window', say('no_capture_time'))
  const outside = times
    .map((time) => ({ time, says: outsideOf(scene, time.getTime()) }))
    .filter((one): one is { readonly time: Date; readonly says: Outside } => one.says !== null)
  const [first] = outside
  if (first === undefined) return passed('time_window', say('captured_in_time'))
  const skew = scene.device.clock === null ? 0 : scene.device.clock.getTime() - scene.receivedAt.getTime()
  const unexplained =
    Math.abs(skew) > skewMostMs ? first : outside.find(({ time }) => outsideOf(scene, time.getTime() - skew) !== null)
  if (unexplained !== undefined) return failed('time_window', sayOutside(unexplained.says))
  return inconclusive('time_window', sayOutside(first.says, seconds(skew)))
}

type Outside = { readonly early_s: number } | { readonly late_s: number }

function sayOutside(outside: Outside, off?: number): Reason {
  if ('early_s' in outside)
    return off === undefined
      ? say('captured_before_assignment', outside)
      : say('captured_before_assignment_by_wrong_clock', { ...outside, clock_off_s: off })
  return off === undefined
    ? say('captured_too_late', outside)
    : say('captured_too_late_by_wrong_clock', { ...outside, clock_off_s: off })
}

/** Null for a moment within the window. */
function outsideOf({ assignedAt, receivedAt, deadline }: VerificationScene, at: number): Outside | null {
  const to = Math.min(receivedAt.getTime() + slackMs, deadline.getTime())
  if (at < assignedAt.getTime() - slackMs) return { early_s: seconds(assignedAt.getTime() - at) }
  return at > to ? { late_s: seconds(at - to) } : null
}

/** A device whose clock or zone does not fit the place it claims. */
export function clock({ device, fix, receivedAt }: VerificationScene): Check {
  const off = device.clock === null ? null : Math.abs(device.clock.getTime() - receivedAt.getTime())
  const zone =
    device.utcOffsetMin === null || fix === null ? null : hoursApart(device.utcOffsetMin / 60, fix.lng / degreesPerHour)
  if (off === null && zone === null) return notApplicable('clock', say('clock_untold'))
  if (off !== null && off > clockMs) return inconclusive('clock', say('clock_off', { clock_off_s: seconds(off) }))
  if (zone !== null && zone > zoneHours)
    return inconclusive('clock', say('zone_off', { apart_h: Number(zone.toFixed(1)) }))
  return passed('clock', say('clock_fits'))
}

/** Around the clock the shorter way. */
function hoursApart(one: number, other: number): number {
  const apart = Math.abs(one - other) % 24
  return Math.min(apart, 24 - apart)
}

/** Whole seconds that are over: rounding up would round the minutes of the sentence twice. */
const seconds = (ms: number): number => Math.floor(Math.abs(ms) / 1_000)
