import { expect, test } from 'vitest'
import { spoofCorpus } from '../testing/spoof-corpus.ts'
import type { VerificationScene } from './scene.ts'
import { verificationChecks } from './verify-scene.ts'

type Told = Readonly<Record<string, string>>

const told = (scene: VerificationScene): Told =>
  Object.fromEntries(verificationChecks(scene).map(({ name, result, reason }) => [name, `${result}: ${reason}`]))

/** What every check answers of the honest scene. */
const honest: Told = {
  schema: 'passed: every required type is there and keeps its rule',
  proximity: 'passed: 40 m from the place, known to 8 m; 500 m count',
  accuracy: 'passed: the device claims 8 m',
  sample_jitter: 'passed: 12 fixes that wander',
  exact_target: 'passed: the position is not copied from the task',
  teleport: 'passed: 2944 m in 3600 s since an earlier position: 3 km/h',
  rapid_repeat: 'passed: no other place within 30 s',
  time_window: 'passed: captured between assignment and submission',
  clock: 'passed: clock and zone of the device fit',
  exact_duplicate: 'passed: no file was handed in before',
  near_duplicate: 'passed: no earlier picture is like it',
  exif_consistency: 'not_applicable: no picture says anything of itself',
  ai_markers: 'passed: no picture says it was generated',
  screenshot: 'passed: no photo has the look of a screen',
  review: 'not_configured: this deployment has no reviewer',
}

