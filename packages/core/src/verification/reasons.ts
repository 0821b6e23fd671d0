import type { CheckReasonCode } from '@ergon/contract'
import type { CheckFigures } from '../submissions/submission.ts'

type Distances = { readonly distance_m: number; readonly accuracy_m: number; readonly radius_m: number }
/** `apart_most_s` where the clock of the service and that of the device differ; the speed is then the lower one. */
type Journey = {
  readonly distance_m: number
  readonly apart_s: number
  readonly apart_most_s?: number
  readonly speed_kmh: number
}

const fromPlace = ({ distance_m, accuracy_m, radius_m }: Distances): string =>
  `${metres(distance_m)} from the place, known to ${metres(accuracy_m)}; ${metres(radius_m)} count`
const claimed = ({ accuracy_m }: { readonly accuracy_m: number }): string => `the device claims ${metres(accuracy_m)}`
const travelled = ({ distance_m, apart_s, apart_most_s, speed_kmh }: Journey): string =>
  `${metres(distance_m)} in ${String(apart_s)}${apart_most_s === undefined ? '' : ` to ${String(apart_most_s)}`} s since an earlier position: ${String(speed_kmh)} km/h${apart_most_s === undefined ? '' : ' at least'}`
const counted = (some: number, all: number, what: string): string =>
  `${String(some)} of ${String(all)} ${all === 1 ? `${what} was` : `${what}s were`}`
const early = ({ early_s }: { readonly early_s: number }): string =>
  `captured ${span(early_s)} before the task was assigned`
const late = ({ late_s }: { readonly late_s: number }): string => `captured ${span(late_s)} after it can have been`
const alike = ({ bits }: { readonly bits: number }): string =>
  `a picture differs from an earlier one by ${String(bits)} of 64 bits`

/**
 * Why a check answers as it does: each code with its English sentence, made of nothing but its figures, so that whoever
 * has code and figures can say it in any language. A code of the contract without a sentence does not compile.
 */
