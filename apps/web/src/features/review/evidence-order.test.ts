import { expect, test } from 'vitest'
import { inOrderOfLooking } from './evidence-order.ts'

test('a picture is shown before what is read, and the figures of a position come last', () => {
  const handedIn = [
    { type: 'gps', kind: 'value' },
    { type: 'text_response', kind: 'value' },
    { type: 'photo_geo', kind: 'file' },
  ]
  expect(inOrderOfLooking(handedIn).map(({ type }) => type)).toEqual(['photo_geo', 'text_response', 'gps'])
})
