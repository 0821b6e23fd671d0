import type { FeatureCollection } from 'geojson'
import { ringAround } from '../../lib/geo.ts'
import type { Language } from '../../lib/language.ts'
import { mapTones, type MapColors } from './map-colors.ts'
import { tilesAddress, type MapInfo, type TileFacts } from './map-info.ts'
import type { MapCircle } from './map-view.ts'
import type { ExpressionSpecification, LayerSpecification, StyleSpecification } from './maplibre.ts'
import { letters, streetLayers, streetsFromZoom } from './street-style.ts'
import { townLayers } from './town-style.ts'

export type MapLook = {
  readonly info: MapInfo
  readonly colors: MapColors
  readonly language: Language
  readonly circles: readonly MapCircle[]
}

/**
 * The world, the streets where there are any, and the circles of the app above both. Letters are drawn with fonts of
 * the device, so none has to be fetched.
 */
export function mapStyle({ info: { world, streets }, colors, language, circles }: MapLook): StyleSpecification {
  return {
    version: 8,
    sources: {
      ...(world === null ? {} : { world: sourceOf(world) }),
      ...(streets === null ? {} : { streets: sourceOf(streets) }),
      circles: { type: 'geojson', data: circlesAsFeatures(circles) },
      middles: { type: 'geojson', data: middlesAsFeatures(circles) },
    },
    layers: [
      { id: 'sea', type: 'background', paint: { 'background-color': colors.water } },
      ...(world === null ? [] : worldGround(colors)),
      ...(streets === null ? [] : streetLayers('streets', colors, language)),
      ...(world === null ? [] : worldNames(colors, language, streets)),
      ...mapTones.flatMap((tone) => circleLayers(tone, colors)),
    ],
  }
}

const sourceOf = (facts: TileFacts) => ({
  type: 'vector' as const,
  tiles: [tilesAddress(facts)],
  minzoom: facts.min_zoom,
  maxzoom: facts.max_zoom,
  bounds: [...facts.bounds] as [number, number, number, number],
})

function worldGround(colors: MapColors): LayerSpecification[] {
  const world = { source: 'world' } as const
  const wider: ExpressionSpecification = ['interpolate', ['linear'], ['zoom'], 0, 0.4, 6, 1]
  return [
    {
      ...world,
      id: 'land',
      type: 'fill',
      'source-layer': 'earth',
      paint: { 'fill-color': colors.land, 'fill-antialias': false },
    },
    {
      ...world,
      id: 'coast',
      type: 'line',
      'source-layer': 'coast',
      maxzoom: 10,
      paint: { 'line-color': colors.coast, 'line-width': wider },
    },
    {
      ...world,
      id: 'borders',
      type: 'line',
      'source-layer': 'boundaries',
      paint: { 'line-color': colors.border, 'line-width': wider, 'line-dasharray': [3, 2] },
    },
  ]
}

function worldNames(colors: MapColors, language: Language, streets: TileFacts | null): LayerSpecification[] {
  const name: ExpressionSpecification =
    language === 'es' ? ['coalesce', ['get', 'name:es'], ['get', 'name']] : ['get', 'name']
  const towns = townLayers(colors)
  return [
    ...(streets === null ? towns : towns.map((layer) => ({ ...layer, maxzoom: streetsFromZoom }))),
    ...(streets === null
      ? []
      : towns.map((layer) => ({
          ...layer,
          id: `${layer.id}-near`,
          minzoom: streetsFromZoom,
          filter: ['all', outside(streets), layer.filter] as ExpressionSpecification,
        }))),
    {
      id: 'countries',
      type: 'symbol',
      source: 'world',
      'source-layer': 'countries',
      minzoom: 1,
      // Drawn larger than their tile, names would come again in each of its parts.
      maxzoom: 7,
      filter: ['<=', ['get', 'rank'], ['step', ['zoom'], 1, 2.5, 2, 3.5, 3, 4.5, 4]],
      layout: {
        'text-font': letters,
        'text-max-width': 8,
        'text-field': name,
        'text-size': ['interpolate', ['linear'], ['zoom'], 1, 10, 5, 15],
        'text-letter-spacing': 0.08,
        'text-transform': 'uppercase',
        'symbol-sort-key': ['get', 'rank'],
      },
      paint: { 'text-color': colors.label, 'text-halo-color': colors.land, 'text-halo-width': 1.4 },
    },
  ]
}

/** The streets name their own towns. */
function outside({ bounds: [west, south, east, north] }: TileFacts): ExpressionSpecification {
  const ring = [
    [west, south],
    [east, south],
    [east, north],
    [west, north],
    [west, south],
  ]
  return ['!', ['within', { type: 'Polygon', coordinates: [ring] }]]
}

function circleLayers(tone: keyof MapColors, colors: MapColors): LayerSpecification[] {
  const ofTone: ExpressionSpecification = ['==', ['get', 'tone'], tone]
  return [
    {
      id: `fill-${tone}`,
      type: 'fill',
      source: 'circles',
      filter: ofTone,
      paint: { 'fill-color': colors[tone], 'fill-opacity': 0.18 },
    },
    {
      id: `ring-${tone}`,
      type: 'line',
      source: 'circles',
      filter: ofTone,
      paint: { 'line-color': colors[tone], 'line-width': 2 },
    },
    // From afar a circle is less than a pixel wide; its middle is always seen.
    {
      id: `middle-${tone}`,
      type: 'circle',
      source: 'middles',
      filter: ofTone,
      paint: {
        'circle-color': colors[tone],
        'circle-radius': 5,
        'circle-stroke-color': colors.land,
        'circle-stroke-width': 1.5,
      },
    },
  ]
}

export function circlesAsFeatures(circles: readonly MapCircle[]): FeatureCollection {
  return {
    type: 'FeatureCollection',
    features: circles.map((circle) => ({
      type: 'Feature',
      properties: { tone: circle.tone },
      geometry: { type: 'Polygon', coordinates: [ringAround(circle, circle.radiusM)] },
    })),
  }
}

export function middlesAsFeatures(circles: readonly MapCircle[]): FeatureCollection {
  return {
    type: 'FeatureCollection',
    features: circles.map(({ lat, lng, tone }) => ({
      type: 'Feature',
      properties: { tone },
      geometry: { type: 'Point', coordinates: [lng, lat] },
    })),
  }
}
