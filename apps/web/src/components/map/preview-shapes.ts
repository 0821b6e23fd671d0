import { VectorTile, type VectorTileFeature, type VectorTileLayer } from '@mapbox/vector-tile'
import { PbfReader } from 'pbf'
import type { Language } from '../../lib/language.ts'
import type { Point } from '../../lib/geo.ts'
import { tilesAddress, type TileFacts } from './map-info.ts'
import { reachOf } from './town-reach.ts'

const previewSize = { width: 640, height: 224 } as const
/** A region with its larger towns: near enough to know where in the country a place is. */
const zoom = 7
const tilePx = 512
/** What a phone shows of the picture. */
const seenPx = 330
/** Of names that a phone shows, and of those beside them on a wide window. */
const mostNames = { near: 6, far: 5 } as const
/** Half of what a letter is wide, the air beside a name, and what a line is high; the circle of the place has more. */
const nameRoom = { letter: 3.6, air: 5, line: 20, circle: 24 } as const
/** A name is written so far below the dot of its town. */
const nameBelow = 16
/** What the button to open the map lies upon, from the lower right corner of what is seen. */
const buttonRoom = { x: 152, y: 64 } as const

/** A name, and where the dot of its town is above it; the place itself has a circle instead. */
type PreviewName = {
  readonly x: number
  readonly y: number
  readonly text: string
  readonly dotY?: number
  /** Beside what a phone shows. */
  readonly isFar: boolean
}
/** The ground of a town. */
type PreviewTown = { readonly x: number; readonly y: number; readonly radius: number }
export type PreviewShapes = {
  readonly land: string
  readonly coast: string
  readonly borders: string
  readonly towns: readonly PreviewTown[]
  readonly names: readonly PreviewName[]
  readonly pxPerMetre: number
}

/** Draws the surroundings of a point as paths of a picture whose middle it is; some tiles, and no map library. */
export async function previewShapes(at: Point, facts: TileFacts, language: Language): Promise<PreviewShapes> {
  const tileZoom = Math.min(zoom - 1, facts.max_zoom)
  const side = 2 ** tileZoom
  const sizePx = tilePx * 2 ** (zoom - tileZoom)
  const [x, y] = [eastOf(at.lng) * side, southOf(at.lat) * side]
  const [left, top] = [x - previewSize.width / 2 / sizePx, y - previewSize.height / 2 / sizePx]
  const [right, bottom] = [x + previewSize.width / 2 / sizePx, y + previewSize.height / 2 / sizePx]
  const tiles = whole(left, right).flatMap((column) =>
    whole(Math.max(0, top), Math.min(side - 0.01, bottom)).map((row) => ({ column, row })),
  )
  const drawn = await Promise.all(
    tiles.map(async ({ column, row }) => {
      const tile = await tileAt(facts, tileZoom, ((column % side) + side) % side, row)
      return tile === undefined
        ? []
        : [{ tile, place: { sizePx, x: (column - left) * sizePx, y: (row - top) * sizePx } }]
    }),
  )
  const parts = drawn.flat()
  const pathsOf = (layer: string): string =>
    parts
      .map(({ tile, place }) =>
        features(tile.layers[layer])
          .map((one) => pathOf(one, place))
          .join(''),
      )
      .join('')
  const metresAround = 40_075_017 * Math.cos((at.lat * Math.PI) / 180)
  const pxPerMetre = (tilePx * 2 ** zoom) / metresAround
  const found = parts.flatMap(({ tile, place }) =>
    features(tile.layers['places']).flatMap((feature) => townOf(feature, place, language)),
  )
  // What is near an edge is in the tiles on both sides of it.
  const towns = [...new Map(found.map((one) => [one.rank, one])).values()]
  return {
    land: pathsOf('earth'),
    coast: pathsOf('coast'),
    borders: pathsOf('boundaries'),
    towns: towns
      .map(({ x, y, rank }) => ({ x, y, radius: reachOf(rank) * 1_000 * pxPerMetre }))
      .filter(
        ({ x, y, radius }) =>
          x > -radius && x < previewSize.width + radius && y > -radius && y < previewSize.height + radius,
      ),
    names: namesOf(towns),
    pxPerMetre,
  }
}

type Place = { readonly sizePx: number; readonly x: number; readonly y: number }
type Town = { readonly text: string; readonly rank: number; readonly x: number; readonly y: number }

