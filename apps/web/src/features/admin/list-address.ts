import type { Search } from '../../lib/search.ts'

export const perPage = 20
/** The service reads no further by counting. */
const furthest = 100_000
const longestText = 100

type Asked<S extends string> = {
  readonly status?: S
  readonly search?: string
  readonly limit: number
  readonly offset: number
}

/**
 * What an address asks of a list of the operator; what it says wrongly is left out, so that an old link still shows
 * something.
 */
export function askedOf<S extends string>(search: Search, statuses: readonly S[]): Asked<S> {
  const status = statuses.find((one) => one === search['status'])
  const text = search['search']?.trim().slice(0, longestText) ?? ''
  return {
    ...(status === undefined ? {} : { status }),
    ...(text === '' ? {} : { search: text }),
    limit: perPage,
    offset: placeOf(search['from']),
  }
}

export function placeOf(from: string | undefined): number {
  return /^\d{1,6}$/.test(from ?? '') ? Math.min(Number(from), furthest) : 0
}

/** Whether less is shown than there is. */
export function isFiltered({ status, search, from }: Search): boolean {
  return status !== undefined || search !== undefined || placeOf(from) > 0
}

/** What a filled-in form says, as the fields of an address; a new question begins at the first page. */
export function searchOfForm(form: FormData): Record<string, string> {
  const search: Record<string, string> = {}
  for (const name of ['status', 'search']) {
    const value = form.get(name)
    if (typeof value === 'string' && value.trim() !== '') search[name] = value.trim()
  }
  return search
}

/** The same list from another place on, with no dialog open. */
export function searchFrom({ status, search }: Search, offset: number): Record<string, string> {
  return {
    ...(status === undefined ? {} : { status }),
    ...(search === undefined ? {} : { search }),
    ...(offset > 0 ? { from: String(offset) } : {}),
  }
}
