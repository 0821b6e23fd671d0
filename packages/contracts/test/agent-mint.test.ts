import { encodeFunctionData, parseEventLogs, stringToHex, type TransactionReceipt } from 'viem'
import { expect, test } from 'vitest'
import { agentMint, artifacts, localAddresses } from '../src/index.ts'
import { abiOf, accountAt } from './chain.ts'
import { useLocalChain } from './local-chain.ts'
import { stranger } from './payment.ts'
import { receiptOf } from './receipt.ts'

const chainOf = useLocalChain()
const registry = localAddresses.IdentityRegistry

function registration(key: string): `0x${string}` {
  const args = ['ipfs://agent', [{ metadataKey: key, metadataValue: stringToHex('robot') }]]
  return encodeFunctionData({ abi: abiOf(artifacts.IdentityRegistry), functionName: 'register', args })
}

/** Sends the creation code without asking first. */
async function mint(recipient: string, data: `0x${string}`, to: string = registry): Promise<TransactionReceipt> {
  const { writer, reader } = chainOf()
  const { abi, bytecode } = { abi: abiOf(agentMint), bytecode: agentMint.bytecode }
  const asked = { abi, bytecode, args: [to, recipient, data], account: accountAt(0), gas: 1_000_000n }
  return receiptOf(reader, await writer.deployContract(asked))
}

test('the agent that is registered belongs to its recipient, with its metadata and no payment wallet', async () => {
  const chain = chainOf()
  const { status, logs, contractAddress } = await mint(stranger.address, registration('kind'))
  const [registered] = parseEventLogs({ abi: abiOf(artifacts.IdentityRegistry), logs, eventName: 'Registered' })
  const { agentId } = registered?.args as unknown as { readonly agentId: bigint } // the event has it
  expect(status).toBe('success')
  expect(await chain.read('IdentityRegistry', 'ownerOf', [agentId])).toBe(stranger.address)
  expect(await chain.read('IdentityRegistry', 'tokenURI', [agentId])).toBe('ipfs://agent')
  expect(await chain.read('IdentityRegistry', 'getMetadata', [agentId, 'kind'])).toBe(stringToHex('robot'))
  expect(await chain.read('IdentityRegistry', 'getAgentWallet', [agentId])).toBe(`0x${'0'.repeat(40)}`)
  expect(await chain.reader.getCode({ address: contractAddress ?? '0x' })).toBeUndefined()
})

test.each<[string, string, `0x${string}`, string]>([
  ['a recipient that takes no tokens', localAddresses.Escrow, registration('kind'), registry],
  ['what the registry refuses', stranger.address, registration('agentWallet'), registry],
  ['a registry that is none', stranger.address, registration('kind'), stranger.address],
])('nothing is registered for %s', async (_what, recipient, data, to) => {
  const { status, logs } = await mint(recipient, data, to)
  expect([status, logs]).toEqual(['reverted', []])
})
