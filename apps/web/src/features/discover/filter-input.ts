import { readPoint, writePoint } from '../../lib/geo.ts'
import type { FieldFaults } from '../../lib/field-faults.ts'
import { decimalTyped } from '../../lib/number-typed.ts'
import type { Search } from '../../lib/search.ts'
import { filterNames, readAmount } from '../../lib/filters.ts'

/** What was typed into the filters, as an address says it; an empty field says nothing. */
export type FilterTexts = Readonly<Record<(typeof filterNames)[number], string>>

export function textsOf(search: Search): FilterTexts {
  const text = (name: (typeof filterNames)[number]): string => search[name] ?? ''
  return {
    category: text('category'),
    min: text('min'),
    max: text('max'),
    for: text('for') || 'human',
    evidence: text('evidence'),
    near: text('near'),
    within: text('within'),
  }
}

/** Reads a form; figures are written as an address carries them. */
export function textsOfForm(form: FormData, locale: string): FilterTexts {
  const text = (name: string): string => {
    const value = form.get(name)
    return typeof value === 'string' ? value.trim() : ''
  }
  const amount = (name: string): string => decimalTyped(text(name), locale)
  return {
    category: text('category'),
    min: amount('min'),
    max: amount('max'),
    for: text('for'),
    evidence: text('evidence'),
    near: text('near').replace(/\s+/g, ''),
    within: text('within'),
  }
}

/**
 * What is wrong with the filters, by field: amounts by the operation's own schema, the place by what a place is.
 * Whoever only reads the list does not load what holds values against schemas.
 */
export async function filterFaults({ min, max, near }: FilterTexts): Promise<FieldFaults> {
  const { faultsOf } =
    min === '' && max === '' ? { faultsOf: () => ({}) as FieldFaults } : await import('../../lib/form.ts')
  const { min_bounty, max_bounty } = faultsOf('tasks.available', {
    ...(min === '' ? {} : { min_bounty: readAmount(min) ?? min }),
    ...(max === '' ? {} : { max_bounty: readAmount(max) ?? max }),
  })
  return {
    ...(min_bounty === undefined ? {} : { min: min_bounty }),
    ...(max_bounty === undefined ? {} : { max: max_bounty }),
    ...(near === '' || readPoint(near) !== undefined ? {} : { near: { rule: 'malformed' as const } }),
  }
}

/** The fields of an address; what is left empty or is so anyway is not written. */
export function searchOf(texts: FilterTexts, search: Search): Search {
  const point = readPoint(texts.near)
  const filled = {
    ...texts,
    for: texts.for === 'human' ? '' : texts.for,
    near: point === undefined ? '' : writePoint(point),
    within: point === undefined ? '' : texts.within,
  }
  return {
    ...search,
    ...Object.fromEntries(filterNames.map((name) => [name, filled[name] === '' ? undefined : filled[name]])),
  }
}
