import { expect, test } from 'vitest'
import { drawPicture } from './picture.ts'

/** The markers of a JPEG file with their contents, and the picture's data after the last of them (T.81, annex B). */
function read(bytes: Uint8Array) {
  const segments = new Map<number, Uint8Array>()
  let at = 2
  for (;;) {
    expect(bytes[at]).toBe(0xff)
    const marker = bytes[at + 1] ?? 0
    const length = ((bytes[at + 2] ?? 0) << 8) | (bytes[at + 3] ?? 0)
    segments.set(marker, bytes.subarray(at + 4, at + 2 + length))
    at += 2 + length
    if (marker === 0xda) return { segments, data: bytes.subarray(at, -2) }
  }
}

/** Decodes the brightness of every square from the entropy-coded data alone (T.81, annex F). */
function squaresOf(data: Uint8Array): readonly number[] {
  const plain = data.filter((byte, index) => !(byte === 0 && data[index - 1] === 0xff))
  const bits = [...plain].map((byte) => byte.toString(2).padStart(8, '0')).join('')
  const levels: number[] = []
  let at = 0
  for (let square = 0, level = 0; square < 256; square++) {
    const size = Number.parseInt(bits.slice(at, at + 4), 2)
    const text = bits.slice(at + 4, at + 4 + size)
    const value = size === 0 ? 0 : Number.parseInt(text, 2)
    level += text.startsWith('0') ? value - 2 ** size + 1 : value
    expect(bits[at + 4 + size]).toBe('0')
    levels.push(level)
    at += 5 + size
  }
  expect(bits.slice(at)).toMatch(/^1{0,7}$/)
  return levels
}

test('the picture is a baseline JPEG of 128 by 128 grey pixels', () => {
  const bytes = drawPicture('seed')
  const { segments } = read(bytes)
  expect([...bytes.subarray(0, 2), ...bytes.subarray(-2)]).toEqual([0xff, 0xd8, 0xff, 0xd9])
  expect([...(segments.get(0xc0) ?? [])]).toEqual([8, 0, 128, 0, 128, 1, 1, 0x11, 0])
  expect(segments.get(0xdb)).toHaveLength(65)
})

test.each(['', 'seed', '01890000-0000-7000-8000-000000000001', 'zzzz'])(
  'its 256 squares are all there and within range: %j',
  (seed) => {
    const levels = squaresOf(read(drawPicture(seed)).data)
    expect(levels.every((level) => level >= -128 && level <= 127)).toBe(true)
    expect(new Set(levels).size).toBeGreaterThan(20)
  },
)

test('two jobs carry two pictures', () => {
  expect(drawPicture('a')).not.toEqual(drawPicture('b'))
  expect(drawPicture('a')).toEqual(drawPicture('a'))
})
