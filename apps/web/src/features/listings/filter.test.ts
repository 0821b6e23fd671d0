import { describe, expect, test } from 'vitest'
import { faultsOf } from '../../lib/form.ts'
import { browseInput, searchOfForm } from './filter.ts'

describe('the address of the services', () => {
  test('says every filter, in words the operation takes', () => {
    const input = browseInput({
      category: 'research',
      skills: ' python, sql ',
      price: '12.5',
      reputation: '60',
      sort: 'price',
      seller: `0x${'a1'.repeat(20)}`,
    })
    expect(input).toEqual({
      category: 'research',
      skills: 'python, sql',
      max_price_usd: 12.5,
      min_reputation: 60,
      sort: 'price',
      seller: `0x${'a1'.repeat(20)}`,
    })
    expect(faultsOf('listings.browse', input)).toEqual({})
  })

  test.each([
    { category: 'nonsense' },
    { sort: 'worst' },
    { price: 'cheap' },
    { price: '-1' },
    { price: '0x10' },
    { price: '1e3' },
    { reputation: '101' },
    { seller: 'me' },
    { skills: '  ' },
  ])('leaves out what it says wrongly: %o', (search) => {
    expect(browseInput(search)).toEqual({})
  })

  test('is made from the form without its empty fields', () => {
    const form = new FormData()
    for (const [name, value] of [
      ['category', ''],
      ['skills', ' sql '],
      ['price', '1,000'],
      ['sort', 'recent'],
      ['other', 'x'],
    ] as const)
      form.set(name, value)
    expect(searchOfForm(form, 'en')).toEqual({ skills: 'sql', price: '1000' })
    form.set('price', '1.000')
    expect(searchOfForm(form, 'en')).toEqual({ skills: 'sql' })
  })
})