/** What it answers otherwise of each case. */
const otherwise: Readonly<Record<string, Told>> = {
  'at the gate with photo and fixes': {},
  'at the edge of the radius': {
    proximity: 'passed: 485 m from the place, known to 8 m; 500 m count',
    sample_jitter: 'not_applicable: 0 fixes; 5 are needed to tell',
    teleport: 'passed: 2499 m in 3600 s since an earlier position: 2 km/h',
  },
  'astride the edge': {
    proximity: 'inconclusive: 496 m from the place, known to 8 m; 500 m count',
    sample_jitter: 'not_applicable: 0 fixes; 5 are needed to tell',
    teleport: 'passed: 2488 m in 3600 s since an earlier position: 2 km/h',
  },
  'a poor fix indoors': {
    proximity: 'inconclusive: 120 m from the place, known to 700 m; 500 m count',
    accuracy: 'inconclusive: the device claims 700 m; 500 m count',
    sample_jitter: 'not_applicable: 0 fixes; 5 are needed to tell',
    teleport: 'passed: 2172 m in 3600 s since an earlier position: 2 km/h',
  },
  'no accuracy told': {
    proximity: 'passed: 40 m from the place, known to 0 m; 500 m count',
    accuracy: 'inconclusive: the device told no accuracy',
    sample_jitter: 'not_applicable: 0 fixes; 5 are needed to tell',
    teleport: 'passed: 2952 m in 3600 s since an earlier position: 3 km/h',
  },
  'a task without a place': {
    proximity: 'not_applicable: the task names no place',
    exact_target: 'not_applicable: the task names no place',
  },
  'text only': {
    proximity: 'not_applicable: the task names no place',
    accuracy: 'not_applicable: no position was handed in',
    sample_jitter: 'not_applicable: 0 fixes; 5 are needed to tell',
    exact_target: 'not_applicable: the task names no place',
    teleport: 'not_applicable: no position was handed in',
    rapid_repeat: 'not_applicable: no position was handed in',
    time_window: 'not_applicable: nothing says when it was captured',
    clock: 'not_applicable: the device told nothing of its clock',
    exact_duplicate: 'not_applicable: no file was handed in',
    near_duplicate: 'not_applicable: no picture was handed in',
    ai_markers: 'not_applicable: no picture was handed in',
    screenshot: 'not_applicable: no photo was handed in',
  },
  'a photo and no position': {
    proximity: 'inconclusive: no position was handed in',
    accuracy: 'not_applicable: no position was handed in',
    sample_jitter: 'not_applicable: 0 fixes; 5 are needed to tell',
    exact_target: 'not_applicable: no position was handed in',
    teleport: 'not_applicable: no position was handed in',
    rapid_repeat: 'not_applicable: no position was handed in',
    time_window: 'not_applicable: nothing says when it was captured',
  },
  'the first work of a worker': {
    teleport: 'not_applicable: no earlier position of this worker',
    rapid_repeat: 'not_applicable: no earlier position of this worker',
  },
  'by train from another city': { teleport: 'passed: 150 km in 3600 s since an earlier position: 150 km/h' },
  'by air from another country': { teleport: 'inconclusive: 900 km in 3600 s since an earlier position: 900 km/h' },
  'two places of one street, handed in together': {
    teleport: 'passed: 334 m in 60 to 540 s since an earlier position: 2 km/h at least',
  },
  'two places of one street, one after the other': {
    teleport: 'passed: 334 m in 60 s since an earlier position: 20 km/h',
  },
  'two towns of one morning, handed in together': {
    teleport: 'inconclusive: 30 km in 60 to 2340 s since an earlier position: 46 km/h at least',
    rapid_repeat: 'inconclusive: 30 km from a place reported less than 30 s before',
  },
  'a device that lost itself once': {},
  'few fixes': { sample_jitter: 'not_applicable: 3 fixes; 5 are needed to tell' },
  'a device without a clock': { clock: 'not_applicable: the device told nothing of its clock' },
  'a clock four minutes off': {},
  'a clock ten minutes fast': {
    sample_jitter: 'not_applicable: 0 fixes; 5 are needed to tell',
    teleport: 'passed: 2944 m in 3600 to 4200 s since an earlier position: 3 km/h at least',
    time_window: 'inconclusive: captured 7 min after it can have been, by a clock that is off by 10 min',
    clock: 'inconclusive: the clock of the device is off by 10 min',
  },
  'a clock ten minutes slow, right after the assignment': {
    sample_jitter: 'not_applicable: 0 fixes; 5 are needed to tell',
    teleport: 'passed: 2944 m in 3000 to 3600 s since an earlier position: 3 km/h at least',
    time_window: 'inconclusive: captured 6 min before the task was assigned, by a clock that is off by 10 min',
    clock: 'inconclusive: the clock of the device is off by 10 min',
  },
  'a clock ten minutes fast, and within the window all the same': {
    sample_jitter: 'not_applicable: 0 fixes; 5 are needed to tell',
    teleport: 'passed: 2944 m in 1860 to 3600 s since an earlier position: 3 km/h at least',
    clock: 'inconclusive: the clock of the device is off by 10 min',
  },
  'summer time and a broad zone': {},
  'a camera that tells all': { exif_consistency: 'passed: the pictures were taken where the position is, as they say' },
  'a photo without a word of itself': {},
  'a picture of another gate': {},
  'a picture somewhat like another': {
    near_duplicate: 'inconclusive: a picture differs from an earlier one by 10 of 64 bits',
  },
  'a blank sheet': { near_duplicate: 'not_applicable: nothing on the picture can be compared' },
  'a photo saved as PNG by an editor': {},
  'a document as PDF': {
    near_duplicate: 'not_applicable: no picture was handed in',
    ai_markers: 'not_applicable: no picture was handed in',
    screenshot: 'not_applicable: no photo was handed in',
  },
  'submitted seconds after assignment': { sample_jitter: 'not_applicable: 0 fixes; 5 are needed to tell' },
  'across the antimeridian': {
    proximity: 'passed: 222 m from the place, known to 8 m; 500 m count',
    sample_jitter: 'not_applicable: 0 fixes; 5 are needed to tell',
    teleport: 'not_applicable: no earlier position of this worker',
    rapid_repeat: 'not_applicable: no earlier position of this worker',
  },
  'a reviewer that is pleased': { review: 'passed: the reviewer answers yes to every question' },
  'a reviewer that cannot tell': { review: 'inconclusive: the reviewer could not tell' },
  'a reviewer that is silent': { review: 'error: the reviewer gave no answer: timeout' },
  'a file that could not be opened': {
    near_duplicate: 'error: 1 of 1 picture could not be opened',
    ai_markers: 'error: 1 of 1 picture could not be opened',
  },
  'a file that nobody came to open': {
    exact_duplicate: 'error: 1 of 1 file was not looked for',
    near_duplicate: 'error: 1 of 1 picture could not be opened',
    ai_markers: 'error: 1 of 1 picture could not be opened',
  },
  'one file opened and one not': {
    exact_duplicate: 'error: 1 of 2 files were not looked for',
    near_duplicate: 'error: 1 of 2 pictures could not be opened',
    ai_markers: 'error: 1 of 2 pictures could not be opened',
  },
  'from home, five kilometres away': {
    proximity: 'failed: 5000 m from the place, known to 8 m; 500 m count',
    sample_jitter: 'not_applicable: 0 fixes; 5 are needed to tell',
    teleport: 'passed: 1984 m in 3600 s since an earlier position: 2 km/h',
  },
  'just outside for certain': {
    proximity: 'failed: 520 m from the place, known to 8 m; 500 m count',
    sample_jitter: 'not_applicable: 0 fixes; 5 are needed to tell',
    teleport: 'passed: 2464 m in 3600 s since an earlier position: 2 km/h',
  },
  'far away, with an accuracy that hides it': {
    proximity: 'inconclusive: 5000 m from the place, known to 6000 m; 500 m count',
    accuracy: 'inconclusive: the device claims 6000 m, which is no position',
    sample_jitter: 'not_applicable: 0 fixes; 5 are needed to tell',
    teleport: 'inconclusive: the device does not know where it is',
  },
  'the coordinates of the task, copied': {
    proximity: 'passed: 0 m from the place, known to 8 m; 500 m count',
    sample_jitter: 'not_applicable: 0 fixes; 5 are needed to tell',
    exact_target: 'failed: the position is the point of the task to five decimals',
    teleport: 'passed: 2984 m in 3600 s since an earlier position: 3 km/h',
  },
  'copied and rounded to five decimals': {
    proximity: 'passed: 0 m from the place, known to 12 m; 500 m count',
    accuracy: 'passed: the device claims 12 m',
    sample_jitter: 'not_applicable: 0 fixes; 5 are needed to tell',
    exact_target: 'failed: the position is the point of the task to five decimals',
    teleport: 'passed: 2980 m in 3600 s since an earlier position: 3 km/h',
  },
  'a mock that never moves': { sample_jitter: 'failed: 12 fixes without the least movement' },
  'a mock that marches': { sample_jitter: 'failed: 12 fixes at one pace with one accuracy' },
  'an accuracy of nought': {
    proximity: 'passed: 40 m from the place, known to 0 m; 500 m count',
    accuracy: 'inconclusive: the device claims 0 m, as made-up positions do',
    sample_jitter: 'not_applicable: 0 fixes; 5 are needed to tell',
    teleport: 'passed: 2952 m in 3600 s since an earlier position: 3 km/h',
  },
  'an accuracy of one, always': {
    proximity: 'passed: 40 m from the place, known to 1 m; 500 m count',
    accuracy: 'inconclusive: the device claims 1 m, as made-up positions do',
    sample_jitter: 'passed: 6 fixes that wander',
    teleport: 'passed: 2951 m in 3600 s since an earlier position: 3 km/h',
  },
  'on two continents within the hour': { teleport: 'failed: 9000 km in 600 s since an earlier position: 54000 km/h' },
  'on two continents, with an accuracy that hides the jump': {
    teleport: 'failed: 9000 km in 600 s since an earlier position: 54000 km/h',
  },
  'on two continents, now with an accuracy that hides the jump': {
    proximity: 'inconclusive: 40 m from the place, known to 9000 km; 500 m count',
    accuracy: 'inconclusive: the device claims 9000 km, which is no position',
    sample_jitter: 'not_applicable: 0 fixes; 5 are needed to tell',
    teleport: 'inconclusive: the device does not know where it is',
  },
  'on two continents, with a stop at home between': {
    teleport: 'failed: 9000 km in 600 s since an earlier position: 54000 km/h',
  },
  'on two continents at one time by its own clock': {
    teleport: 'inconclusive: 9000 km in 60 to 90000 s since an earlier position: 360 km/h at least',
  },
  'two towns within twenty seconds': {
    teleport: 'failed: 30 km in 60 s since an earlier position: 1797 km/h',
    rapid_repeat: 'inconclusive: 30 km from a place reported less than 30 s before',
  },
  'a photo of last week': {
    time_window: 'failed: captured 168 h before the task was assigned',
    exif_consistency: 'not_applicable: no picture says where it was taken',
  },
  'a photo of tomorrow': {
    time_window: 'failed: captured 24 h after it can have been',
    exif_consistency: 'not_applicable: no picture says where it was taken',
  },
  'a photo of last week, by a clock turned back as far': {
    time_window: 'failed: captured 168 h before the task was assigned',
    clock: 'inconclusive: the clock of the device is off by 168 h',
    exif_consistency: 'not_applicable: no picture says where it was taken',
  },
  'a photo of yesterday and a clock ten minutes fast': {
    sample_jitter: 'not_applicable: 0 fixes; 5 are needed to tell',
    teleport: 'passed: 2944 m in 3600 to 4200 s since an earlier position: 3 km/h at least',
    time_window: 'failed: captured 24 h before the task was assigned',
    clock: 'inconclusive: the clock of the device is off by 10 min',
    exif_consistency: 'not_applicable: no picture says where it was taken',
  },
  'a position from before the assignment': {
    sample_jitter: 'not_applicable: 0 fixes; 5 are needed to tell',
    teleport: 'passed: 2944 m in 1740 to 3600 s since an earlier position: 3 km/h at least',
    time_window: 'failed: captured 30 min before the task was assigned',
  },
  'a device in another hemisphere': {
    clock: 'inconclusive: the zone of the device is 9.1 hours from where it claims to be',
  },
  'a device whose clock was turned back': { clock: 'inconclusive: the clock of the device is off by 60 min' },
  'the file of another worker': { exact_duplicate: 'failed: 1 of 1 file was handed in before, for other work' },
  'the file of another worker, next to one that was not opened': {
    exact_duplicate: 'failed: 1 of 2 files were handed in before, for other work',
    near_duplicate: 'error: 1 of 2 pictures could not be opened',
    ai_markers: 'error: 1 of 2 pictures could not be opened',
  },
  'the photo of another worker, saved anew': {
    near_duplicate: 'failed: a picture differs from an earlier one by 2 of 64 bits',
  },
  'the photo of another worker, mirrored': {
    near_duplicate: 'failed: a picture differs from an earlier one by 0 of 64 bits',
  },
  'one good photo and one copied': { near_duplicate: 'failed: a picture differs from an earlier one by 8 of 64 bits' },
  'a camera that was elsewhere': { exif_consistency: 'failed: a picture says it was taken 40 km from the position' },
  'only a camera, and it was elsewhere': {
    proximity: 'failed: 40 km from the place, known to 0 m; 500 m count',
    accuracy: 'not_applicable: no position was handed in',
    sample_jitter: 'not_applicable: 0 fixes; 5 are needed to tell',
    exact_target: 'not_applicable: no position was handed in',
    teleport: 'not_applicable: no position was handed in',
    rapid_repeat: 'not_applicable: no position was handed in',
    exif_consistency: 'not_applicable: no picture says where it was taken',
  },
  'a picture that says it was generated': {
    ai_markers: 'failed: a picture says it was generated (trainedAlgorithmicMedia)',
  },
  'a photo that is a screen': {
    screenshot: 'inconclusive: a photo is a PNG in the shape of a screen and says nothing of a camera',
  },
  'text that tells the reviewer to approve': { review: 'failed: text in the evidence addresses the reviewer' },
  'work that is not the work': { review: 'failed: the reviewer says no: It shows a dog.' },
}

test.each(spoofCorpus)('both sides read of $name what each check answers, and why', ({ name, scene }) => {
  expect(told(scene)).toEqual({ ...honest, ...otherwise[name] })
})
