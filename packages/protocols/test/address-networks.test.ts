import { expect, test } from 'vitest'
import { addressKey } from '../src/address-key.ts'
import { addressNetworks } from '../src/address-networks.ts'

test.each([
  ['203.0.113.7', '203.0.113', '203.0'],
  ['::ffff:203.0.113.7', '203.0.113', '203.0'],
  ['2001:db8:12:34::1', '2001:db8:12', '2001:db8'],
  ['2001:0db8:0012:ffff:1:2:3:4', '2001:db8:12', '2001:db8'],
  ['::1', '0:0:0', '0:0'],
])('%s is in the network %s and in %s', (ip, near, wide) => {
  expect(addressNetworks(addressKey(ip))).toEqual({ near, wide })
})
