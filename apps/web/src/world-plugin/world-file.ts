import type { FeatureCollection } from 'geojson'
import { GeoJSONVT, type GeoJSONVTTile } from '@maplibre/geojson-vt'
import { fromGeojsonVt } from '@maplibre/vt-pbf'
import { zxyToTileId } from 'pmtiles'
import type { TownRow } from '../components/towns/town.ts'
import { packed, pmtilesFile, type PackedTile } from './pmtiles-file.ts'
import { countryNames, shapesAt, type Scale, type Shapes } from './world-shapes.ts'

const maxZoom = 6
/** So many towns, the largest first, are in the tiles of a zoom; from its end on all are. */
const townsAtZoom = [0, 0, 60, 300, 1_500, 6_000] as const
const scaleAt = (zoom: number): Scale => (zoom < 2 ? '110m' : zoom < 4 ? '50m' : '10m')

type Layers = Readonly<Record<string, GeoJSONVT>>

/** The world at low zoom as one archive: land, coasts, borders, the names of countries and towns. */
export async function worldFile(towns: readonly TownRow[]): Promise<Buffer> {
  const [coarse, middle, fine, names] = await Promise.all([
    shapesAt('110m'),
    shapesAt('50m'),
    shapesAt('10m'),
    countryNames(),
  ])
  const countries = cut(names, maxZoom)
  const drawn: Readonly<Record<Scale, Layers>> = {
    '110m': layersOf(coarse, 1),
    '50m': layersOf(middle, 3),
    '10m': layersOf(fine, maxZoom),
  }
  const tiles = Array.from({ length: maxZoom + 1 }, (_, zoom) => {
    const places = cut(townsAsFeatures(towns.slice(0, townsAtZoom[zoom] ?? towns.length)), zoom)
    return tilesAt(zoom, { ...drawn[scaleAt(zoom)], countries, places })
  })
  return pmtilesFile(tiles.flat(), {
    minZoom: 0,
    maxZoom,
    bounds: [-180, -85.0511, 180, 85.0511],
    metadata: {
      name: 'World',
      type: 'baselayer',
      attribution:
        'Natural Earth, <a href="https://www.geonames.org/">GeoNames</a> ' +
        '(<a href="https://creativecommons.org/licenses/by/4.0/">CC BY 4.0</a>, shortened)',
      vector_layers: ['earth', 'coast', 'boundaries', 'countries', 'places'].map((id) => ({ id, fields: {} })),
    },
  })
}

const layersOf = ({ earth, coast, boundaries }: Shapes, upTo: number): Layers => ({
  earth: cut(earth, upTo),
  coast: cut(coast, upTo),
  boundaries: cut(boundaries, upTo),
})

const cut = (shapes: FeatureCollection, upTo: number): GeoJSONVT =>
  new GeoJSONVT(shapes, { maxZoom, indexMaxZoom: upTo, indexMaxPoints: 0, tolerance: 3, buffer: 64, extent: 4_096 })

function tilesAt(zoom: number, layers: Layers): readonly PackedTile[] {
  const side = 2 ** zoom
  return Array.from({ length: side * side }, (_, at) => [at % side, Math.floor(at / side)] as const).flatMap(
    ([x, y]): readonly PackedTile[] => {
      const cuts = Object.entries(layers).flatMap(([name, layer]): readonly [string, GeoJSONVTTile][] => {
        const tile = layer.getTile(zoom, x, y)
        return tile === null || tile.features.length === 0 ? [] : [[name, tile]]
      })
      if (cuts.length === 0) return []
      const bytes = fromGeojsonVt(Object.fromEntries(cuts), { version: 2, extent: 4_096 })
      return [{ id: zxyToTileId(zoom, x, y), bytes: packed(bytes) }]
    },
  )
}

/** The largest comes first and has the lowest rank, by which the map leaves out what has no room. */
function townsAsFeatures(towns: readonly TownRow[]): FeatureCollection {
  return {
    type: 'FeatureCollection',
    features: towns.map(([name, , lat, lng], rank) => ({
      type: 'Feature',
      properties: { name, rank },
      geometry: { type: 'Point', coordinates: [lng / 1_000, lat / 1_000] },
    })),
  }
}
