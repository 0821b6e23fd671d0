import { createHash } from 'node:crypto'
import { deployLocalnet, localAccounts } from '@ergon/contracts'
import type { Address, Hex } from '@ergon/protocols'
import { startChain } from '@ergon/dev-env'
import { privateKeyToAccount, type PrivateKeyAccount } from 'viem/accounts'
import { deployment } from '../../src/chain/deployment.ts'
import { createMemoryChain, type MemoryChain } from '../../src/chain/memory-chain.ts'
import { askNode, type RpcAnswer } from '../../src/chain/node.ts'
import { mint } from '../../src/chain/token.ts'

export type Ask = (method: string, params: readonly unknown[]) => Promise<RpcAnswer>
/** A chain that mines when told, whichever it is. */
export type Twin = {
  readonly name: string
  readonly url?: string
  readonly ask: Ask
  mine(time: number): Promise<void>
  hold(time: number): Promise<void>
  blockOffset: number
}

export function accountAt(index: number): PrivateKeyAccount {
  const account = localAccounts[index]
  if (account === undefined) throw new Error(`there is no account ${String(index)}`)
  return privateKeyToAccount(account.privateKey)
}

export const funded = 1_000_000_000n

export function openMemory(time: number, wallets: readonly Address[]): Twin & { readonly chain: MemoryChain } {
  const chain = createMemoryChain({ number: 100, time })
  chain.begin((frame) => {
    for (const wallet of wallets) mint(frame, deployment.owner, wallet, funded)
  })
  return {
    name: 'memory',
    chain,
    blockOffset: 100,
    ask: (method, params) => Promise.resolve(askNode(chain, method, params)),
    hold: () => Promise.resolve(), // its time moves with its blocks alone
    mine(at) {
      chain.mine(
        chain.head.number + 1,
        at,
        chain.pool.executable((account) => chain.nonceOf(account)),
      )
      return Promise.resolve()
    },
  }
}

export async function openAnvil(): Promise<Twin & AsyncDisposable> {
  const chain = await startChain({ mineAfterMs: 3_600_000 })
  const ask: Ask = async (method, params) => {
    const response = await fetch(chain.rpcUrl, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
    })
    const { result, error } = (await response.json()) as {
      result?: unknown
      error?: { code: number; message: string; data?: unknown }
    }
    return error === undefined ? { result } : { error }
  }
  await deployLocalnet(chain.rpcUrl)
  return {
    name: 'anvil',
    url: chain.rpcUrl,
    ask,
    blockOffset: 0,
    // What is estimated is estimated in the next block, whose time would be that of the machine's clock.
    async hold(at) {
      const { error } = await ask('evm_setNextBlockTimestamp', [at])
      if (error !== undefined) throw new Error(error.message)
    },
    async mine(at) {
      await ask('evm_setNextBlockTimestamp', [at])
      await ask('evm_mine', [])
    },
    [Symbol.asyncDispose]: () => chain[Symbol.asyncDispose](),
  }
}

export function hash32(text: string): Hex {
  return `0x${createHash('sha256').update(text).digest('hex')}`
}
