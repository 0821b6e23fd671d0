import * as Type from 'typebox'
import { nullable, open, text, usd } from '../schema.ts'
import { limits } from '../vocabulary.ts'

export const searchSlot = Type.Integer({
  minimum: 1,
  maximum: limits.savedSearches,
  description: 'The place of the search among those of its wallet.',
})
export const searchName = text('What its owner calls it.', 1, limits.searchNameMax)

/** What a search asks for, field by field as the list of open tasks takes it; null: whatever it is. */
export const savedFilter = open({
  q: nullable(Type.String({ description: 'Words that the task has.' })),
  category: nullable(Type.String()),
  network: nullable(Type.String()),
  target_executor_type: nullable(Type.String()),
  min_bounty: nullable(usd('At least this bounty.')),
  max_bounty: nullable(usd('At most this bounty.')),
  box: nullable(Type.String({ description: 'west,south,east,north in degrees.' })),
  all_parties: Type.Boolean({ description: 'Tasks too that are not for the party of the wallet.' }),
})
