import { setTimeout as delay } from 'node:timers/promises'
import { isPublishedKey, hexToBytes, type Address, type Hex } from '@ergon/protocols'
import { createPublicClient, createWalletClient, formatEther, http, type Chain, type PublicClient } from 'viem'
import { privateKeyToAccount, type PrivateKeyAccount } from 'viem/accounts'
import { localChainId } from '../localnet.ts'
import { broadcast, receiptOf } from './broadcast.ts'

/** A node and the key that acts on it. */
export type ChainHand = {
  readonly chainId: number
  readonly account: PrivateKeyAccount
  readonly reader: PublicClient
  /** Waits until all that the account has sent is in a block: how many transactions those are. */
  settled(): Promise<number>
  /** @throws where the account could not pay for so much gas at today's price */
  expectGas(gas: bigint): Promise<void>
  /** Estimates, signs once, sends these bytes and waits. @throws when it reverts, or when nobody knows. */
  send(to: Address | undefined, data: Hex): Promise<{ readonly hash: Hex; readonly created: Address | undefined }>
}

/** @throws where the key is one that everybody has and the chain is not the local one */
export async function openChain(rpcUrl: string, privateKey: Hex): Promise<ChainHand> {
  const transport = http(rpcUrl, { timeout: 30_000 })
  const reader = createPublicClient({ transport, pollingInterval: 200 })
  const id = await reader.getChainId().catch((error: unknown) => {
    throw new Error('the node of --rpc does not answer', { cause: error })
  })
  if (id !== localChainId && isPublishedKey(hexToBytes(privateKey)))
    throw new Error('the key is a published development key, and this is not the local chain')
  const chain: Chain = {
    id,
    name: `chain ${String(id)}`,
    nativeCurrency: { name: 'Ether', symbol: 'ETH', decimals: 18 },
    rpcUrls: { default: { http: [rpcUrl] } },
  }
  const account = privateKeyToAccount(privateKey)
  const writer = createWalletClient({ transport, chain, account })
  // The local node mines when it is asked to; a real one does not know the method.
  const mine = async (): Promise<void> => {
    if (id === localChainId) await mineLocally(rpcUrl)
  }
  return {
    chainId: id,
    account,
    reader,
    settled: () => settled(reader, account.address, mine),
    expectGas: (gas) => expectGas(reader, account.address, gas),
    async send(to, data) {
      const request = await writer.prepareTransactionRequest({ data, ...(to === undefined ? {} : { to }) })
      const signed = await writer.signTransaction(request)
      const hash = await broadcast(reader, signed)
      await mine()
      const receipt = await receiptOf(reader, hash)
      if (receipt.status !== 'success') throw new Error(`${hash} was reverted`)
      return { hash, created: receipt.contractAddress ?? undefined }
    },
  }
}

const patienceMs = 180_000
const pauseMs = 1_000

async function settled(reader: PublicClient, address: Address, mine: () => Promise<void>): Promise<number> {
  for (const deadline = Date.now() + patienceMs; ; await delay(pauseMs)) {
    const mined = await reader.getTransactionCount({ address, blockTag: 'latest' })
    const sent = await reader.getTransactionCount({ address, blockTag: 'pending' })
    if (sent <= mined) return mined
    if (Date.now() > deadline)
      throw new Error(
        `${address} has ${String(sent - mined)} transactions that are in no block yet: ` +
          'let them be mined, or replace them, and run the same command again',
      )
    await mine()
  }
}

async function expectGas(reader: PublicClient, address: Address, gas: bigint): Promise<void> {
  const [{ maxFeePerGas }, has] = await Promise.all([reader.estimateFeesPerGas(), reader.getBalance({ address })])
  const needs = gas * maxFeePerGas
  if (has < needs)
    throw new Error(`${address} has ${formatEther(has)} for gas, and all steps need about ${formatEther(needs)}`)
}

async function mineLocally(rpcUrl: string): Promise<void> {
  await fetch(rpcUrl, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'evm_mine', params: [] }),
    signal: AbortSignal.timeout(10_000),
  })
}
