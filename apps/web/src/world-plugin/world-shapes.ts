import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import type { Feature, FeatureCollection, Geometry, Position } from 'geojson'
import { feature, mesh } from 'topojson-client'
import { unwrapped } from './unwrap.ts'

type World = Parameters<typeof mesh>[0]
// The two packages of types name the same shapes with and without properties.
type Drawn = Parameters<typeof mesh>[1]

/** How finely the world is drawn: metres in ten thousands, as Natural Earth names them. */
export type Scale = '110m' | '50m' | '10m'
export type Shapes = {
  readonly earth: FeatureCollection
  /** Coasts as open lines: the edge of a polygon that a tile cuts would be drawn along the cut. */
  readonly coast: FeatureCollection
  readonly boundaries: FeatureCollection
}

const require = createRequire(import.meta.url)

/** The land, its coasts and its borders at one scale, from Natural Earth. */
export async function shapesAt(scale: Scale): Promise<Shapes> {
  const { world, land, countries } = await worldAt(scale)
  return {
    earth: unwrapped(asCollection(feature(world, land))),
    coast: unwrapped(ofGeometry(mesh(world, land as Drawn))),
    boundaries: unwrapped(ofGeometry(mesh(world, countries as Drawn, (one, other) => one !== other))),
  }
}

/** Where the name of each country is written: in the middle of its largest part. */
export async function countryNames(): Promise<FeatureCollection> {
  const { world, countries } = await worldAt('50m')
  const found = asCollection(feature(world, countries)).features.flatMap((country): readonly Feature[] => {
    const largest = largestRing(unwrapped(ofGeometry(country.geometry)).features[0]?.geometry)
    const name: unknown = country.properties?.['name']
    if (largest === undefined || typeof name !== 'string') return []
    const properties = { name, 'name:es': spanishName(country.id) ?? name, rank: rankOf(largest.area) }
    return [{ type: 'Feature', properties, geometry: { type: 'Point', coordinates: largest.middle } }]
  })
  return { type: 'FeatureCollection', features: found }
}

async function worldAt(scale: Scale) {
  // The file is of a pinned package, so its shape is known.
  const world = JSON.parse(await readFile(require.resolve(`world-atlas/countries-${scale}.json`), 'utf8')) as World
  const { land, countries } = world.objects
  if (land === undefined || countries === undefined) throw new Error(`the world at ${scale} lacks land or countries`)
  return { world, land, countries }
}

const asCollection = (one: Feature | FeatureCollection): FeatureCollection =>
  one.type === 'FeatureCollection' ? one : { type: 'FeatureCollection', features: [one] }
const ofGeometry = (geometry: Geometry): FeatureCollection => ({
  type: 'FeatureCollection',
  features: [{ type: 'Feature', properties: {}, geometry }],
})

/** Countries have the numbers of ISO 3166, which the runtime turns into letters; five have none. */
function spanishName(id: Feature['id']): string | undefined {
  const code = String(id ?? '').padStart(3, '0')
  if (!/^\d{3}$/.test(code) || code === '000') return undefined
  const { region } = new Intl.Locale(`und-${code}`)
  return region === undefined || /^\d/.test(region)
    ? undefined
    : new Intl.DisplayNames('es', { type: 'region', fallback: 'none' }).of(region)
}

/** 1 for the largest countries up to 4: by the zoom from which there is room for the name. */
const rankOf = (squareDegrees: number): number => 1 + [300, 40, 6].filter((least) => squareDegrees < least).length

type Ring = { readonly area: number; readonly middle: Position }

function largestRing(geometry: Geometry | undefined): Ring | undefined {
  const polygons =
    geometry?.type === 'Polygon'
      ? [geometry.coordinates]
      : geometry?.type === 'MultiPolygon'
        ? geometry.coordinates
        : []
  return polygons
    .map(([outer = []]) => measured(outer))
    .toSorted((one, other) => other.area - one.area)
    .at(0)
}

/** Area and centre of gravity of a ring in degrees (the shoelace formula). */
function measured(ring: readonly Position[]): Ring {
  let [area, x, y] = [0, 0, 0]
  ring.forEach(([toX = 0, toY = 0], at) => {
    const [fromX = 0, fromY = 0] = ring[at - 1] ?? ring.at(-1) ?? []
    const cross = fromX * toY - toX * fromY
    area += cross / 2
    x += ((fromX + toX) * cross) / 6
    y += ((fromY + toY) * cross) / 6
  })
  const degrees = (sum: number): number => Math.round((sum / area) * 1_000) / 1_000
  return { area: Math.abs(area), middle: [degrees(x), degrees(y)] }
}
