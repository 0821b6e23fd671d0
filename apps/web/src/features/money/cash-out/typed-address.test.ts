import { expect, test } from 'vitest'
import { addressFault } from './typed-address.ts'

const wallet = '0x2222222222222222222222222222222222222222'

// Vectors of EIP-55.
test.each([
  ['0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed', null],
  [' 0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed ', null],
  ['0x5aaeb6053f3e94c9b9a09f33669435e7ef1beaed', null],
  ['0x5AAEB6053F3E94C9B9A09F33669435E7EF1BEAED', null],
  ['0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAeD', 'wrongLetter'],
  ['0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAe', 'noAddress'],
  ['5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed', 'noAddress'],
  ['', 'noAddress'],
  [wallet, 'ownWallet'],
])('%s is an address that money can go to, or why not: %s', (typed, fault) => {
  expect(addressFault(typed, wallet)).toBe(fault)
})
