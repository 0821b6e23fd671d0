import type { MapColors } from './map-colors.ts'
import type { CircleLayerSpecification, ExpressionSpecification, SymbolLayerSpecification } from './maplibre.ts'
import { letters } from './street-style.ts'
import { townReach } from './town-reach.ts'

/** Up to which rank of a town its dot is drawn, by zoom: each has room, and from near all are there. */
const dotted: ExpressionSpecification = [
  '<=',
  ['get', 'rank'],
  ['step', ['zoom'], 60, 3, 250, 4, 1_000, 5, 3_000, 6, 7_000, 7, 15_000, 8, 1_000_000],
]
const reach: ExpressionSpecification = [
  'interpolate',
  ['linear'],
  ['ln', ['+', 1, ['get', 'rank']]],
  ...townReach.flat(),
]
/** Of a kilometre at zoom 6, in the latitudes where most people live. */
const pixels = 1.07
const isLarge: ExpressionSpecification = ['<', ['get', 'rank'], 2_000]

type TownLayer = (CircleLayerSpecification | SymbolLayerSpecification) & { readonly filter: ExpressionSpecification }

/** Where there are no streets to see, towns say where one is: how far they reach, a dot, and the name beside it. */
export function townLayers(colors: MapColors): readonly TownLayer[] {
  const towns = { source: 'world', 'source-layer': 'places' } as const
  const everything: ExpressionSpecification = ['has', 'name']
  return [
    {
      ...towns,
      id: 'town-grounds',
      type: 'circle',
      minzoom: 5,
      filter: everything,
      paint: {
        'circle-color': colors.border,
        'circle-opacity': ['interpolate', ['linear'], ['zoom'], 5, 0, 7, 0.16, 10, 0.16, 13, 0],
        'circle-blur': 0.4,
        'circle-radius': [
          'interpolate',
          ['exponential', 2],
          ['zoom'],
          6,
          ['*', pixels, reach],
          16,
          ['*', pixels * 1_024, reach],
        ],
      },
    },
    {
      ...towns,
      id: 'town-dots',
      type: 'circle',
      minzoom: 2,
      filter: dotted,
      paint: {
        'circle-color': colors.label,
        'circle-radius': ['interpolate', ['linear'], ['zoom'], 2, 1.5, 9, ['case', isLarge, 4, 2.5]],
        'circle-stroke-color': colors.land,
        'circle-stroke-width': 1,
      },
    },
    {
      ...towns,
      id: 'towns',
      type: 'symbol',
      minzoom: 2,
      filter: dotted,
      layout: {
        'text-font': letters,
        'text-max-width': 8,
        'text-field': ['get', 'name'],
        'text-size': ['interpolate', ['linear'], ['zoom'], 2, 11, 9, ['case', isLarge, 15, 12]],
        // Below the dot first: what is above it may be a pin.
        'text-variable-anchor': ['top', 'left', 'right', 'bottom'],
        'text-radial-offset': 0.5,
        'text-padding': 5,
        // Where there is no room for all, the larger towns are named.
        'symbol-sort-key': ['get', 'rank'],
      },
      paint: { 'text-color': colors.ink, 'text-halo-color': colors.land, 'text-halo-width': 1.4 },
    },
  ]
}
