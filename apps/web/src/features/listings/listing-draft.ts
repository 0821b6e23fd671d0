import { dollarsTyped, typedNumber } from '../../lib/number-typed.ts'
import type { Listing } from './listing-card.tsx'

/** What a seller typed; figures stay texts until they are sent. */
export type ListingDraft = {
  readonly title: string
  readonly category: string
  readonly description: string
  readonly price: string
  readonly skills: string
  readonly evidence: readonly string[]
  readonly networks: readonly string[]
}

export const emptyListing: ListingDraft = {
  title: '',
  category: '',
  description: '',
  price: '',
  skills: '',
  evidence: ['text_response'],
  networks: [],
}

export function draftOf(
  listing: Pick<
    Listing,
    'title' | 'category' | 'description' | 'unit_price_usd' | 'skills' | 'evidence_schema' | 'accepted_networks'
  >,
  locale: string,
): ListingDraft {
  return {
    title: listing.title,
    category: listing.category,
    description: listing.description,
    price: typedNumber(listing.unit_price_usd, locale),
    skills: listing.skills.join(', '),
    evidence: listing.evidence_schema,
    networks: listing.accepted_networks,
  }
}

type Fields = Readonly<Record<string, unknown>>

/** The fields of a new listing, to be held against the schema of the operation. */
export function createFields(draft: ListingDraft, locale: string): Fields {
  return {
    ...(draft.title.trim() === '' ? {} : { title: draft.title.trim() }),
    ...(draft.category === '' ? {} : { category: draft.category }),
    ...termsOf(draft, locale),
  }
}

export function updateFields(listingId: string, draft: ListingDraft, locale: string): Fields {
  return { listing_id: listingId, ...termsOf(draft, locale) }
}

function termsOf({ description, price, skills, evidence, networks }: ListingDraft, locale: string): Fields {
  const amount = dollarsTyped(price, locale)
  return {
    ...(description.trim() === '' ? {} : { description: description.trim() }),
    // What is no number is sent to the schema as it was typed, and refused there.
    ...(amount === undefined ? {} : { unit_price_usd: amount }),
    skills: skills
      .split(',')
      .map((one) => one.trim())
      .filter((one) => one !== ''),
    evidence_schema: evidence,
    ...(networks.length === 0 ? {} : { accepted_networks: networks }),
  }
}
