import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { placesPath, readPlaces, type GeocoderKind } from './read-places.ts'

const kinds: readonly GeocoderKind[] = ['photon', 'nominatim']
const photon = (properties: object, coordinates: unknown = [-0.8773, 41.6561]): object => ({
  type: 'Feature',
  geometry: { type: 'Point', coordinates },
  properties,
})
const asPhoton = (...features: readonly unknown[]) => readPlaces('photon', JSON.stringify({ features }))
const row = (change: object = {}): object => ({ lat: '41.65', lon: '-0.87', display_name: 'Pilar', ...change })
const asNominatim = (...rows: readonly unknown[]) => readPlaces('nominatim', JSON.stringify(rows))
const names = (places: ReturnType<typeof readPlaces>): readonly string[] | undefined => places?.map(({ name }) => name)

test('a text is asked for as each of them publishes it, whatever is in it', () => {
  expect(placesPath('photon', 'a&b=c #1?')).toBe('/api?q=a%26b%3Dc+%231%3F&limit=5')
  expect(placesPath('nominatim', 'a&b')).toBe('/search?q=a%26b&limit=5&format=jsonv2')
})

describe('An answer of Photon', () => {
  test.each([
    [
      { street: 'Calle Alfonso I', housenumber: '5', postcode: '50003', city: 'Zaragoza', country: 'España' },
      'Calle Alfonso I 5, 50003 Zaragoza, España',
    ],
    [{ name: 'Berlin', city: 'Berlin', state: 'Berlin', country: 'Germany' }, 'Berlin, Germany'],
    [{ name: 'Bar', street: 'High Street', county: 'Kent' }, 'Bar, High Street, Kent'],
    [{ name: null, country: 'Chile' }, 'Chile'],
  ])('becomes one line, with each part once: %j', (properties, line) => {
    expect(asPhoton(photon(properties))).toEqual([{ name: line, lat: 41.6561, lng: -0.8773 }])
  })

  test('has the longitude first', () => {
    expect(asPhoton(photon({ name: 'a' }, [100.1234567, 10]))).toEqual([{ name: 'a', lat: 10, lng: 100.123457 }])
  })
})

describe('An answer of Nominatim', () => {
  test('has its figures as text, or as figures', () => {
    expect(asNominatim(row(), row({ lat: 1.5, lon: 2 }))).toEqual([
      { name: 'Pilar', lat: 41.65, lng: -0.87 },
      { name: 'Pilar', lat: 1.5, lng: 2 },
    ])
  })
})

describe('What a geocoder says is bounded', () => {
  test('five places at the most, and names of 200 signs', () => {
    expect(asNominatim(...Array.from({ length: 60 }, () => row()))).toHaveLength(5)
    expect(names(asNominatim(row({ display_name: 'x'.repeat(9_000) })))).toEqual(['x'.repeat(200)])
  })

  test('what comes after fifty places is not read', () => {
    const unusable = Array.from({ length: 50 }, () => row({ lat: 'x' }))
    expect(asNominatim(...unusable, row())).toBeNull()
    expect(asNominatim(...unusable.slice(1), row())).toHaveLength(1)
  })

  test('no sign of a name breaks the line, or turns what is read beside it', () => {
    expect(names(asNominatim(row({ display_name: ' a\n\u202eb\u2066 \u0000c\ud800 ' })))).toEqual(['a b c\ufffd'])
  })

  test.each([
    ['no figure', { lat: 'north' }],
    ['no figure of ours', { lat: '0x10' }],
    ['beyond the pole', { lat: '91' }],
    ['beyond the line of dates', { lon: '181' }],
    ['nowhere', { lat: undefined }],
    ['without a name', { display_name: ' \n' }],
  ])('a place that is %s is left out', (_what, change) => {
    expect(names(asNominatim(row(change), row()))).toEqual(['Pilar'])
  })

  test.each<[string, GeocoderKind, unknown]>([
    ['no list', 'nominatim', { error: 'Unable to geocode' }],
    ['no collection', 'photon', []],
    ['a collection without places', 'photon', { type: 'FeatureCollection' }],
    ['nothing usable', 'nominatim', [row({ lat: 'x' })]],
    ['areas in the place of points', 'photon', { features: [photon({ name: 'a' }, [[1, 2]])] }],
    ['nothing', 'nominatim', null],
  ])('%s is no answer, and not an answer that nothing was found', (_what, kind, answer) => {
    expect(readPlaces(kind, JSON.stringify(answer))).toBeNull()
  })

  test('an empty list says that nothing was found', () => {
    expect([asPhoton(), asNominatim()]).toEqual([[], []])
  })

  test('whatever is answered, nothing breaks, and what is told is on the earth and has a name', () => {
    const part = fc.oneof(fc.string(), fc.double(), fc.constant(null), fc.constant([1, 2]))
    const given = fc.oneof(
      fc.json(),
      fc.string(),
      fc.array(fc.record({ lat: part, lon: part, display_name: part })).map((rows) => JSON.stringify(rows)),
      fc
        .array(fc.record({ geometry: fc.record({ type: fc.constant('Point'), coordinates: fc.array(fc.double()) }) }))
        .map((rows) => JSON.stringify({ features: rows.map((one) => ({ ...one, properties: { name: 'a' } })) })),
      fc.constant('['.repeat(60_000)),
    )
    fc.assert(
      fc.property(fc.constantFrom(...kinds), given, (kind, body) => {
        for (const { name, lat, lng } of readPlaces(kind, body) ?? [])
          expect([name.length > 0, name.length <= 200, Math.abs(lat) <= 90, Math.abs(lng) <= 180]).toEqual(
            Array.from({ length: 4 }, () => true),
          )
      }),
      { numRuns: 400 },
    )
  })
})
