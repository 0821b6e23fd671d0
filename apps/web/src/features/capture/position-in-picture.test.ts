import { expect, test } from 'vitest'
import { withPosition } from './position-in-picture.ts'

const fix = { lat: 40.4203, lng: -3.6889, accuracy_meters: 8, timestamp: '2026-11-21T10:02:03Z' }
const bytes = (hex: string): Uint8Array =>
  Uint8Array.from(hex.replaceAll(/\s/g, '').match(/../g) ?? [], (pair) => Number.parseInt(pair, 16))
const hexOf = (given: Uint8Array): string => [...given].map((byte) => byte.toString(16).padStart(2, '0')).join('')
/** A head, the scan and the end: what is between matters to nobody here. */
const plain = bytes('ffd8 ffe0 0004 4a46 ffda 0002 0102 ffd9')
/** With an EXIF of the other byte order that names the maker of the camera, "Acme". */
const made = bytes(
  'ffd8 ffe1 0026 457869660000 4d4d002a 00000008 0001 010f 0002 00000005 0000001a 00000000 41636d6500 00 ffda 0002 0102 ffd9',
)

test('a picture that says nothing of where it was taken says where the device was, in the bytes of EXIF 2.32', () => {
  expect(hexOf(withPosition(plain, fix))).toBe(
    hexOf(
      bytes(`
    ffd8 ffe1 00ea 457869660000
    49492a00 0e000000 000000000000
    0100 2588 0400 01000000 20000000 00000000
    0800
      0000 0100 04000000 02030000
      0100 0200 02000000 4e000000
      0200 0500 03000000 86000000
      0300 0200 02000000 57000000
      0400 0500 03000000 9e000000
      0700 0500 03000000 b6000000
      1d00 0200 0b000000 ce000000
      1f00 0500 01000000 da000000
      00000000
      28000000 01000000 19000000 01000000 c095c700 40420f00
      03000000 01000000 29000000 01000000 40c93101 40420f00
      0a000000 01000000 02000000 01000000 03000000 01000000
      323032363a31313a323100 00
      20030000 64000000
    ffe0 0004 4a46 ffda 0002 0102 ffd9`),
    ),
  )
})

test('what a camera wrote stays, in its own byte order, and the position is beside it', () => {
  const placed = withPosition(made, fix)
  const text = hexOf(placed)
  expect(text).toContain(hexOf(bytes('4d4d002a')))
  expect(text).toContain(hexOf(new TextEncoder().encode('Acme')))
  // Two entries: the maker, at the offset where it was, and the way to the position.
  expect(text).toContain(hexOf(bytes('0002 010f 0002 00000005 0000001a 8825 0004 00000001')))
  expect(text.endsWith('ffda00020102ffd9')).toBe(true)
})

test('a picture that says where it was taken keeps its own word', () => {
  const placed = withPosition(plain, fix)
  expect(withPosition(placed, { ...fix, lat: 0, lng: 0 })).toEqual(placed)
})

test('what cannot be read gives way to what can, and bytes that are no JPEG are refused', () => {
  const broken = bytes('ffd8 ffe1 0010 457869660000 4d4d002a ffffffff ffda 0002 0102 ffd9')
  expect(hexOf(withPosition(broken, fix))).toBe(hexOf(withPosition(bytes('ffd8 ffda 0002 0102 ffd9'), fix)))
  expect(() => withPosition(bytes('89504e47'), fix)).toThrow(RangeError)
})
