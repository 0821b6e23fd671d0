import type { StoredFile } from '../submissions/evidence-rules.ts'

/** What a file says of itself. Everything in it is a claim of whoever made the file, the hashes excepted. */
export type FileFacts = {
  readonly sha256: string
  /** By its first bytes, whatever was announced. */
  readonly contentType: string
  readonly bytes: number
  readonly width: number | null
  readonly height: number | null
  /** Null for what is no picture, cannot be opened, or has nothing on it. Hashes are 16 hex digits. */
  readonly image: { readonly phash: string; readonly variants: readonly string[] } | null
  /** Null when the kind of file carries none that is read. */
  readonly exif: ExifFacts | null
  readonly aiMarkers: readonly string[]
  /** `busy`: nothing is wrong with the file, nobody had time to look at it. */
  readonly trouble: null | 'timeout' | 'unreadable' | 'too_large' | 'busy'
}

export type ExifFacts = {
  readonly present: boolean
  readonly make: string | null
  readonly model: string | null
  readonly software: string | null
  /** Null without a zone: a wall clock somewhere is no moment. */
  readonly takenAt: Date | null
  readonly lat: number | null
  readonly lng: number | null
}

/** Opens files of strangers, in bounded time and space. */
export interface EvidenceInspector {
  /** Never rejects for what is wrong with the file: that is its `trouble`. */
  inspect(file: StoredFile): Promise<FileFacts>
}

/** A closed question: its answer is one of three words. */
export type ClosedQuestion = { readonly id: string; readonly text: string }

export type ReviewQuestion = {
  readonly taskTitle: string
  readonly instructions: string
  readonly category: string
  readonly evidence: readonly ReviewEvidence[]
  readonly questions: readonly ClosedQuestion[]
}
export type ReviewEvidence = { readonly type: string } & ({ readonly text: string } | { readonly file: StoredFile })

export type ReviewVerdict = { readonly id: string; readonly verdict: 'yes' | 'no' | 'unclear'; readonly reason: string }

export type ReviewAnswer =
  | {
      readonly outcome: 'answered'
      readonly answers: readonly ReviewVerdict[]
      readonly injection: boolean
      readonly model: string
    }
  | { readonly outcome: 'unavailable'; readonly reason: 'timeout' | 'refused' | 'malformed' | 'unreachable' }

/**
 * Looks at evidence and answers closed questions. It has no authority: nothing moves by what it says (decision 0041).
 */
export interface Reviewer {
  /** Never rejects, and ends in bounded time. */
  review(question: ReviewQuestion): Promise<ReviewAnswer>
}