export const reasonSentences = {
  evidence_complete: () => 'every required type is there and keeps its rule',
  no_place: () => 'the task names no place',
  no_position: () => 'no position was handed in',
  within_radius: fromPlace,
  outside_radius: fromPlace,
  edge_of_radius: fromPlace,
  position_by_picture_only: (figures: Distances) => `${fromPlace(figures)}; only a picture says so`,
  accuracy_untold: () => 'the device told no accuracy',
  accuracy_useless: (figures: { readonly accuracy_m: number }) => `${claimed(figures)}, which is no position`,
  accuracy_made_up: (figures: { readonly accuracy_m: number }) => `${claimed(figures)}, as made-up positions do`,
  accuracy_beyond_radius: (figures: { readonly accuracy_m: number; readonly radius_m: number }) =>
    `${claimed(figures)}; ${metres(figures.radius_m)} count`,
  accuracy_plausible: claimed,
  fixes_too_few: ({ fixes, fixes_needed }: { readonly fixes: number; readonly fixes_needed: number }) =>
    `${String(fixes)} fixes; ${String(fixes_needed)} are needed to tell`,
  fixes_stand_still: ({ fixes }: { readonly fixes: number }) => `${String(fixes)} fixes without the least movement`,
  fixes_at_one_pace: ({ fixes }: { readonly fixes: number }) => `${String(fixes)} fixes at one pace with one accuracy`,
  fixes_wander: ({ fixes }: { readonly fixes: number }) => `${String(fixes)} fixes that wander`,
  position_copied: () => 'the position is the point of the task to five decimals',
  position_not_copied: () => 'the position is not copied from the task',
  position_unknown_to_device: () => 'the device does not know where it is',
  no_earlier_position: () => 'no earlier position of this worker',
  earlier_positions_too_poor: () => 'no earlier position of this worker is known well enough',
  journey_possible: travelled,
  journey_doubtful: travelled,
  journey_impossible: travelled,
  no_hasty_repeat: ({ within_s }: { readonly within_s: number }) => `no other place within ${String(within_s)} s`,
  hasty_repeat: ({ distance_m, within_s }: { readonly distance_m: number; readonly within_s: number }) =>
    `${metres(distance_m)} from a place reported less than ${String(within_s)} s before`,
  no_capture_time: () => 'nothing says when it was captured',
  captured_in_time: () => 'captured between assignment and submission',
  captured_before_assignment: early,
  captured_too_late: late,
  captured_before_assignment_by_wrong_clock: (figures: { readonly early_s: number; readonly clock_off_s: number }) =>
    `${early(figures)}, by a clock that is off by ${span(figures.clock_off_s)}`,
  captured_too_late_by_wrong_clock: (figures: { readonly late_s: number; readonly clock_off_s: number }) =>
    `${late(figures)}, by a clock that is off by ${span(figures.clock_off_s)}`,
  clock_untold: () => 'the device told nothing of its clock',
  clock_off: ({ clock_off_s }: { readonly clock_off_s: number }) =>
    `the clock of the device is off by ${span(clock_off_s)}`,
  zone_off: ({ apart_h }: { readonly apart_h: number }) =>
    `the zone of the device is ${apart_h.toFixed(1)} hours from where it claims to be`,
  clock_fits: () => 'clock and zone of the device fit',
  no_file: () => 'no file was handed in',
  files_seen_before: ({ copied, files }: { readonly copied: number; readonly files: number }) =>
    `${counted(copied, files, 'file')} handed in before, for other work`,
  files_not_looked_for: ({ unopened, files }: { readonly unopened: number; readonly files: number }) =>
    `${counted(unopened, files, 'file')} not looked for`,
  files_new: () => 'no file was handed in before',
  no_picture: () => 'no picture was handed in',
  picture_like_earlier: alike,
  picture_somewhat_like_earlier: alike,
  pictures_not_opened: ({ unopened, pictures }: { readonly unopened: number; readonly pictures: number }) =>
    `${String(unopened)} of ${String(pictures)} ${pictures === 1 ? 'picture' : 'pictures'} could not be opened`,
  pictures_new: () => 'no earlier picture is like it',
  pictures_not_comparable: () => 'nothing on the picture can be compared',
  pictures_silent: () => 'no picture says anything of itself',
  pictures_without_place: () => 'no picture says where it was taken',
  picture_taken_elsewhere: ({ distance_m }: { readonly distance_m: number }) =>
    `a picture says it was taken ${String(Math.round(distance_m / 1_000))} km from the position`,
  pictures_taken_there: () => 'the pictures were taken where the position is, as they say',
  picture_generated: ({ words }: { readonly words: string }) => `a picture says it was generated (${words})`,
  pictures_not_generated: () => 'no picture says it was generated',
  no_photo: () => 'no photo was handed in',
  photo_like_screen: () => 'a photo is a PNG in the shape of a screen and says nothing of a camera',
  photos_not_like_screen: () => 'no photo has the look of a screen',
  no_reviewer: () => 'this deployment has no reviewer',
  reviewer_silent: ({ cause }: { readonly cause: string }) => `the reviewer gave no answer: ${cause}`,
  reviewer_addressed: () => 'text in the evidence addresses the reviewer',
  reviewer_says_no: ({ words }: { readonly words: string }) => `the reviewer says no: ${words}`,
  reviewer_says_yes: () => 'the reviewer answers yes to every question',
  reviewer_unsure: () => 'the reviewer could not tell',
} as const satisfies Readonly<Record<CheckReasonCode, (figures: never) => string>>

export type ReasonSentences = typeof reasonSentences
export type Reason = { readonly code: CheckReasonCode; readonly figures: CheckFigures; readonly reason: string }

/** A reason by its code, with the figures that its sentence needs. */
export function say<C extends CheckReasonCode>(code: C, ...figures: Parameters<ReasonSentences[C]>): Reason {
  // What a sentence takes is tied to its code by the signature alone; inside, the union of all of them has no one
  // argument.
  const sentence = reasonSentences[code] as (...given: Parameters<ReasonSentences[C]>) => string
  return { code, figures: figures[0] ?? {}, reason: sentence(...figures) }
}

/**
 * Metres no finer than a sentence tells them: a distance to the centimetre would say more of a place than its reader
 * may know.
 */
export function toldMetres(value: number): number {
  return value < 10_000 ? Math.round(value) : Math.round(value / 1_000) * 1_000
}

function metres(value: number): string {
  return value < 10_000 ? `${String(Math.round(value))} m` : `${String(Math.round(value / 1_000))} km`
}

function span(seconds: number): string {
  const minutes = Math.max(1, Math.round(seconds / 60))
  return minutes < 120 ? `${String(minutes)} min` : `${String(Math.round(minutes / 60))} h`
}
