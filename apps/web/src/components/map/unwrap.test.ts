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
