import fc from 'fast-check'
import { expect, test } from 'vitest'
import { clusterPoints } from './clusters.ts'

const place = (id: string, lat: number, lng: number): { id: string; lat: number; lng: number } => ({ id, lat, lng })

test('places that would cover one another are one from afar and two from near', () => {
  const cafes = [place('a', 40.4, -3.7), place('b', 40.41, -3.71)]
  expect(clusterPoints(cafes)(2).map(({ members }) => members.length)).toEqual([2])
  expect(clusterPoints(cafes)(16).map(({ members }) => members.length)).toEqual([1, 1])
  const [both] = clusterPoints(cafes)(2)
  expect(clusterPoints(cafes)(both?.opensAt ?? 0).map(({ members }) => members.length)).toEqual([1, 1])
})

test('no place is lost and none is counted twice, at any zoom', () => {
  const point = fc.record({
    lat: fc.double({ min: -90, max: 90, noNaN: true }),
    lng: fc.double({ min: -180, max: 180, noNaN: true }),
  })
  fc.assert(
    fc.property(fc.array(point, { maxLength: 60 }), fc.double({ min: 0, max: 18, noNaN: true }), (points, zoom) => {
      const named = points.map((one, index) => ({ ...one, id: String(index) }))
      const members = clusterPoints(named)(zoom).flatMap((cluster) => cluster.members.map(({ id }) => id))
      expect(members.toSorted()).toEqual(named.map(({ id }) => id).toSorted())
    }),
  )
})
