import { limits, type Category, type EvidenceType, type MeterUnit, type Target } from '@ergon/contract'
import { policyLimits } from '@ergon/contract/facts'
import type { Input } from '@ergon/sdk'
import { withCriteria } from '../../lib/criteria.ts'
import type { Point } from '../../lib/geo.ts'
import type { Language } from '../../lib/language.ts'
import { decimalTyped, degreesTyped, dollarsTyped, numberTyped } from '../../lib/number-typed.ts'

/** What a unit of metered work costs, and the most that is lost, as they were typed. */
export type MeterDraft = { readonly unit: MeterUnit; readonly price: string; readonly cap: string }

/** A task as its form holds it: numbers as they were typed. */
export type TaskDraft = {
  readonly title: string
  readonly instructions: string
  readonly criteria: readonly string[]
  readonly category: Category | ''
  readonly bounty: string
  /** Null: paid at once, by its bounty. */
  readonly meter: MeterDraft | null
  readonly deadlineHours: string
  readonly evidence: readonly EvidenceType[]
  readonly optionalEvidence: readonly EvidenceType[]
  readonly target: Target
  readonly minReputation: string
  readonly network: string
  readonly locationHint: string
  readonly hasPlace: boolean
  readonly lat: string
  readonly lng: string
  readonly radius: string
  /** The publisher says that it pays, though the words read like an offer. */
  readonly insists?: boolean
  /** Hours to look at what was handed in, and what silence does after them. */
  readonly reviewHours: string
  readonly onSilence: 'release' | 'dispute'
}

/** What each step of the form is given. */
export type FormPart = {
  readonly draft: TaskDraft
  readonly change: (part: Partial<TaskDraft>) => void
  readonly faultOf: (field: string) => string | undefined
}

export const emptyDraft: TaskDraft = {
  title: '',
  instructions: '',
  criteria: [''],
  category: '',
  bounty: '',
  meter: null,
  deadlineHours: '24',
  evidence: [],
  optionalEvidence: [],
  target: 'any',
  minReputation: '0',
  network: '',
  locationHint: '',
  hasPlace: false,
  lat: '',
  lng: '',
  radius: '500',
  reviewHours: String(policyLimits.reviewHoursDefault),
  onSilence: 'release',
}

/**
 * The fields that are sent; may still break the schema, which then says where. Figures are read as `locale` writes
 * them.
 */
export function publishFields(draft: TaskDraft, language: Language, locale: string): Readonly<Record<string, unknown>> {
  const given = {
    title: draft.title.trim(),
    instructions: withCriteria(draft.instructions, draft.criteria, language),
    category: draft.category === '' ? undefined : draft.category,
    ...paidFields(draft, locale),
    deadline_hours: numberTyped(draft.deadlineHours, locale),
    evidence_required: placed(draft.evidence, draft.evidence),
    evidence_optional: draft.optionalEvidence.length === 0 ? undefined : placed(draft.optionalEvidence, draft.evidence),
    location_hint: draft.locationHint.trim() === '' ? undefined : draft.locationHint.trim(),
    min_reputation: numberTyped(draft.minReputation, locale),
    target_executor_type: draft.target,
    insist: draft.insists === true ? 'sell_intent' : undefined,
  }
  return Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined))
}

/** What it pays. The bounty of a metered task is the most of it, which lists and filters go by. */
function paidFields({ bounty, network, meter }: TaskDraft, locale: string): Readonly<Record<string, unknown>> {
  if (meter === null)
    return { bounty_usd: dollarsTyped(bounty, locale), payment_network: network === '' ? undefined : network }
  const { unit, price, cap } = meter
  return {
    bounty_usd: dollarsTyped(cap, locale),
    payment_network: 'solana',
    payment_streaming: {
      rail: 'solana_channel',
      unit,
      price_per_unit: decimalTyped(price, locale),
      cap_usd: decimalTyped(cap, locale),
    },
  }
}

/**
 * The position of a photo with position is evidence of its own: what the picture says about itself is a hint, and the
 * checks of a position have nothing to look at without it. A full list leaves it to the picture.
 */
function placed(asked: readonly EvidenceType[], required: readonly EvidenceType[]): readonly EvidenceType[] {
  return !asked.includes('photo_geo') ||
    asked.includes('gps') ||
    required.includes('gps') ||
    asked.length >= limits.evidenceMax
    ? asked
    : [...asked, 'gps']
}

/** The place of the task, without the task; undefined when it has none. */
export function placeFields(draft: TaskDraft, locale: string): Readonly<Record<string, unknown>> | undefined {
  if (!draft.hasPlace) return undefined
  const given = {
    lat: degreesTyped(draft.lat),
    lng: degreesTyped(draft.lng),
    radius_m: numberTyped(draft.radius, locale),
  }
  return Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined))
}

/** The place of the pin, once both figures make one. */
export function pinOf({ lat, lng }: TaskDraft): Point | undefined {
  const [north, east] = [degreesTyped(lat), degreesTyped(lng)]
  return typeof north === 'number' && typeof east === 'number' && Math.abs(north) <= 90 && Math.abs(east) <= 180
    ? { lat: north, lng: east }
    : undefined
}

/** What a task is like that many publish; texts are filled in by the caller, in its language. */
export type Template = {
  readonly key: 'photo' | 'price' | 'queue' | 'research' | 'errand'
  readonly part: Partial<TaskDraft>
}

export const templates: readonly Template[] = [
  {
    key: 'photo',
    part: {
      category: 'location_based',
      evidence: ['photo_geo'],
      hasPlace: true,
      bounty: '5',
      deadlineHours: '48',
      target: 'human',
    },
  },
  {
    key: 'price',
    part: {
      category: 'data_collection',
      evidence: ['photo', 'text_response'],
      bounty: '3',
      deadlineHours: '24',
      target: 'human',
    },
  },
  {
    key: 'queue',
    part: {
      category: 'physical_presence',
      evidence: ['gps', 'photo'],
      hasPlace: true,
      bounty: '10',
      deadlineHours: '24',
      target: 'human',
    },
  },
  {
    key: 'errand',
    part: { category: 'simple_action', evidence: ['photo'], bounty: '8', deadlineHours: '24', target: 'human' },
  },
  {
    key: 'research',
    part: {
      category: 'research',
      evidence: ['text_report', 'url_reference'],
      bounty: '15',
      deadlineHours: '72',
      target: 'any',
    },
  },
]

/** A publish call whose fields have met the schema. */
export const publishInput = (fields: Readonly<Record<string, unknown>>): Input<'h2a.publish'> =>
  fields as Input<'h2a.publish'>

/** What workers can rely on, as it was chosen. */
export const policyInput = ({ reviewHours, onSilence }: TaskDraft): Omit<Input<'tasks.setPolicy'>, 'task_id'> => ({
  review_hours: Number(reviewHours),
  on_silence: onSilence,
})
