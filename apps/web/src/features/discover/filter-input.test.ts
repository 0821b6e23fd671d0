import { describe, expect, test } from 'vitest'
import { filterFaults, searchOf, textsOf, textsOfForm } from './filter-input.ts'
import { askedOf, readFilters } from '../../lib/filters.ts'

const form = (fields: Readonly<Record<string, string>>): FormData => {
  const data = new FormData()
  for (const [name, value] of Object.entries(fields)) data.set(name, value)
  return data
}

describe('the form of the filters', () => {
  test('what is chosen is written in the address and read back from it', async () => {
    const texts = textsOfForm(
      form({ category: 'research', min: '0,5', for: 'agent', near: '19.4326, -99.1332', within: '5' }),
      'en',
    )
    expect(await filterFaults(texts)).toEqual({})
    const search = searchOf(texts, { other: 'kept' })
    expect(search).toMatchObject({
      other: 'kept',
      category: 'research',
      min: '0.5',
      for: 'agent',
      near: '19.433,-99.133',
      within: '5',
    })
    expect(readFilters(search)).toMatchObject({
      min: 0.5,
      audience: 'agent',
      withinKm: 5,
      near: { lat: 19.433, lng: -99.133 },
    })
    expect(textsOf(search)).toMatchObject({ min: '0.5', for: 'agent' })
  })

  test('a thousand dollars are a thousand', () => {
    expect(
      [textsOfForm(form({ min: '1,000' }), 'en'), textsOfForm(form({ min: '1.000' }), 'es')].map(({ min }) => min),
    ).toEqual(['1000', '1000'])
  })

  test('an empty form leaves an address without filters', () => {
    expect(Object.values(searchOf(textsOfForm(form({}), 'en'), {})).filter((value) => value !== undefined)).toEqual([])
  })

  test('a distance without a place is dropped', () => {
    expect(searchOf(textsOfForm(form({ within: '5' }), 'en'), {})['within']).toBeUndefined()
  })

  test.each([
    [{ min: 'ten' }, 'min'],
    [{ max: '-1' }, 'max'],
    [{ near: 'home' }, 'near'],
  ])('%o is told beside its field', async (fields, field) => {
    expect(Object.keys(await filterFaults(textsOfForm(form(fields), 'en')))).toEqual([field])
  })

  test('more than the service takes is a fault too', async () => {
    expect(await filterFaults(textsOfForm(form({ min: '1e99' }), 'en'))).not.toEqual({})
    // In the address it would be one dollar.
    expect(Object.keys(await filterFaults(textsOfForm(form({ min: '1.000' }), 'en')))).toEqual(['min'])
    expect(askedOf(readFilters({ min: '1e99' }))).not.toHaveProperty('min_bounty')
  })
})
