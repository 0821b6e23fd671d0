import * as Type from 'typebox'
import { networkName, optional, target, text, usd } from '../schema.ts'
import { categories, limits } from '../vocabulary.ts'

export const words = optional(
  text(
    'Only tasks with all of these words in their title, instructions or area; ' +
      `\`total\` counts up to ${String(limits.searchCounted)}.`,
    limits.searchMin,
    limits.searchMax,
  ),
)

/** An executor sees only tasks whose target is its own party or any (spec §1.3). */
export const allParties = optional(
  Type.Boolean({ default: false, description: 'Tasks too that are not for the party of the caller.' }),
)

/** What the open tasks are narrowed by. */
export const openTaskFilter = {
  category: optional(Type.Enum([...categories])),
  network: optional(networkName()),
  target_executor_type: optional(target()),
  min_bounty: optional(usd('At least this bounty.', { minimum: 0 })),
  max_bounty: optional(usd('At most this bounty.', { minimum: 0 })),
  box: optional(
    Type.String({
      pattern: '^-?[0-9]{1,3}(\\.[0-9]{1,8})?(,-?[0-9]{1,3}(\\.[0-9]{1,8})?){3}$',
      maxLength: 64,
      description:
        'Only where the area lies in west,south,east,north (degrees, WGS 84); west of the east end it reaches over the 180th meridian.',
    }),
  ),
}
