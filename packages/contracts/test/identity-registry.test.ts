import { describe, expect, test } from 'vitest'
import { erc721Abi, parseEventLogs, stringToHex, type TransactionReceipt } from 'viem'
import type { PrivateKeyAccount } from 'viem/accounts'
import { artifacts, localAddresses, localChainId, localRoles } from '../src/index.ts'
import { compileTestContracts } from '../tools/compiler.ts'
import { abiOf, type TestChain } from './chain.ts'
import { useLocalChain } from './local-chain.ts'
import { asPayer, asStranger, payee, payer, stranger, zeroAddress } from './payment.ts'

const chainOf = useLocalChain()
const registry = localAddresses.IdentityRegistry
const none = '0x'

function logsOf(receipt: TransactionReceipt) {
  return parseEventLogs({ abi: abiOf(artifacts.IdentityRegistry), logs: receipt.logs })
}

/** Registers an agent of the payer and returns its id. */
async function register(chain: TestChain, args: readonly unknown[] = []): Promise<bigint> {
  const receipt = await chain.write('IdentityRegistry', 'register', args, asPayer)
  const [transfer] = parseEventLogs({ abi: erc721Abi, logs: receipt.logs, eventName: 'Transfer' })
  if (transfer === undefined) throw new Error('The registration minted nothing.')
  return transfer.args.tokenId
}

function signWallet(wallet: PrivateKeyAccount, agentId: bigint, owner: `0x${string}`, deadline: bigint) {
  return wallet.signTypedData({
    domain: { name: 'ERC8004IdentityRegistry', version: '1', chainId: localChainId, verifyingContract: registry },
    types: {
      AgentWalletSet: [
        { name: 'agentId', type: 'uint256' },
        { name: 'newWallet', type: 'address' },
        { name: 'owner', type: 'address' },
        { name: 'deadline', type: 'uint256' },
      ],
    },
    primaryType: 'AgentWalletSet',
    message: { agentId, newWallet: wallet.address, owner, deadline },
  })
}

describe('registration', () => {
  test('counts from zero, and the first agent is the platform itself', async () => {
    const chain = chainOf()
    expect(await chain.read('IdentityRegistry', 'ownerOf', [0n])).toBe(localRoles.service.address)
    expect(await register(chain)).toBe(1n)
    expect(await register(chain, ['https://agent.example/card'])).toBe(2n)
    expect(await chain.read('IdentityRegistry', 'tokenURI', [2n])).toBe('https://agent.example/card')
    expect(await chain.read('IdentityRegistry', 'getAgentWallet', [2n])).toBe(payer.address)
    expect(await chain.read('IdentityRegistry', 'balanceOf', [payer.address])).toBe(2n)
  })

  test('logs transfer, update, registration and metadata in this order', async () => {
    const chain = chainOf()
    const metadata = [{ metadataKey: 'kind', metadataValue: stringToHex('robot') }]
    const receipt = await chain.write('IdentityRegistry', 'register', ['ipfs://x', metadata], asPayer)
    expect(logsOf(receipt).map((log) => log.eventName)).toEqual([
      'Transfer',
      'MetadataUpdate',
      'Registered',
      'MetadataSet',
      'MetadataSet',
    ])
  })

  test('refuses the reserved key', async () => {
    const metadata = [{ metadataKey: 'agentWallet', metadataValue: payee.address }]
    expect(await chainOf().revertOf('IdentityRegistry', 'register', ['', metadata], asPayer)).toBe('reserved key')
  })
})

