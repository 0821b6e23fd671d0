import { expect, test } from 'vitest'
import { readAddress, toAddress } from './page-address.ts'

test.each([
  [{}, { subject: undefined, offset: 0 }],
  [
    { subject: ' bounty.max_usd ', offset: '40' },
    { subject: 'bounty.max_usd', offset: 40 },
  ],
  [
    { subject: '  ', offset: '-20' },
    { subject: undefined, offset: 0 },
  ],
  [{ offset: '999999' }, { subject: undefined, offset: 10_000 }],
  [
    { subject: '0x976EA74026E726554dB657fA54763abd0C3a0aa9' },
    { subject: '0x976ea74026e726554db657fa54763abd0c3a0aa9', offset: 0 },
  ],
  [{ offset: '1e3' }, { subject: undefined, offset: 0 }],
])('the address %j asks for %j', (search, page) => {
  expect(readAddress(search)).toEqual(page)
})

test('a page of the log has an address that asks for it, and the first of everything is the bare one', () => {
  for (const page of [
    { subject: undefined, offset: 20 },
    { subject: 'local:TUSD', offset: 0 },
  ])
    expect(readAddress(toAddress(page))).toEqual(page)
  expect(toAddress({ subject: undefined, offset: 0 })).toEqual({})
})
