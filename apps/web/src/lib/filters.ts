import {
  categories,
  evidenceTypes,
  targets,
  taskOrders,
  type Category,
  type EvidenceType,
  type Target,
} from '@ergon/contract'
import type { Input, Output } from '@ergon/sdk'
import { metresBetween, readBox, readPoint, writeBox, type Box, type Point } from './geo.ts'
import { readWords, type Search } from './search.ts'

export type Task = Output<'tasks.available'>['tasks'][number]

/** Whose tasks are shown: those one party may take, or all. */
export type Audience = Exclude<Target, 'any'> | 'all'
export const audiences = ['human', 'agent', 'robot', 'all'] as const satisfies readonly Audience[]

/** What the address says is looked for. */
export type Filters = {
  /** Words that a task has to say. */
  readonly words: string | undefined
  readonly order: (typeof taskOrders)[number] | undefined
  readonly category: Category | undefined
  readonly min: number | undefined
  readonly max: number | undefined
  readonly audience: Audience
  readonly evidence: EvidenceType | undefined
  readonly near: Point | undefined
  readonly withinKm: number | undefined
  /** The part of the map that was searched. */
  readonly box: Box | undefined
}

/** Words are above the list, and are no field of the form beside it. */
export const filterNames = ['category', 'min', 'max', 'for', 'evidence', 'near', 'within'] as const

/** Whether anything is looked for; an order leaves out nothing. */
export const isFiltered = (search: Search): boolean => [...filterNames, 'q'].some((name) => search[name] !== undefined)

/** Reads the filters of an address; what means nothing is as if it were not there. */
export function readFilters(search: Search): Filters {
  const near = readPoint(search['near'])
  const withinKm = readAmount(search['within'])
  return {
    words: readWords(search['q']),
    order: taskOrders.find((one) => one === search['sort']),
    category: categories.find((one) => one === search['category']),
    min: readAmount(search['min']),
    max: readAmount(search['max']),
    audience: audiences.find((one) => one === search['for']) ?? 'human',
    evidence: evidenceTypes.find((one) => one === search['evidence']),
    near,
    withinKm: near === undefined || withinKm === 0 ? undefined : withinKm,
    box: readBox(search['box']),
  }
}

/** An amount as an address carries it; up to the dearest task there may be (spec §8). */
export function readAmount(text: string | undefined): number | undefined {
  return text !== undefined && /^\d{1,5}(?:\.\d{1,6})?$/.test(text) ? Number(text) : undefined
}

/** The part of the filters that the service answers to. */
export function askedOf({ words, order, category, min, max, audience, box }: Filters): Input<'tasks.available'> {
  return {
    ...(words === undefined ? {} : { q: words }),
    ...(order === undefined || order === 'newest' ? {} : { sort: order }),
    ...(category === undefined ? {} : { category }),
    ...(min === undefined ? {} : { min_bounty: min }),
    ...(max === undefined ? {} : { max_bounty: max }),
    ...(box === undefined ? {} : { box: writeBox(box) }),
    ...(audience === 'all' || !targets.includes(audience) ? {} : { target_executor_type: audience }),
    // Whoever chose may look at what is not for people.
    ...(audience === 'human' ? {} : { all_parties: true }),
  }
}

/** Whether the app itself has to go through every task: the service filters by neither place nor evidence. */
export function isNarrowed({ evidence, near }: Filters): boolean {
  return evidence !== undefined || near !== undefined
}

/** A task, and how far its area is from where one looks. */
export type Found = { readonly task: Task; readonly metres: number | undefined }

/** What is left of the tasks; nearest first where a place and no order is named, else as the service ordered them. */
export function narrow(tasks: readonly Task[], { evidence, near, withinKm, order }: Filters): readonly Found[] {
  const asked = evidence === undefined ? tasks : tasks.filter((task) => task.evidence_required.includes(evidence))
  if (near === undefined) return asked.map((task) => ({ task, metres: undefined }))
  const measured = asked.map((task) => ({
    task,
    metres: task.area === null ? undefined : metresBetween(near, task.area),
  }))
  // The area is drawn wide on purpose, so a task counts as near when any of its area is.
  const close =
    withinKm === undefined
      ? measured
      : measured.filter(
          ({ task, metres }) => metres !== undefined && metres - (task.area?.radius_m ?? 0) <= withinKm * 1_000,
        )
  if (order !== undefined) return close
  return close.toSorted((one, other) => (one.metres ?? Infinity) - (other.metres ?? Infinity) || 0)
}
