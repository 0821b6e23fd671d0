import { cutText } from '@ergon/core'
import * as Type from 'typebox'
import { Check } from 'typebox/value'

export type GeocoderKind = 'photon' | 'nominatim'
/** A place as a geocoder knows it: its address in one line, and where it is. */
export type FoundPlace = { readonly name: string; readonly lat: number; readonly lng: number }

export const mostPlaces = 5
const longestName = 200
/** More than was asked for is read no further. */
const mostRead = 50

/** What is asked for a text; the language travels in a header, because Photon refuses one that it does not know. */
export function placesPath(kind: GeocoderKind, text: string): string {
  const query = new URLSearchParams({ q: text, limit: String(mostPlaces) })
  if (kind === 'nominatim') query.set('format', 'jsonv2')
  return `${kind === 'photon' ? '/api' : '/search'}?${query.toString()}`
}

/**
 * What a geocoder answered; null when it is not an answer of its kind. A single place that says nothing usable is left
 * out, but an answer of nothing else is none: that nothing was found is only believed when an empty list says so.
 */
export function readPlaces(kind: GeocoderKind, body: string): readonly FoundPlace[] | null {
  const rows = rowsOf(kind, parsed(body))
  if (rows === null) return null
  const read = kind === 'photon' ? readFeature : readRow
  const places = rows
    .slice(0, mostRead)
    .map(read)
    .filter((one) => one !== null)
  return places.length === 0 && rows.length > 0 ? null : places.slice(0, mostPlaces)
}

function parsed(body: string): unknown {
  try {
    return JSON.parse(body)
  } catch {
    return undefined
  }
}

const list = Type.Array(Type.Unknown())
const collection = Type.Object({ features: list })

function rowsOf(kind: GeocoderKind, answer: unknown): readonly unknown[] | null {
  if (kind === 'photon') return Check(collection, answer) ? answer.features : null
  return Check(list, answer) ? answer : null
}

const word = Type.Optional(Type.Union([Type.String(), Type.Null()]))
const feature = Type.Object({
  geometry: Type.Object({ type: Type.Literal('Point'), coordinates: Type.Array(Type.Number(), { minItems: 2 }) }),
  properties: Type.Object({
    name: word,
    street: word,
    housenumber: word,
    postcode: word,
    city: word,
    district: word,
    county: word,
    state: word,
    country: word,
  }),
})

/** Photon names the parts of an address, and leaves it to others to put them together. */
function readFeature(row: unknown): FoundPlace | null {
  if (!Check(feature, row)) return null
  const { name, street, housenumber, postcode, city, district, county, state, country } = row.properties
  const [lng, lat] = row.geometry.coordinates
  const parts = [name, joined([street, housenumber]), joined([postcode, city ?? district ?? county]), state, country]
  return placeOf(oneLine(parts), lat, lng)
}

const figure = Type.Union([Type.Number(), Type.String({ pattern: '^-?\\d{1,3}(?:\\.\\d{1,30})?$' })])
const entry = Type.Object({ lat: figure, lon: figure, display_name: Type.String() })

function readRow(given: unknown): FoundPlace | null {
  return Check(entry, given) ? placeOf(oneLine([given.display_name]), Number(given.lat), Number(given.lon)) : null
}

function placeOf(name: string, lat: number | undefined, lng: number | undefined): FoundPlace | null {
  if (lat === undefined || lng === undefined || name === '') return null
  const isOnEarth = Math.abs(lat) <= 90 && Math.abs(lng) <= 180
  return isOnEarth ? { name, lat: rounded(lat), lng: rounded(lng) } : null
}

/** A tenth of a metre. */
const rounded = (degrees: number): number => Math.round(degrees * 1e6) / 1e6

type Words = readonly (string | null | undefined)[]

/** Each part once: a town has the name of its place, and a city that of its state. */
function oneLine(parts: Words): string {
  const said = parts.map(plain).filter((one, at, all) => one !== '' && all.indexOf(one) === at)
  return cutText(said.join(', '), longestName)
}

const joined = (parts: Words): string =>
  parts
    .map(plain)
    .filter((one) => one !== '')
    .join(' ')

/** Without signs that break a line, or turn the direction of what is read beside it. */
function plain(text: string | null | undefined): string {
  return (text ?? '')
    .replaceAll(/[\p{Cc}\p{Zl}\p{Zp}\u200e\u200f\u202a-\u202e\u2066-\u2069\ufeff]+/gu, ' ')
    .replaceAll(/\s+/g, ' ')
    .trim()
}
