import type { StoredFile } from '../submissions/evidence-rules.ts'
import type { FileFacts } from '../verification/file-facts.ts'
import type { ClosedQuestion, ReviewAnswer } from '../verification/review-answer.ts'

export type { ExifFacts, FileFacts } from '../verification/file-facts.ts'
export type { ClosedQuestion, ReviewAnswer, ReviewVerdict } from '../verification/review-answer.ts'

/** Opens files of strangers, in bounded time and space. */
export interface EvidenceInspector {
  /** Never rejects for what is wrong with the file: that is its `trouble`. */
  inspect(file: StoredFile): Promise<FileFacts>
}

export type ReviewQuestion = {
  readonly taskTitle: string
  readonly instructions: string
  readonly category: string
  readonly evidence: readonly ReviewEvidence[]
  readonly questions: readonly ClosedQuestion[]
}
export type ReviewEvidence = { readonly type: string } & ({ readonly text: string } | { readonly file: StoredFile })

/**
 * Looks at evidence and answers closed questions. It has no authority: nothing moves by what it says (decision 0041).
 */
export interface Reviewer {
  /** Never rejects, and ends in bounded time. */
  review(question: ReviewQuestion): Promise<ReviewAnswer>
}
