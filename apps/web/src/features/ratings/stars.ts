import { faultsOf, type FieldFaults } from '../../lib/form.ts'

/** How many stars a person may give; the chain keeps a score of 0 to 100 (spec §4 reputation). */
export const stars = [1, 2, 3, 4, 5] as const
export type Stars = (typeof stars)[number]

/** What stars are on the chain: five are all of the hundred. */
export const scoreOf = (given: Stars): number => (given / stars.length) * 100

export type RatingDraft = { readonly stars: Stars | undefined; readonly comment: string }
export type RatingInput = { readonly task_id: string; readonly score: number; readonly comment?: string }

export type GivenRating = { readonly score: number; readonly comment: string }

/** The rating in a feedback document; undefined where there is none, or another service wrote it. */
export function readGiven(document: unknown): GivenRating | undefined {
  const rating = memberOf(document, 'rating')
  const [score, comment] = [memberOf(rating, 'score'), memberOf(rating, 'comment')]
  return typeof score === 'number' ? { score, comment: typeof comment === 'string' ? comment : '' } : undefined
}

const memberOf = (value: unknown, name: string): unknown =>
  typeof value === 'object' && value !== null ? Reflect.get(value, name) : undefined

/** The call that a draft comes to, or what is wrong with it. */
export function readRating(
  taskId: string,
  draft: RatingDraft,
): { readonly input: RatingInput } | { readonly faults: FieldFaults } {
  const comment = draft.comment.trim()
  const given = { task_id: taskId, ...(comment === '' ? {} : { comment }) }
  if (draft.stars === undefined) return { faults: faultsOf('reputation.rateAgent', given) }
  const input = { ...given, score: scoreOf(draft.stars) }
  const faults = faultsOf('reputation.rateAgent', input)
  return Object.keys(faults).length > 0 ? { faults } : { input }
}
