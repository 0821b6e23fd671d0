import type { Listing } from './listing-card.tsx'

/** What a seller typed; figures stay texts until they are sent. */
export type ListingDraft = { readonly title: string; readonly category: string; readonly description: string; readonly price: string; readonly skills: string; readonly evidence: readonly string[]; readonly networks: readonly string[] }

export const emptyListing: ListingDraft = { title: '', category: '', description: '', price: '', skills: '', evidence: ['text_response'], networks: [] }

export function draftOf(listing: Pick<Listing, 'title' | 'category' | 'description' | 'unit_price_usd' | 'skills' | 'evidence_schema' | 'accepted_networks'>): ListingDraft {
  return { title: listing.title, category: listing.category, description: listing.description, price: String(listing.unit_price_usd), skills: listing.skills.join(', '), evidence: listing.evidence_schema, networks: listing.accepted_networks }
}

type Fields = Readonly<Record<string, unknown>>

/** The fields of a new listing, to be held against the schema of the operation. */
export function createFields(draft: ListingDraft): Fields {
  return { ...(draft.title.trim() === '' ? {} : { title: draft.title.trim() }), ...(draft.category === '' ? {} : { category: draft.category }), ...termsOf(draft) }
}

export function updateFields(listingId: string, draft: ListingDraft): Fields {
  return { listing_id: listingId, ...termsOf(draft) }
}

function termsOf({ description, price, skills, evidence, networks }: ListingDraft): Fields {
  const amount = price.trim().replace(',', '.')
  return {
    ...(description.trim() === '' ? {} : { description: description.trim() }),
    // What is no number is sent to the schema as it was typed, and refused there.
    ...(amount === '' ? {} : { unit_price_usd: Number.isNaN(Number(amount)) ? amount : Number(amount) }),
    skills: skills.split(',').map((one) => one.trim()).filter((one) => one !== ''),
    evidence_schema: evidence,
    ...(networks.length === 0 ? {} : { accepted_networks: networks }),
  }
}
