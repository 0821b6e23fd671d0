import { describe, expect, test } from 'vitest'
import { getContractAddress } from 'viem'
import { mnemonicToAccount } from 'viem/accounts'
import { rpcCall } from '../src/json-rpc.ts'
import {
  deployLocalnet,
  localAccounts,
  localAddresses,
  localRoles,
  mintTestUsd,
  platformAgentId,
} from '../src/index.ts'
import { sendLocalTransactions } from '../src/local-transaction.ts'
import { startAnvil } from './anvil.ts'
import { createChain } from './chain.ts'

const budgetMs = 700
const modes: readonly (readonly [string, readonly string[]])[] = [
  ['mines each transaction by itself', []],
  ['mines on demand', ['--no-mining']],
  ['mines at an interval', ['--block-time', '0.05', '--gas-limit', '1000000000']],
]

describe('the local chain', () => {
  test.each(modes)('gets its contracts from a node that %s', async (_, flags) => {
    await using anvil = await startAnvil(flags)
    const started = performance.now()
    const localnet = await deployLocalnet(anvil.rpcUrl)
    const tookMs = performance.now() - started

    const chain = await createChain(anvil.rpcUrl)
    expect(localnet).toEqual({ addresses: localAddresses, platformAgentId: 0n })
    expect(await chain.read('IdentityRegistry', 'ownerOf', [platformAgentId])).toBe(localRoles.service.address)
    expect(await chain.read('Operator', 'ESCROW')).toBe(localAddresses.Escrow)
    expect(await chain.read('Operator', 'FEE_RECIPIENT')).toBe(localRoles.treasury.address)
    expect(await chain.read('Operator', 'MAX_DEPOSIT')).toBe(100_000_000n)
    expect(await chain.read('Eip3009Collector', 'authCaptureEscrow')).toBe(localAddresses.Escrow)
    expect(await chain.read('RatingDelegate', 'REPUTATION_REGISTRY')).toBe(localAddresses.ReputationRegistry)
    expect(await chain.read('ReputationRegistry', 'getIdentityRegistry')).toBe(localAddresses.IdentityRegistry)
    expect(await chain.read('TestUSD', 'name')).toBe('USD Coin')
    expect(await chain.read('TestUSD', 'symbol')).toBe('USDC')
    expect(await chain.read('TestUSD', 'version')).toBe('2')

    await mintTestUsd(anvil.rpcUrl, localRoles.treasury.address, 5_000_001n)
    expect(await chain.balanceOf(localRoles.treasury.address)).toBe(5_000_001n)
    expect(tookMs).toBeLessThan(budgetMs)
  })

  test('is left alone by a second deployment', async () => {
    await using anvil = await startAnvil()
    await deployLocalnet(anvil.rpcUrl)
    const before = await rpcCall(anvil.rpcUrl, 'eth_blockNumber', [])
    await deployLocalnet(anvil.rpcUrl)
    expect(await rpcCall(anvil.rpcUrl, 'eth_blockNumber', [])).toBe(before)
  })

  test('is refused when the deployer spent its nonces elsewhere', async () => {
    await using anvil = await startAnvil()
    await sendLocalTransactions(anvil.rpcUrl, [
      { from: localRoles.deployer.address, to: localRoles.service.address, data: '0x', gas: 21_000 },
    ])
    await expect(deployLocalnet(anvil.rpcUrl)).rejects.toThrow(
      'TestUSD is not at 0x5FbDB2315678afecb367f032d93F642f64180aa3',
    )
  })

  test('is refused when it has the id of a real chain', async () => {
    await using anvil = await startAnvil([], 8453)
    await expect(deployLocalnet(anvil.rpcUrl)).rejects.toThrow("The node's chain id is 8453")
  })

  test('has the accounts of the public development mnemonic and the addresses of plain creation', () => {
    const mnemonic = 'test test test test test test test test test test test junk'
    for (const { index, address, privateKey } of localAccounts) {
      const account = mnemonicToAccount(mnemonic, { addressIndex: index })
      expect(address).toBe(account.address)
      expect(privateKey).toBe(`0x${Buffer.from(account.getHdKey().privateKey ?? []).toString('hex')}`)
    }
    Object.values(localAddresses).forEach((address, nonce) => {
      expect(address).toBe(getContractAddress({ from: localRoles.deployer.address, nonce: BigInt(nonce) }))
    })
  })
})
