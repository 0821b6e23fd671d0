import { faultsOf, type FieldFaults } from '../../lib/form.ts'

/** How many stars a person may give; the chain keeps a score of 0 to 100 (spec §4 reputation). */
export const stars = [1, 2, 3, 4, 5] as const
export type Stars = (typeof stars)[number]

/** What stars are on the chain: five are all of the hundred. */
export const scoreOf = (given: Stars): number => (given / stars.length) * 100

export type RatingDraft = { readonly stars: Stars | undefined; readonly comment: string }
export type RatingInput = { readonly task_id: string; readonly score: number; readonly comment?: string }

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
