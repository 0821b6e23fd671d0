import { expect, test } from 'vitest'
import { createPortfolioLinks } from '../../src/portfolio-links.ts'

const piece = '01970000-0000-7000-8000-000000000001'
const name = '0'.repeat(32)
const links = createPortfolioLinks('a secret of this test alone')

/** What a link to this picture, made now, proves so many seconds later. */
function provesAfter(seconds: number, of: { readonly piece?: string; readonly name?: string } = {}): boolean {
  const now = new Date('2026-11-27T12:00:00Z')
  const query = new URLSearchParams(links.preview(piece, name, now).split('?')[1])
  const proof = { expires: query.get('expires') ?? '', signature: query.get('signature') ?? '' }
  return links.isProven(of.piece ?? piece, of.name ?? name, proof, new Date(now.getTime() + seconds * 1_000))
}

test('a link to a picture that is not public ends after fifteen minutes, and leads to no other', () => {
  expect([0, 899, 901].map((seconds) => provesAfter(seconds))).toEqual([true, true, false])
  expect(provesAfter(0, { name: '1'.repeat(32) })).toBe(false)
  expect(provesAfter(0, { piece: piece.replace('1970', '1971') })).toBe(false)
})
