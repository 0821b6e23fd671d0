import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'

const tokens = readFileSync(new URL('tokens.css', import.meta.url), 'utf8')
type Pair = readonly [light: string, dark: string]
const colours = new Map<string, Pair>(
  [...tokens.matchAll(/--color-([\w-]+): light-dark\((#[\da-f]{6}), (#[\da-f]{6})\)/g)].map(
    ([, name = '', light = '', dark = '']) => [name, [light, dark]],
  ),
)

/** WCAG 2.2, relative luminance. */
function luminance(colour: string): number {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((from) => {
    const part = Number.parseInt(colour.slice(from, from + 2), 16) / 255
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4
  })
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue
}

function contrast(one: string, other: string): number {
  const [light = 0, dark = 0] = [luminance(one), luminance(other)].toSorted((a, b) => b - a)
  return (light + 0.05) / (dark + 0.05)
}

const plain = ['page', 'surface', 'raised', 'sunken', 'warm'] as const
const soft = ['brand-soft', 'good-soft', 'move-soft', 'warn-soft', 'bad-soft'] as const
const texts = ['ink', 'quiet', 'brand', 'good', 'move', 'warn', 'bad'] as const

const asked: readonly (readonly [text: string, ground: string, least: number])[] = [
  ...texts.flatMap((text) => [...plain, ...soft].map((ground) => [text, ground, 4.5] as const)),
  ...plain.map((ground) => ['edge', ground, 3] as const),
  ['on-brand', 'brand', 4.5],
  ['on-brand', 'brand-press', 4.5],
  ['on-night', 'night', 4.5],
  ['on-night-quiet', 'night', 4.5],
  ['on-night-brand', 'night', 4.5],
]

test.each([
  ['light', 0],
  ['dark', 1],
] as const)('in the %s every colour of text can be read on every ground (WCAG 2.2, 1.4.3 and 1.4.11)', (_, mode) => {
  const pale = asked.filter(([text, ground, least]) => {
    const [one, other] = [colours.get(text), colours.get(ground)]
    return one === undefined || other === undefined || contrast(one[mode], other[mode]) < least
  })
  expect(pale).toEqual([])
})
