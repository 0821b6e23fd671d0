import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { townsText } from '../../towns-plugin/towns-plugin.ts'
import { folded } from './fold.ts'
import { nearestTown } from './nearest-town.ts'
import { indexTowns, searchTowns } from './search-towns.ts'
import { townOf, type TownsFile } from './town.ts'

// The file of the build, whose shape is known.
const { towns: rows } = JSON.parse(await townsText()) as TownsFile
const index = indexTowns(rows.map(townOf))
const spanish = new Intl.DisplayNames('es', { type: 'region' })
const countryOf = (code: string): string => spanish.of(code) ?? code
const search = (typed: string, most = 8): readonly string[] =>
  searchTowns(index, typed, most, countryOf).map(({ town }) => `${town.name} ${town.country}`)

describe('Finding a town by its name', () => {
  test.each([
    ['lisb', 'Lisbon PT'],
    ['LISBOA', 'Lisbon PT'],
    ['londres', 'London GB'],
    ['Nueva York', 'New York City US'],
    ['ciudad de méxico', 'Mexico City MX'],
    ['cologne', 'Köln DE'],
    ['koln', 'Köln DE'],
    ['Koeln', 'Köln DE'],
    ['zarag', 'Zaragoza ES'],
    ['são paulo', 'São Paulo BR'],
    ['SAO PAULO', 'São Paulo BR'],
    ['bogota', 'Bogotá CO'],
    ['la haya', 'The Hague NL'],
    ['lodz', 'Łódź PL'],
    ['  saint   denis ', 'Saint-Denis RE'],
  ])('"%s" finds %s first', (typed, town) => {
    expect(search(typed)[0]).toBe(town)
  })

  test.each(['paul', 'san', 'new', 'york', 'villa'])(
    'what "%s" begins comes before what it begins a later word of, and the larger before the smaller',
    (typed) => {
      const found = searchTowns(index, typed, 40, countryOf)
      const kinds = found.map(({ town, by }) => {
        const [own, other] = [folded(town.name), folded(by ?? '')]
        return own === typed ? 0 : own.startsWith(typed) || other === typed ? 1 : other.startsWith(typed) ? 2 : 3
      })
      expect(kinds).toEqual(kinds.toSorted())
      const places = found.map(({ town }) => index.findIndex((one) => one.town === town))
      for (const kind of new Set(kinds)) {
        const ofKind = places.filter((_, at) => kinds[at] === kind)
        expect(ofKind).toEqual(ofKind.toSorted((one, other) => one - other))
      }
    },
  )

  test('the name of a town comes before what a larger one was once called', () => {
    expect(search('zaragoza')[0]).toBe('Zaragoza ES')
    expect(search('roma')[0]).toBe('Rome IT')
    expect(search('Pekín').slice(0, 2)).toEqual(['Pekin US', 'Beijing CN'])
  })

  test('the middle of a word finds nothing', () => {
    expect(search('isbon')).toEqual([])
  })

  test('the country behind a comma narrows, in the words of the reader or by its code', () => {
    expect(search('madrid')).toEqual(expect.arrayContaining(['Madrid ES', 'Madrid CO']))
    expect(search('Madrid, Colombia')).toEqual(['Madrid CO'])
    expect(search('valencia, esp').every((town) => town.endsWith(' ES'))).toBe(true)
    expect(search('Birmingham, estados unidos')[0]).toBe('Birmingham US')
    expect(search('birmingham, gb')[0]).toBe('Birmingham GB')
  })

  test('a town that is found by another name says by which', () => {
    expect(searchTowns(index, 'londres', 1, countryOf)[0]?.by).toBe('Londres')
    expect(searchTowns(index, 'london', 1, countryOf)[0]?.by).toBeUndefined()
  })

  test('towns of one name in one country are told apart by a larger one beside them', () => {
    const springfields = searchTowns(index, 'springfield', 8, countryOf).filter(
      ({ town }) => town.name === 'Springfield' && town.country === 'US',
    )
    expect(springfields.length).toBeGreaterThan(4)
    for (const { beside } of springfields) expect(beside?.name).not.toBe('Springfield')
    const known = springfields.map(({ beside }) => beside?.name).filter((name) => name !== undefined)
    expect(known.length).toBeGreaterThan(4)
    expect(new Set(known).size).toBe(known.length)
  })

  test('every town is found by its own name and country, unless eight larger ones are called alike', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: index.length - 1 }), (at) => {
        const own = index[at]
        if (own === undefined) throw new Error('no such town')
        const found = searchTowns(index, `${own.town.name.replaceAll(',', ' ')}, ${own.town.country}`, 8, countryOf)
        expect(found.length === 8 || found.some(({ town }) => town === own.town)).toBe(true)
      }),
      { numRuns: 200 },
    )
  })

  test('whatever is typed, at most so many are found and nothing breaks', () => {
    fc.assert(
      fc.property(fc.string({ maxLength: 40 }), (typed) => {
        expect(searchTowns(index, typed, 5, countryOf).length).toBeLessThanOrEqual(5)
      }),
      { numRuns: 300 },
    )
    expect(search('   ')).toEqual([])
    expect(search(',')).toEqual([])
  })
})

describe('The town that is nearest to a point', () => {
  test.each([
    [38.72, -9.14, 'Lisbon PT'],
    [19.433, -99.133, 'Mexico City MX'],
    [40.4168, -3.7038, 'Madrid ES'],
  ])('%d, %d is at %s', (lat, lng, name) => {
    const town = nearestTown(index, { lat, lng })
    expect(`${town?.name ?? ''} ${town?.country ?? ''}`).toBe(name)
  })

  test('in the middle of the sea there is none', () => {
    expect(nearestTown(index, { lat: -40, lng: -120 })).toBeUndefined()
  })
})

describe('The towns that come with the app', () => {
  test('are those with inhabitants enough, the largest first, with a place on the earth', () => {
    expect(rows.length).toBeGreaterThan(24_000)
    expect(rows.slice(0, 40).map(([name]) => name)).toEqual(
      expect.arrayContaining(['Shanghai', 'Mexico City', 'Istanbul', 'Bogotá', 'London']),
    )
    for (const [name, country, lat, lng] of rows) {
      if (name === '' || !/^[A-Z]{2}$/.test(country) || Math.abs(lat) > 90_000 || Math.abs(lng) > 180_000)
        expect.fail(`${name} ${country} ${String(lat)} ${String(lng)}`)
    }
  })
})
