import type { Output } from '@ergon/sdk'
import { readCriteria } from '../../lib/criteria.ts'
import { typedNumber } from '../../lib/number-typed.ts'
import { emptyDraft, type TaskDraft } from './draft.ts'

type Repeated = Pick<
  Output<'tasks.get'>,
  | 'title'
  | 'instructions'
  | 'category'
  | 'bounty_usd'
  | 'created_at'
  | 'deadline'
  | 'evidence_required'
  | 'evidence_optional'
  | 'target_executor_type'
  | 'min_reputation'
  | 'payment_network'
  | 'location_hint'
  | 'area'
  | 'policy'
>
type Terms = Pick<Output<'meters.get'>, 'unit' | 'price_per_unit' | 'cap_usd'>
type Place = Pick<Output<'tasks.location'>, 'lat' | 'lng' | 'radius_m' | 'precision'>

const hourMs = 3_600_000

/**
 * A task to be published again, as its form holds it. It lasts as long as the first did. The middle of an area is not
 * the place, so without the exact one the form asks where.
 */
export function draftOfTask(
  task: Repeated,
  { place, terms }: { readonly place: Place | undefined; readonly terms: Terms | undefined },
  locale: string,
): TaskDraft {
  const { instructions, criteria } = readCriteria(task.instructions)
  const hours = Math.max(1, Math.round((Date.parse(task.deadline) - Date.parse(task.created_at)) / hourMs))
  return {
    ...emptyDraft,
    title: task.title,
    instructions,
    criteria: criteria.length === 0 ? emptyDraft.criteria : criteria,
    category: task.category,
    bounty: typedNumber(task.bounty_usd, locale),
    deadlineHours: String(hours),
    evidence: task.evidence_required,
    optionalEvidence: task.evidence_optional,
    target: task.target_executor_type,
    minReputation: typedNumber(task.min_reputation, locale),
    ...(terms === undefined
      ? { network: task.payment_network }
      : {
          meter: {
            unit: terms.unit,
            price: typedNumber(Number(terms.price_per_unit), locale),
            cap: typedNumber(terms.cap_usd, locale),
          },
        }),
    locationHint: task.location_hint ?? '',
    hasPlace: task.area !== null,
    radius: String(task.area?.radius_m ?? emptyDraft.radius),
    ...(place?.precision === 'exact' && { lat: String(place.lat), lng: String(place.lng) }),
    ...(task.policy !== null && {
      reviewHours: String(task.policy.review_hours),
      onSilence: task.policy.on_silence,
    }),
  }
}
