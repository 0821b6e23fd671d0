import { expect, test } from 'vitest'
import { networks, parseNetworkRows, ProtocolError } from '../src/index.ts'

const { localnet } = networks
const row = { ...localnet, name: 'my-chain' }

test('a row as the table has it is taken as it is', () => {
  expect(parseNetworkRows([row])).toEqual([row])
})

test('a row that says the least has the defaults of an EVM chain, and its tokens are called by their symbols', () => {
  const { address, name, version, decimals } = localnet.tokens['USDC'] ?? {}
  const least = {
    name: 'my-chain',
    chainId: 5,
    caip2: 'eip155:5',
    tokens: { USDX: { address, name, version, decimals } },
  }
  expect(parseNetworkRows([least])).toEqual([
    {
      ...least,
      title: 'my-chain',
      testnet: false,
      rail: 'escrow',
      ratings: 'readable',
      tokens: { USDX: { symbol: 'USDX', address, name, version, decimals } },
    },
  ])
})

test.each<[string, unknown, RegExp]>([
  ['no list', row, /are a list/],
  ['nothing', [null], /needs a name/],
  ['a row without a chain', [{ ...row, chainId: undefined }], /my-chain needs a name and a chainId/],
  ['a name that no setting can have', [{ ...row, name: 'My Chain' }], /small letters/],
  ['a name twice', [row, row], /my-chain is there twice/],
  ['a caip2 of another chain', [{ ...row, caip2: 'eip155:5' }], /caip2/],
  ['an operator that is none', [{ ...row, escrow: { ...row.escrow, operator: '0x1' } }], /escrow address/],
  ['an unknown generation', [{ ...row, escrow: { ...row.escrow, operatorAbi: 'next' } }], /operatorAbi/],
  ['a registry that is none', [{ ...row, erc8004: { ...row.erc8004, identity: '0x1' } }], /registry/],
  ['less depth than none', [{ ...row, confirmations: -1 }], /confirmations/],
  ['a depth in words', [{ ...row, confirmations: '12' }], /confirmations/],
  ['more depth than a node keeps', [{ ...row, confirmations: 101 }], /confirmations/],
  ['no tokens', [{ ...row, tokens: {} }], /at least one token/],
  [
    'a token without a version',
    [{ ...row, tokens: { USDC: { ...row.tokens['USDC'], version: 2 } } }],
    /a token without/,
  ],
  ...[18, 0, -6, 6.5].map((decimals): [string, unknown, RegExp] => [
    `a token with ${String(decimals)} decimals`,
    [{ ...row, tokens: { USDC: { ...row.tokens['USDC'], decimals } } }],
    new RegExp(`my-chain has the token USDC with ${String(decimals)} decimals; only 6 are served`),
  ]),
])('%s is refused', (_what, value, message) => {
  expect(() => parseNetworkRows(value)).toThrow(ProtocolError)
  expect(() => parseNetworkRows(value)).toThrow(message)
})
