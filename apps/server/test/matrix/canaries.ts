import type { Role } from './roles.ts'

/** A text planted in the world, and who may find it in an answer. */
export type Canary = { readonly text: string; readonly seenBy: readonly Role[] }

const publisher: readonly Role[] = ['publisher', 'publisherSession']
const worker: readonly Role[] = ['worker']
const applicant: readonly Role[] = ['applicant']
const all: readonly Role[] = [
  'anonymous',
  'stranger',
  'applicant',
  'worker',
  'publisher',
  'banned',
  'strangerSession',
  'publisherSession',
  'admin',
]

/** Each is found by a caller who may read it, or the check would say nothing. */
export const canaries = {
  /** To the publisher alone; the applicant finds it in its own export. */
  coverNote: { text: 'canary of a cover note', seenBy: [...publisher, ...applicant] },
  /** To the two sides, and in a dispute to whoever decides it. */
  evidence: { text: 'canary of the evidence', seenBy: [...publisher, ...worker, 'admin'] },
  submissionNote: { text: 'canary of a note of the worker', seenBy: [...publisher, ...worker, 'admin'] },
  statement: { text: 'canary of a statement', seenBy: [...publisher, ...worker, 'admin'] },
  rejection: { text: 'canary of a rejection', seenBy: [...publisher, ...worker, 'admin'] },
  reportNote: { text: 'canary of a report', seenBy: [...worker, 'admin'] },
  /** Degrees of the place of every task here; the area is named in its stead. */
  latitude: { text: '48.208491', seenBy: [...publisher, ...worker] },
  longitude: { text: '16.372081', seenBy: [...publisher, ...worker] },
  /** What everybody may read, so that the search itself is proven. */
  instructions: { text: 'canary of the instructions', seenBy: all },
} as const satisfies Readonly<Record<string, Canary>>
