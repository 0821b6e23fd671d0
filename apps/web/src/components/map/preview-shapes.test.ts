import { expect, test } from 'vitest'
import { namesOf } from './preview-shapes.ts'

/** By how far it is from the middle of the picture, in its pixels. */
type Spec = readonly [name: string, east: number, south: number]

/** The largest first. */
const named = (...all: readonly Spec[]) =>
  namesOf(all.map(([text, east, south], rank) => ({ text, rank, x: 320 + east, y: 112 + south })))
const written = (...all: readonly Spec[]): readonly string[] =>
  named(...all).map(({ text, isFar }) => (isFar ? `${text}, far` : text))

test('the town of the place is named above its circle, whatever else has room', () => {
  const [here] = named(['Madrid', 3, 4])
  expect(here).toEqual({ text: 'Madrid', x: 320, y: 92, isFar: false })
})

test('no name touches another, the circle, an edge of what is seen or the button', () => {
  expect(written(['Toledo', 60, -60], ['Illescas', 70, -66])).toEqual(['Toledo'])
  expect(written(['Parla', 30, 8], ['Getafe', 44, 2])).toEqual([])
  expect(written(['Guadalajara', 130, -40], ['Ocaña', 60, -110], ['Aranjuez', -60, 92])).toEqual([])
  expect(written(['Tarancón', 100, 60], ['Torrijos', -100, 60])).toEqual(['Torrijos'])
})

test('what is beside the width of a phone is written for wide windows alone, behind no button there either', () => {
  expect(written(['Cuenca', 250, 0], ['Soria', -250, 60], ['Teruel', 260, 60], ['Zamora', -310, 0])).toEqual([
    'Cuenca, far',
    'Soria, far',
  ])
})

test('six names near and five beside them are enough', () => {
  const near = [-80, -60, -40, 40, 60].flatMap((south): Spec[] => [
    [`A${String(south)}`, -110, south],
    [`B${String(south)}`, -60, south],
  ])
  const far = [-80, -60, -40, -20, 0, 20, 40].map((south): Spec => [`C${String(south)}`, -250, south])
  const all = written(...near, ...far)
  expect([all.filter((one) => !one.endsWith('far')).length, all.filter((one) => one.endsWith('far')).length]).toEqual([
    6, 5,
  ])
})