describe('an agent', () => {
  test('that does not exist has no owner, file or approval', async () => {
    const chain = chainOf()
    for (const name of ['ownerOf', 'tokenURI', 'getApproved']) {
      expect(await chain.revertOf('IdentityRegistry', name, [999n])).toBe('ERC721NonexistentToken')
    }
    expect(await chain.revertOf('IdentityRegistry', 'isAuthorizedOrOwner', [payer.address, 999n])).toBe(
      'ERC721NonexistentToken',
    )
  })

  test('is changed by its owner and whom the owner approved, and by nobody else', async () => {
    const chain = chainOf()
    const id = await register(chain)
    const changes: readonly (readonly [string, readonly unknown[]])[] = [
      ['setAgentURI', [id, 'https://new.example']],
      ['setMetadata', [id, 'kind', stringToHex('human')]],
      ['unsetAgentWallet', [id]],
    ]
    for (const [name, args] of changes) {
      expect(await chain.revertOf('IdentityRegistry', name, args, asStranger)).toBe('Not authorized')
    }
    await chain.write('IdentityRegistry', 'approve', [stranger.address, id], asPayer)
    for (const [name, args] of changes) await chain.write('IdentityRegistry', name, args, asStranger)
    expect(await chain.read('IdentityRegistry', 'tokenURI', [id])).toBe('https://new.example')
    expect(await chain.read('IdentityRegistry', 'getMetadata', [id, 'kind'])).toBe(stringToHex('human'))
    expect(await chain.read('IdentityRegistry', 'getAgentWallet', [id])).toBe(zeroAddress)
    expect(await chain.revertOf('IdentityRegistry', 'setMetadata', [id, 'agentWallet', none], asPayer)).toBe(
      'reserved key',
    )
  })

  test('loses its wallet and its approval when it changes hands', async () => {
    const chain = chainOf()
    const id = await register(chain)
    await chain.write('IdentityRegistry', 'approve', [stranger.address, id], asPayer)
    await chain.write('IdentityRegistry', 'safeTransferFrom', [payer.address, payee.address, id], asStranger)
    expect(await chain.read('IdentityRegistry', 'ownerOf', [id])).toBe(payee.address)
    expect(await chain.read('IdentityRegistry', 'getAgentWallet', [id])).toBe(zeroAddress)
    expect(await chain.read('IdentityRegistry', 'getApproved', [id])).toBe(zeroAddress)
    expect(await chain.read('IdentityRegistry', 'isAuthorizedOrOwner', [stranger.address, id])).toBe(false)
    expect(await chain.read('IdentityRegistry', 'isAuthorizedOrOwner', [zeroAddress, id])).toBe(false)
  })

  test('moves only from its owner, by who may move it, to an account that can hold it', async () => {
    const chain = chainOf()
    const { ContractWallet } = await compileTestContracts()
    if (ContractWallet === undefined) throw new Error('The test contract is gone.')
    const wallet = await chain.deploy(ContractWallet, [payer.address])
    const id = await register(chain)
    const move = (from: string, to: string) => [from, to, id]
    const by = (name: string, args: readonly unknown[], call = asPayer) =>
      chain.revertOf('IdentityRegistry', name, args, call)
    expect(await by('transferFrom', move(payer.address, stranger.address), asStranger)).toBe(
      'ERC721InsufficientApproval',
    )
    expect(await by('transferFrom', move(payee.address, stranger.address))).toBe('ERC721IncorrectOwner')
    expect(await by('transferFrom', move(payer.address, zeroAddress))).toBe('ERC721InvalidReceiver')
    // One answers something else, the other does not know the question.
    for (const holder of [wallet, localAddresses.Escrow]) {
      expect(await by('safeTransferFrom', move(payer.address, holder))).toBe('ERC721InvalidReceiver')
    }
    expect(await by('approve', [stranger.address, id], asStranger)).toBe('ERC721InvalidApprover')
    expect(await by('setApprovalForAll', [zeroAddress, true])).toBe('ERC721InvalidOperator')
    expect(await by('balanceOf', [zeroAddress])).toBe('ERC721InvalidOwner')
    await chain.write('IdentityRegistry', 'setApprovalForAll', [stranger.address, true], asPayer)
    await chain.write('IdentityRegistry', 'transferFrom', move(payer.address, payee.address), asStranger)
    expect(await chain.read('IdentityRegistry', 'ownerOf', [id])).toBe(payee.address)
    await chain.write('IdentityRegistry', 'setApprovalForAll', [stranger.address, false], asPayer)
  })

  test('supports the interfaces of an NFT', async () => {
    const chain = chainOf()
    for (const id of ['0x01ffc9a7', '0x80ac58cd', '0x5b5e139f', '0x49064906']) {
      expect(await chain.read('IdentityRegistry', 'supportsInterface', [id])).toBe(true)
    }
    expect(await chain.read('IdentityRegistry', 'supportsInterface', ['0xffffffff'])).toBe(false)
  })
})

describe('the wallet of an agent', () => {
  test('is set by its own signature', async () => {
    const chain = chainOf()
    const id = await register(chain)
    const deadline = BigInt((await chain.now()) + 200)
    const signature = await signWallet(payee, id, payer.address, deadline)
    await chain.write('IdentityRegistry', 'setAgentWallet', [id, payee.address, deadline, signature], asPayer)
    expect(await chain.read('IdentityRegistry', 'getAgentWallet', [id])).toBe(payee.address)
  })

  test('is refused without it', async () => {
    const chain = chainOf()
    const id = await register(chain)
    const now = await chain.now()
    const deadline = BigInt(now + 200)
    const signature = await signWallet(payee, id, payer.address, deadline)
    const cases: readonly (readonly [string, readonly unknown[], typeof asPayer])[] = [
      ['Not authorized', [id, payee.address, deadline, signature], asStranger],
      ['bad wallet', [id, zeroAddress, deadline, signature], asPayer],
      ['expired', [id, payee.address, BigInt(now - 1), signature], asPayer],
      ['deadline too far', [id, payee.address, BigInt(now + 400), signature], asPayer],
      ['invalid wallet sig', [id, stranger.address, deadline, signature], asPayer],
      ['invalid wallet sig', [id, payee.address, deadline - 1n, signature], asPayer],
    ]
    for (const [message, args, call] of cases) {
      expect(await chain.revertOf('IdentityRegistry', 'setAgentWallet', args, call)).toBe(message)
    }
  })
})
