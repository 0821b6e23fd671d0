import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { normalSkills, orderInstructions, orderTitle, requireRoom, usDollar, type Listing } from './listing.ts'

const aListing = (change: Partial<Listing> = {}): Listing => ({
  id: 'listing',
  sellerExecutorId: 'seller',
  title: 'I translate menus',
  description: 'I will translate your menu.',
  category: 'content_generation',
  unitPrice: { atomic: 1n, asset: usDollar },
  skills: [],
  evidence: ['text_response'],
  network: 'base',
  acceptedNetworks: ['base'],
  availability: 'active',
  ordersCount: 0,
  createdAt: new Date(0),
  updatedAt: new Date(0),
  ...change,
})

describe('a seller has at most 20 active listings (spec §8)', () => {
  test.each([
    [0, true],
    [19, true],
    [20, false],
    [21, false],
  ])('with %i there is room for one more: %s', (active, hasRoom) => {
    const refused = (): boolean => {
      try {
        requireRoom(active)
        return false
      } catch (error) {
        expect(error).toMatchObject({ code: 'LISTING_CAP_REACHED', details: { limit: 20, active } })
        return true
      }
    }
    expect(refused()).toBe(!hasRoom)
  })
})

describe('the task of an order', () => {
  test('is named after the listing and never longer than a title may be, nor cut within a character', () => {
    expect(orderTitle(aListing())).toBe('Order: I translate menus')
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme', minLength: 5, maxLength: 255 }), (title) => {
        const named = orderTitle(aListing({ title }))
        expect(Array.from(named).length).toBe(Math.min(255, 7 + Array.from(title).length))
        expect(`Order: ${title}`.startsWith(named)).toBe(true)
        expect(named.isWellFormed()).toBe(true)
      }),
    )
  })

  test.each([
    [null, 'I will translate your menu.'],
    ['Four pages.', 'I will translate your menu.\n\nFour pages.'],
  ])('asks what the listing says, then %s', (custom, instructions) => {
    expect(orderInstructions(aListing(), custom)).toBe(instructions)
  })
})

test('skills that differ in case and blanks are one skill, and an empty one is none', () => {
  expect(normalSkills([' Maps', 'maps', '', '  ', 'GIS'])).toEqual(['maps', 'gis'])
})
