import type { FeatureCollection } from 'geojson'
import { ringAround } from '../../lib/geo.ts'
import type { Town } from '../towns/town.ts'
import type { MapCircle } from './map-view.ts'
import { mapTones, type MapColors } from './map-colors.ts'
import type { StyleSpecification } from './maplibre.ts'
import type { Outlines } from './outlines.ts'

const none: FeatureCollection = { type: 'FeatureCollection', features: [] }

/**
 * Sea, land, borders, towns and circles. The letters are drawn with a font of the device, so none has to be fetched.
 */
export function mapStyle({ land, borders }: Outlines, colors: MapColors): StyleSpecification {
  return {
    version: 8,
    sources: {
      land: { type: 'geojson', data: land },
      borders: { type: 'geojson', data: borders },
      towns: { type: 'geojson', data: none },
      circles: { type: 'geojson', data: none },
      middles: { type: 'geojson', data: none },
    },
    layers: [
      { id: 'sea', type: 'background', paint: { 'background-color': colors.sea } },
      { id: 'land', type: 'fill', source: 'land', paint: { 'fill-color': colors.land } },
      {
        id: 'borders',
        type: 'line',
        source: 'borders',
        paint: { 'line-color': colors.border, 'line-width': 0.8, 'line-opacity': 0.6 },
      },
      {
        id: 'towns',
        type: 'symbol',
        source: 'towns',
        // Where there is no room for all, the larger towns are named.
        layout: {
          'text-field': ['get', 'name'],
          'text-font': ['system-ui', 'sans-serif'],
          'text-size': 12,
          'text-padding': 12,
          'text-anchor': 'bottom',
          'text-offset': [0, -0.7],
          'symbol-sort-key': ['get', 'order'],
        },
        paint: { 'text-color': colors.label, 'text-halo-color': colors.land, 'text-halo-width': 1.5 },
      },
      ...mapTones.flatMap((tone) => [
        {
          id: `fill-${tone}`,
          type: 'fill' as const,
          source: 'circles',
          filter: ['==', ['get', 'tone'], tone] as ['==', ['get', string], string],
          paint: { 'fill-color': colors[tone], 'fill-opacity': 0.18 },
        },
        {
          id: `ring-${tone}`,
          type: 'line' as const,
          source: 'circles',
          filter: ['==', ['get', 'tone'], tone] as ['==', ['get', string], string],
          paint: { 'line-color': colors[tone], 'line-width': 2 },
        },
        // From afar a circle is less than a pixel wide; its middle is always seen.
        {
          id: `middle-${tone}`,
          type: 'circle' as const,
          source: 'middles',
          filter: ['==', ['get', 'tone'], tone] as ['==', ['get', string], string],
          paint: {
            'circle-color': colors[tone],
            'circle-radius': 5,
            'circle-stroke-color': colors.land,
            'circle-stroke-width': 1.5,
          },
        },
      ]),
    ],
  }
}

/** Where a layer takes which colour from, for a change of theme. */
export const paints: readonly (readonly [
  layer: string,
  property:
    | 'background-color'
    | 'fill-color'
    | 'line-color'
    | 'text-color'
    | 'text-halo-color'
    | 'circle-color'
    | 'circle-stroke-color',
  color: keyof MapColors,
])[] = [
  ['sea', 'background-color', 'sea'],
  ['land', 'fill-color', 'land'],
  ['borders', 'line-color', 'border'],
  ['towns', 'text-color', 'label'],
  ['towns', 'text-halo-color', 'land'],
  ...mapTones.flatMap((tone) => [
    [`fill-${tone}`, 'fill-color', tone] as const,
    [`ring-${tone}`, 'line-color', tone] as const,
    [`middle-${tone}`, 'circle-color', tone] as const,
    [`middle-${tone}`, 'circle-stroke-color', 'land'] as const,
  ]),
]

/** The largest town comes first. */
export function townsAsFeatures(towns: readonly Town[]): FeatureCollection {
  return {
    type: 'FeatureCollection',
    features: towns.map(({ name, lat, lng }, order) => ({
      type: 'Feature',
      properties: { name, order },
      geometry: { type: 'Point', coordinates: [lng, lat] },
    })),
  }
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
