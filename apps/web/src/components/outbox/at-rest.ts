import { evidenceTypes } from '@ergon/contract'
import type { Answer, Answers } from './parcel.ts'

type FileAnswer = Extract<Answer, { readonly kind: 'file' }>
/** Bytes: a private window of Safari keeps no `Blob`. One that was kept before this was so is still a `Blob`. */
type AnswerAtRest =
  Exclude<Answer, FileAnswer> | FileAnswer | (Omit<FileAnswer, 'blob'> & { readonly bytes: ArrayBuffer })
type AnswersAtRest = Readonly<Partial<Record<keyof Answers, AnswerAtRest>>>

/** A draft or a parcel, as the device keeps it. */
export type AtRest<Whole extends { readonly answers: Answers }> = Omit<Whole, 'answers'> & {
  readonly answers: AnswersAtRest
}

export async function atRest<Whole extends { readonly answers: Answers }>(whole: Whole): Promise<AtRest<Whole>> {
  const answers: { -readonly [T in keyof AnswersAtRest]: AnswersAtRest[T] } = {}
  for (const type of evidenceTypes) {
    const answer = whole.answers[type]
    if (answer?.kind === 'file') {
      const { blob, ...named } = answer
      answers[type] = { ...named, bytes: await blob.arrayBuffer() }
    } else if (answer !== undefined) answers[type] = answer
  }
  return { ...whole, answers }
}

export function answersOf<Whole extends { readonly answers: Answers }>(kept: AtRest<Whole>): Whole {
  const answers: { -readonly [T in keyof Answers]: Answers[T] } = {}
  for (const type of evidenceTypes) {
    const answer = kept.answers[type]
    if (answer === undefined) continue
    if ('bytes' in answer) {
      const { bytes, ...named } = answer
      answers[type] = { ...named, blob: new Blob([bytes], { type: named.contentType }) }
    } else answers[type] = answer
  }
  return { ...kept, answers } as unknown as Whole // all but its answers is as it was
}
