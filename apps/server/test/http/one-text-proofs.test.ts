import { expect, test } from 'vitest'
import { createLinkSigner } from '../../src/adapters/storage/upload-link.ts'
import { createMailLinks } from '../../src/delivery/mail-links.ts'

const letters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_'
/** The text with each letter of base64url as its last: four of them decode to the same bytes. */
const endings = (text: string) => [...letters].map((letter) => text.slice(0, -1) + letter)

test.each(['upload', 'download', 'preview'] as const)('a link to %s has one text', (purpose) => {
  const signer = createLinkSigner('a secret of this test alone', purpose)
  const claims = { key: 'one/file', contentType: 'image/jpeg', expires: 2_000 }
  const own = signer.sign(claims)
  const taken = endings(own).filter((signature) => signer.isValid(claims, { expires: '2000', signature }, 1_000))
  expect(taken).toEqual([own])
})

test('a link in a mail has one text', () => {
  const links = createMailLinks(Buffer.alloc(32, 7), 'https://market.example')
  const id = '01970000-0000-7000-8000-000000000001'
  const own = new URL(links.urlOf('stop', id, 'en')).searchParams.get('token') ?? ''
  expect(endings(own).filter((token) => links.idOf('stop', token) === id)).toEqual([own])
  expect(links.idOf('confirm', own)).toBeNull()
})
