import { isPublishedKey, hexToBytes, type Address, type Hex } from '@ergon/protocols'
import { createPublicClient, createWalletClient, http, type Chain, type PublicClient } from 'viem'
import { privateKeyToAccount, type PrivateKeyAccount } from 'viem/accounts'
import { localChainId } from '../localnet.ts'

/** A node and the key that acts on it. */
export type ChainHand = {
  readonly chainId: number
  readonly account: PrivateKeyAccount
  readonly reader: PublicClient
  /** Estimates, signs, sends and waits. @throws when it reverts. */
  send(to: Address | undefined, data: Hex): Promise<{ readonly hash: Hex; readonly created: Address | undefined }>
}

/** @throws where the key is one that everybody has and the chain is not the local one */
export async function openChain(rpcUrl: string, privateKey: Hex): Promise<ChainHand> {
  const transport = http(rpcUrl, { timeout: 30_000 })
  const reader = createPublicClient({ transport, pollingInterval: 200 })
  const id = await reader.getChainId()
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
  return {
    chainId: id,
    account,
    reader,
    async send(to, data) {
      const hash = await writer.sendTransaction({ data, ...(to === undefined ? {} : { to }) })
      // The local node mines when it is asked to; a real one does not know the method.
      if (id === localChainId) await mine(rpcUrl)
      const receipt = await reader.waitForTransactionReceipt({ hash, timeout: 180_000 })
      if (receipt.status !== 'success') throw new Error(`${hash} was reverted`)
      return { hash, created: receipt.contractAddress ?? undefined }
    },
  }
}

async function mine(rpcUrl: string): Promise<void> {
  await fetch(rpcUrl, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'evm_mine', params: [] }),
    signal: AbortSignal.timeout(10_000),
  })
}
