/** A closed question: its answer is one of three words. */
export type ClosedQuestion = { readonly id: string; readonly text: string }

export type ReviewVerdict = { readonly id: string; readonly verdict: 'yes' | 'no' | 'unclear'; readonly reason: string }

export type ReviewAnswer =
  | {
      readonly outcome: 'answered'
      readonly answers: readonly ReviewVerdict[]
      readonly injection: boolean
      readonly model: string
    }
  | { readonly outcome: 'unavailable'; readonly reason: 'timeout' | 'refused' | 'malformed' | 'unreachable' }
