import { expect, test } from 'vitest'
import { ringUnwrapped, unwrapped } from './unwrap.ts'

test('land on both sides of the 180th meridian stays one piece', () => {
  expect(
    ringUnwrapped([
      [170, 60],
      [-170, 60],
      [-170, 70],
      [170, 70],
      [170, 60],
    ]),
  ).toEqual([
    [170, 60],
    [190, 60],
    [190, 70],
    [170, 70],
    [170, 60],
  ])
})

test('land around the south pole is closed over it', () => {
  const ring = ringUnwrapped([
    [0, -70],
    [120, -70],
    [-120, -70],
    [0, -70],
  ])
  expect(ring).toEqual([
    [0, -70],
    [120, -70],
    [240, -70],
    [360, -70],
    [360, -90],
    [0, -90],
    [0, -70],
  ])
})

test('a hole stays within the land around it, whichever side of the meridian that begins at', () => {
  const land = [
    [-170, 40],
    [170, 40],
    [20, 40],
    [20, 70],
    [170, 70],
    [-170, 70],
    [-170, 40],
  ]
  const sea = [
    [50, 50],
    [52, 50],
    [52, 52],
    [50, 50],
  ]
  const shape = {
    type: 'Feature' as const,
    properties: {},
    geometry: { type: 'Polygon' as const, coordinates: [land, sea] },
  }
  const { geometry } = unwrapped({ type: 'FeatureCollection', features: [shape] }).features[0] ?? {}
  const [outer = [], hole = []] = geometry?.type === 'Polygon' ? geometry.coordinates : []
  const lngs = outer.map(([lng = 0]) => lng)
  expect(Math.min(...hole.map(([lng = 0]) => lng))).toBeGreaterThanOrEqual(Math.min(...lngs))
  expect(Math.max(...hole.map(([lng = 0]) => lng))).toBeLessThanOrEqual(Math.max(...lngs))
})

test('no line of the map runs back around the world', () => {
  const border = {
    type: 'Feature' as const,
    properties: {},
    geometry: {
      type: 'MultiLineString' as const,
      coordinates: [
        [
          [179, 0],
          [-179, 1],
          [178, 2],
        ],
        [
          [0, 0],
          [10, 0],
        ],
      ],
    },
  }
  expect(unwrapped({ type: 'FeatureCollection', features: [border] }).features[0]?.geometry).toEqual({
    type: 'MultiLineString',
    coordinates: [
      [
        [179, 0],
        [181, 1],
        [178, 2],
      ],
      [
        [0, 0],
        [10, 0],
      ],
    ],
  })
})
