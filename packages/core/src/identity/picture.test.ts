import { expect, test } from 'vitest'
import { pictureFault } from './picture.ts'

const bytesOf = (text: string): Uint8Array => Uint8Array.from(text, (one) => one.charCodeAt(0))

test.each([
  ['a JPEG', '\xff\xd8\xff\xe0 and the rest'],
  ['a PNG', '\x89PNG\r\n\x1a\n and the rest'],
  ['a WebP', 'RIFF\0\0\0\0WEBPVP8 '],
])('%s may be opened', (_kind, text) => {
  expect(pictureFault(bytesOf(text))).toBeNull()
})

test.each([
  ['a drawing that runs scripts', '<svg xmlns="http://www.w3.org/2000/svg"><script>1</script></svg>'],
  ['a page', '<!doctype html><img src=x>'],
  ['a GIF', 'GIF89a and the rest'],
  ['a TIFF', 'II\x2a\0 and the rest'],
  ['a HEIC', '\0\0\0\x18ftypheic'],
  ['a PDF', '%PDF-1.7'],
  ['a picture behind other bytes', ' \xff\xd8\xff\xe0'],
  ['nothing', ''],
])('%s is not opened, whatever it was called', (_kind, text) => {
  expect(pictureFault(bytesOf(text))).toBe('a JPEG, PNG or WebP')
})

test('a picture of more bytes than the limit is not opened', () => {
  const bytes = new Uint8Array(700_000)
  bytes.set(bytesOf('\xff\xd8\xff'))
  expect(pictureFault(bytes)).toBeNull()
  const one = new Uint8Array(700_001)
  one.set(bytes)
  expect(pictureFault(one)).toBe('at most 700000 bytes')
})
