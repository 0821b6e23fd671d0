import { categories, listingSorts } from '@ergon/contract'
import type { Input } from '@ergon/sdk'
import { dollarsTyped } from '../../lib/number-typed.ts'
import type { Search } from '../../lib/search.ts'

export type BrowseInput = NonNullable<Input<'listings.browse'>>

/** What an address asks of the list; what it says wrongly is left out, so that an old link still shows something. */
export function browseInput(search: Search): BrowseInput {
  const category = categories.find((one) => one === search['category'])
  const sort = listingSorts.find((one) => one === search['sort'])
  const price = figure(search['price'], 10_000)
  const reputation = figure(search['reputation'], 100)
  const skills = search['skills']?.trim() ?? ''
  const seller = search['seller'] ?? ''
  return {
    ...(category === undefined ? {} : { category }),
    ...(sort === undefined ? {} : { sort }),
    ...(price === undefined ? {} : { max_price_usd: price }),
    ...(reputation === undefined ? {} : { min_reputation: reputation }),
    ...(skills === '' ? {} : { skills }),
    ...(sellerShape.test(seller) ? { seller } : {}),
  }
}

const sellerShape = /^(0x[0-9a-fA-F]{40}|[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12})$/

function figure(text: string | undefined, most: number): number | undefined {
  if (text === undefined || text.trim() === '') return undefined
  const value = /^\d+(?:\.\d+)?$/.test(text) ? Number(text) : undefined
  return value !== undefined && value <= most ? value : undefined
}

const figures = new Set(['price', 'reputation'])
const fields = ['category', 'skills', 'price', 'reputation', 'sort', 'seller'] as const

/**
 * What a filled-in form says, as the fields of an address; the empty ones are not in it, and figures are written for
 * every language. What is no figure is left out: in the address, `1.000` would be one.
 */
export function searchOfForm(form: FormData, locale: string): Record<string, string> {
  const search: Record<string, string> = {}
  for (const name of fields) {
    const value = form.get(name)
    if (typeof value !== 'string' || value.trim() === '' || (name === 'sort' && value === 'recent')) continue
    const said = figures.has(name) ? dollarsTyped(value, locale) : value.trim()
    if (typeof said === 'number' || !figures.has(name)) search[name] = String(said)
  }
  return search
}
