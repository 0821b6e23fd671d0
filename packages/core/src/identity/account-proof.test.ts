import { expect, test } from 'vitest'
import { accountProof, isOwnOn } from './account-proof.ts'

test.each([
  [true, 1, 1, true],
  [true, 1, 8_453, true],
  [true, 1, null, true],
  [false, 1, 1, true],
  [false, 1, 8_453, false],
  [false, 8_453, 1, false],
  [false, 1, null, false],
])(
  'proven by its key (%s) with a keyid of chain %s, an account owns its address on %s: %s',
  (byKey, chainId, on, own) => {
    expect(isOwnOn(accountProof(byKey, chainId), on)).toBe(own)
  },
)

test('a contract is named with its chain', () => {
  expect([accountProof(true, 8_453), accountProof(false, 8_453)]).toEqual(['key', 'contract@eip155:8453'])
})