async function tileAt(facts: TileFacts, z: number, x: number, y: number): Promise<VectorTile | undefined> {
  const address = tilesAddress(facts).replace('{z}', String(z)).replace('{x}', String(x)).replace('{y}', String(y))
  const answer = await fetch(address)
  if (!answer.ok) throw new Error(`a tile of the map answered ${String(answer.status)}`)
  // The open sea has no tile.
  return answer.status === 204 ? undefined : new VectorTile(new PbfReader(await answer.arrayBuffer()))
}

const features = (layer: VectorTileLayer | undefined): readonly VectorTileFeature[] =>
  layer === undefined ? [] : Array.from({ length: layer.length }, (_, at) => layer.feature(at))

function pathOf(feature: VectorTileFeature, { sizePx, x, y }: Place): string {
  const scale = sizePx / feature.extent
  const isArea = feature.type === 3
  return feature
    .loadGeometry()
    .map((line) => {
      const points = line.map((one) => `${(x + one.x * scale).toFixed(1)} ${(y + one.y * scale).toFixed(1)}`)
      return `M${points.join('L')}${isArea ? 'Z' : ''}`
    })
    .join('')
}

const middle = { x: previewSize.width / 2, y: previewSize.height / 2 } as const

/**
 * The town the place is in or at, above its circle, and the largest around it that there is room for, each below its
 * dot and none behind the button: first what a phone shows, then what is beside it.
 */
export function namesOf(all: readonly Town[]): readonly PreviewName[] {
  const towns = all
    .flatMap((one) => {
      const side = sideOf(one)
      return side === 'none' ? [] : [{ ...one, y: one.y + nameBelow, dotY: one.y, isFar: side === 'far' }]
    })
    .toSorted((one, other) => one.rank - other.rank)
  const here = towns.find(({ x, dotY }) => Math.hypot(x - middle.x, dotY - middle.y) < 24)
  const named: PreviewName[] =
    here === undefined ? [] : [{ text: here.text, x: middle.x, y: middle.y - 20, isFar: false }]
  for (const isFar of [false, true]) {
    let left = isFar ? mostNames.far : mostNames.near - named.length
    for (const one of towns) {
      if (left === 0) break
      if (one === here || one.isFar !== isFar || ![...named, middle].every((other) => isApart(one, other))) continue
      named.push(one)
      left -= 1
    }
  }
  return named
}

/** Whether the name of a town has its room in what a phone shows, or beside it. */
function sideOf({ text, x, y }: Town): 'near' | 'far' | 'none' {
  const [half, below] = [halfOf({ text, x, y }), y + nameBelow]
  const fits = (width: number): boolean => {
    const isInside = Math.abs(x - middle.x) + half < width / 2 && below > 24 && below < previewSize.height - 16
    const isBehind = x + half > middle.x + width / 2 - buttonRoom.x && below > previewSize.height - buttonRoom.y
    return isInside && !isBehind
  }
  if (fits(seenPx)) return 'near'
  return Math.abs(x - middle.x) - half > seenPx / 2 && fits(previewSize.width) ? 'far' : 'none'
}

type Spot = { readonly x: number; readonly y: number; readonly text?: string }
const halfOf = ({ text }: Spot): number =>
  text === undefined ? nameRoom.circle : text.length * nameRoom.letter + nameRoom.air
const isApart = (one: Spot, other: Spot): boolean => {
  const below = one.text === undefined || other.text === undefined ? nameRoom.circle + nameRoom.air : nameRoom.line
  return Math.abs(one.x - other.x) >= halfOf(one) + halfOf(other) || Math.abs(one.y - other.y) >= below
}

function townOf(feature: VectorTileFeature, { sizePx, x, y }: Place, language: Language): readonly Town[] {
  const [at] = feature.loadGeometry().flat()
  const { name, rank } = feature.properties
  const text = feature.properties[`name:${language}`] ?? name
  if (at === undefined || typeof text !== 'string' || typeof rank !== 'number') return []
  const scale = sizePx / feature.extent
  return [{ text, rank, x: x + at.x * scale, y: y + at.y * scale }]
}

function whole(from: number, to: number): readonly number[] {
  return Array.from({ length: Math.floor(to) - Math.floor(from) + 1 }, (_, at) => Math.floor(from) + at)
}
const eastOf = (lng: number): number => (lng + 180) / 360
function southOf(lat: number): number {
  const bounded = (Math.max(-85.05, Math.min(85.05, lat)) * Math.PI) / 180
  return (1 - Math.asinh(Math.tan(bounded)) / Math.PI) / 2
}
