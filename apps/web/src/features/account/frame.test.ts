import fc from 'fast-check'
import { expect, test } from 'vitest'
import { changed, cutOf, middleFrame, mostZoom, pushed, type Frame } from './frame.ts'

const wide = { width: 400, height: 200 }

test('as it is chosen, a square shows the middle of a picture, as much as fits', () => {
  expect(cutOf(wide, middleFrame)).toEqual({ left: 100, top: 0, side: 200 })
  expect(cutOf({ width: 90, height: 120 }, middleFrame)).toEqual({ left: 0, top: 15, side: 90 })
})

test('a picture that is pushed to the right shows what is further left, up to its edge', () => {
  const once = pushed(wide, middleFrame, { x: 0.25, y: 0.25 })
  expect(cutOf(wide, once)).toEqual({ left: 50, top: 0, side: 200 })
  expect(cutOf(wide, pushed(wide, once, { x: 9, y: 0 }))).toEqual({ left: 0, top: 0, side: 200 })
})

test('nearer, it shows less around the same middle, and further away what is there again', () => {
  const near = changed(wide, middleFrame, { zoom: 2 })
  expect(cutOf(wide, near)).toEqual({ left: 150, top: 50, side: 100 })
  const aside = pushed(wide, near, { x: -1, y: 1 })
  expect(cutOf(wide, aside)).toEqual({ left: 250, top: 0, side: 100 })
  expect(cutOf(wide, changed(wide, aside, { zoom: 1 }))).toEqual({ left: 200, top: 0, side: 200 })
})

test('whatever is done to it, the square is within the picture and no smaller than the nearest', () => {
  const size = fc.record({ width: fc.integer({ min: 1, max: 9_000 }), height: fc.integer({ min: 1, max: 9_000 }) })
  const number = fc.double({ min: -50, max: 50, noNaN: true })
  const act = fc.oneof(fc.record({ zoom: number }), fc.record({ x: number, y: number }))
  fc.assert(
    fc.property(size, fc.array(act), (of, acts) => {
      let frame: Frame = middleFrame
      for (const one of acts) frame = 'zoom' in one ? changed(of, frame, { zoom: one.zoom }) : pushed(of, frame, one)
      const { left, top, side } = cutOf(of, frame)
      const least = Math.min(of.width, of.height) / mostZoom
      const slack = 1e-6
      expect(side).toBeGreaterThanOrEqual(least - slack)
      expect(Math.min(left, top)).toBeGreaterThanOrEqual(-slack)
      expect(left + side).toBeLessThanOrEqual(of.width + slack)
      expect(top + side).toBeLessThanOrEqual(of.height + slack)
    }),
  )
})
