import * as fc from 'fast-check'
import { getAddress } from 'viem'
import { describe, expect, test } from 'vitest'
import {
  caip10,
  caip2,
  networkByCaip2,
  networkByChainId,
  networkByName,
  networks,
  parseCaip10,
  parseCaip2,
  solanaRow,
  toChecksumAddress,
  tokenByAddress,
  type Hex,
  type Network,
} from '../src/index.ts'

const rows = Object.entries(networks)
const evm = rows.filter(([, row]) => row.rail === 'escrow')
const escrowNetworks = ['base', 'ethereum', 'polygon', 'arbitrum', 'celo', 'monad', 'avalanche', 'optimism']

/** Every EVM address of a row, named. */
function addressesOf(row: Network): readonly (readonly [string, string])[] {
  const groups = { ...row.escrow, ...row.erc8004 }
  const contracts = Object.entries(groups).filter(([name]) => name !== 'operatorAbi')
  return [...contracts, ...Object.values(row.tokens).map((token) => [token.symbol, token.address] as const)]
}

describe('the network table', () => {
  test('holds the eight escrow networks, Solana, a local chain and a testnet (spec §1.10)', () => {
    expect(Object.keys(networks).sort()).toEqual([...escrowNetworks, 'solana', 'localnet', 'base-sepolia'].sort())
  })

  test.each(rows)('%s is found by its names and by nothing inherited', (name, row) => {
    expect(row.name).toBe(name)
    expect(networkByName(name)).toBe(row)
    expect(networkByCaip2(row.caip2)).toBe(row)
    if (row.chainId !== undefined) {
      expect(row.caip2).toBe(caip2(row.chainId))
      expect(networkByChainId(row.chainId)).toBe(row)
    }
    expect(parseCaip2(row.caip2).chainId).toBe(row.chainId)
  })

  test.each(rows)('%s has USDC, and six decimals in every token', (_, row) => {
    expect(Object.keys(row.tokens)).toContain('USDC')
    for (const [symbol, token] of Object.entries(row.tokens)) {
      expect(token).toMatchObject({ symbol, decimals: 6 })
      expect(tokenByAddress(row, token.address)).toBe(token)
    }
  })

  test.each(evm)('%s has checksummed addresses and repeats none', (_, row) => {
    const found = addressesOf(row)
    expect(found.length).toBeGreaterThanOrEqual(7)
    for (const [, address] of found)
      expect([getAddress(address), toChecksumAddress(address as Hex)]).toEqual([address, address])
    expect(new Set(found.map(([, address]) => address)).size).toBe(found.length)
  })

  test('repeats no chain', () => {
    for (const key of ['name', 'caip2', 'chainId', 'title'] as const) {
      expect(new Set(rows.map(([, row]) => row[key])).size).toBe(rows.length)
    }
  })

  test('takes ratings where a delegate is deployed; Avalanche keeps history only (spec §4)', () => {
    for (const [, row] of evm)
      expect(row.ratings).toBe(row.erc8004?.ratingDelegate === undefined ? 'readable' : 'selectable')
    expect(rows.filter(([, row]) => row.ratings === 'readable').map(([name]) => name)).toEqual(['avalanche'])
    expect(networks.solana.ratings).toBe('by-flag')
  })

  test('gives the local chain an id that no real network here has', () => {
    expect(networks.localnet).toMatchObject({ chainId: 31_337, testnet: true })
    expect(rows.filter(([, row]) => row.chainId === 31_337)).toHaveLength(1)
    expect(rows.filter(([, row]) => row.testnet).map(([name]) => name)).toEqual(['localnet', 'base-sepolia'])
  })

  test('another cluster of Solana takes the place of the row, and leads nowhere on the main network', () => {
    const genesisHash = 'EtWTRABZaYq6iMfeYKouRu166VU2xqa1wcaWoxPkrZBG'
    const mint = '4zMMC9srt5Ri5X14GAgXhaHii3GnPAEERYPJgZJDncDU'
    const row = solanaRow({ genesisHash, mint })
    expect(row).toMatchObject({ name: 'solana', caip2: 'solana:EtWTRABZaYq6iMfeYKouRu166VU2xqa1', testnet: true })
    expect([row.genesisHash, row.tokens['USDC']?.address, row.explorerTxUrl]).toEqual([genesisHash, mint, undefined])
    expect(solanaRow(undefined)).toBe(networks.solana)
    const main = networks.solana.genesisHash ?? ''
    expect(networks.solana.caip2).toBe(`solana:${main.slice(0, 32)}`)
    for (const wrong of [
      { genesisHash: main, mint },
      { genesisHash: 'x', mint },
      { genesisHash, mint: 'O' },
    ])
      expect(() => solanaRow(wrong)).toThrow()
  })

  test('answers undefined for what it does not hold', () => {
    for (const name of ['', 'Base', 'toString', '__proto__', 'eip155:8453']) expect(networkByName(name)).toBeUndefined()
    expect(networkByCaip2('eip155:999')).toBeUndefined()
    expect(networkByChainId(0)).toBeUndefined()
    expect(networkByCaip2('solana:mainnet')).toBe(networks.solana)
    expect(tokenByAddress(networks.base, `0x${'11'.repeat(20)}`)).toBeUndefined()
  })
})

describe('CAIP', () => {
  test('an EVM account comes back as it went, in lowercase', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1 }), fc.stringMatching(/^[0-9a-fA-F]{40}$/), (chainId, digits) => {
        const account = caip10(chainId, `0x${digits}`)
        expect(parseCaip10(account)).toMatchObject({
          namespace: 'eip155',
          chainId,
          address: `0x${digits.toLowerCase()}`,
        })
      }),
    )
  })

  test('a Solana account keeps its case', () => {
    const account = caip10(networks.solana.caip2, 'EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v')
    expect(parseCaip10(account)).toEqual({
      namespace: 'solana',
      reference: '5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp',
      address: 'EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v',
    })
  })

  test.each([
    '',
    'eip155',
    'eip155:',
    'eip155:08453',
    'eip155:0',
    'eip155:1x',
    'EIP155:1',
    'a:1',
    `abc:${'1'.repeat(33)}`,
  ])('%j is no chain', (text) => {
    expect(() => parseCaip2(text)).toThrow()
  })

  test.each(['eip155:1', 'eip155:1:0x12', `eip155:01:0x${'11'.repeat(20)}`, `0x${'11'.repeat(20)}`, 'eip155:1:'])(
    '%j is no account',
    (text) => {
      expect(() => parseCaip10(text)).toThrow()
    },
  )
})
