import { describe, expect, test } from 'vitest'
import { faultsOf } from '../../lib/form.ts'
import { createFields, emptyListing, updateFields, type ListingDraft } from './listing-draft.ts'

const filled: ListingDraft = {
  title: 'Compare three suppliers',
  category: 'research',
  description: 'Three suppliers by price and terms, each figure with its source.',
  price: '2,50',
  skills: 'research, sql ,',
  evidence: ['text_response'],
  networks: [],
}
const someId = '00000000-0000-4000-8000-000000000000'

describe('the form of a service', () => {
  test('becomes what the operation takes', () => {
    expect(createFields(filled, 'en')).toEqual({
      title: filled.title,
      category: 'research',
      description: filled.description,
      unit_price_usd: 2.5,
      skills: ['research', 'sql'],
      evidence_schema: ['text_response'],
    })
    expect(faultsOf('listings.create', createFields(filled, 'en'))).toEqual({})
  })

  test('names every field that is missing', () => {
    expect(Object.keys(faultsOf('listings.create', createFields(emptyListing, 'en'))).sort()).toEqual([
      'category',
      'description',
      'title',
      'unit_price_usd',
    ])
  })

  test('refuses a price that is no number, and a service without proof', () => {
    expect(
      Object.keys(faultsOf('listings.create', createFields({ ...filled, price: 'cheap', evidence: [] }, 'en'))).sort(),
    ).toEqual(['evidence_schema', 'unit_price_usd'])
  })

  test('changes only what may change', () => {
    const fields = updateFields(someId, filled, 'en')
    expect(fields).not.toHaveProperty('title')
    expect(fields).not.toHaveProperty('category')
    expect(faultsOf('listings.update', fields)).toEqual({})
  })
})
