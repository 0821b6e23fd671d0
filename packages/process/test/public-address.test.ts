import { expect, test } from 'vitest'
import { isPublicAddress } from '../src/index.ts'

test.each([
  ['8.8.8.8', true],
  ['2606:4700::1111', true],
  ['127.0.0.1', false],
  ['10.1.2.3', false],
  ['169.254.169.254', false],
  ['100.64.0.1', false],
  ['::1', false],
  ['::ffff:127.0.0.1', false],
  ['fd00::1', false],
  ['64:ff9b::7f00:1', false],
  ['fe80::1%eth0', false],
  ['no address', false],
])('whether %s is public: %s', (address, isPublic) => {
  expect(isPublicAddress(address)).toBe(isPublic)
})
