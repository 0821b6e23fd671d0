import {
  type Abi,
  BaseError,
  type Chain as ViemChain,
  ContractFunctionRevertedError,
  createPublicClient,
  createTestClient,
  createWalletClient,
  erc20Abi,
  type Hex,
  http,
  type PublicClient,
  type TransactionReceipt,
  type Transport,
  type WalletClient,
} from 'viem'
import { privateKeyToAccount, type PrivateKeyAccount } from 'viem/accounts'
import {
  artifacts,
  type Artifact,
  type ContractName,
  localAccounts,
  localAddresses,
  mintTestUsd,
} from '../src/index.ts'
import { receiptOf } from './receipt.ts'

const pollingInterval = 2

export function accountAt(index: number): PrivateKeyAccount {
  const account = localAccounts[index]
  if (account === undefined) throw new Error(`There is no account ${index}.`)
  return privateKeyToAccount(account.privateKey)
}

/** The same value as an ABI of the library: a JSON ABI is one, and only the literal types are missing. */
export function abiOf(artifact: Artifact): Abi {
  return artifact.abi as unknown as Abi
}

export type Call = {
  readonly to?: `0x${string}`
  readonly from?: PrivateKeyAccount
}

async function describeRevert(action: Promise<unknown>): Promise<string> {
  try {
    await action
    return 'did not revert'
  } catch (error) {
    if (!(error instanceof BaseError)) throw error
    const reverted = error.walk((cause) => cause instanceof ContractFunctionRevertedError)
    if (!(reverted instanceof ContractFunctionRevertedError)) throw error
    return reverted.reason ?? reverted.data?.errorName ?? reverted.signature ?? 'reverted without data'
  }
}

/** What the tests do on a chain: read, write, learn why a write reverts, and set the clock. */
export type TestChain = {
  readonly rpcUrl: string
  readonly reader: PublicClient
  readonly writer: WalletClient<Transport, ViemChain>
  readonly read: (name: ContractName, functionName: string, args?: readonly unknown[], call?: Call) => Promise<unknown>
  readonly write: (
    name: ContractName,
    functionName: string,
    args: readonly unknown[],
    call?: Call,
  ) => Promise<TransactionReceipt>
  /** The name or the text of the error that the call ends with. */
  readonly revertOf: (
    name: ContractName,
    functionName: string,
    args: readonly unknown[],
    call?: Call,
  ) => Promise<string>
  /** Sends without asking first, in a block of this second, and tells how it went. */
  readonly statusAt: (
    timestamp: number,
    name: ContractName,
    functionName: string,
    args: readonly unknown[],
    call?: Call,
  ) => Promise<'success' | 'reverted'>
  readonly deploy: (artifact: Artifact, args?: readonly unknown[]) => Promise<`0x${string}`>
  readonly settle: (hash: Hex) => Promise<TransactionReceipt>
  readonly balanceOf: (account: `0x${string}`) => Promise<bigint>
  readonly mint: (account: `0x${string}`, amountAtomic: bigint) => Promise<void>
  readonly now: () => Promise<number>
  /** Mines a block at this second. A call without a block of its own then happens at this second. */
  readonly setTime: (timestamp: number) => Promise<void>
}

export async function createChain(rpcUrl: string): Promise<TestChain> {
  const transport = http(rpcUrl)
  const probe = createPublicClient({ transport })
  const id = await probe.getChainId()
  const chain: ViemChain = {
    id,
    name: 'test',
    nativeCurrency: { name: 'Ether', symbol: 'ETH', decimals: 18 },
    rpcUrls: { default: { http: [rpcUrl] } },
  }
  const reader = createPublicClient({ transport, chain, pollingInterval, cacheTime: 0 })
  const writer = createWalletClient({ transport, chain })
  const control = createTestClient({ transport, chain, mode: 'anvil' })

  // Errors of inner contracts bubble up unchanged, so each call knows the errors of all of them.
  const errors = Object.values(artifacts).flatMap((artifact) =>
    abiOf(artifact).filter((entry) => entry.type === 'error'),
  )
  const request = (abi: Abi, address: `0x${string}`, functionName: string, args: readonly unknown[], call: Call) => ({
    abi: [...abi, ...errors],
    address,
    functionName,
    args,
    account: call.from ?? accountAt(0),
  })

  async function settle(hash: Hex): Promise<TransactionReceipt> {
    const receipt = await receiptOf(reader, hash)
    if (receipt.status !== 'success') throw new Error(`${hash} reverted`)
    return receipt
  }

  return {
    rpcUrl,
    reader,
    writer,
    read: (
      name: ContractName,
      functionName: string,
      args: readonly unknown[] = [],
      call: Call = {},
    ): Promise<unknown> =>
      reader.readContract(request(abiOf(artifacts[name]), call.to ?? localAddresses[name], functionName, args, call)),
    write: async (name: ContractName, functionName: string, args: readonly unknown[], call: Call = {}) => {
      const asked = request(abiOf(artifacts[name]), call.to ?? localAddresses[name], functionName, args, call)
      const { request: simulated } = await reader.simulateContract(asked)
      return settle(await writer.writeContract(simulated))
    },
    revertOf: (name: ContractName, functionName: string, args: readonly unknown[], call: Call = {}): Promise<string> =>
      describeRevert(
        reader.simulateContract(
          request(abiOf(artifacts[name]), call.to ?? localAddresses[name], functionName, args, call),
        ),
      ),
    statusAt: async (timestamp, name, functionName, args, call = {}) => {
      const asked = request(abiOf(artifacts[name]), call.to ?? localAddresses[name], functionName, args, call)
      await control.setNextBlockTimestamp({ timestamp: BigInt(timestamp) })
      const hash = await writer.writeContract({ ...asked, gas: 1_000_000n })
      return (await receiptOf(reader, hash)).status
    },
    deploy: async (artifact: Artifact, args: readonly unknown[] = []): Promise<`0x${string}`> => {
      const hash = await writer.deployContract({
        abi: abiOf(artifact),
        bytecode: artifact.bytecode,
        args,
        account: accountAt(0),
      })
      const { contractAddress } = await settle(hash)
      if (contractAddress === null || contractAddress === undefined) throw new Error('The deployment created nothing.')
      return contractAddress
    },
    settle,
    balanceOf: (account) =>
      reader.readContract({
        address: localAddresses.TestUSD,
        abi: erc20Abi,
        functionName: 'balanceOf',
        args: [account],
      }),
    mint: (account: `0x${string}`, amount: bigint) => mintTestUsd(rpcUrl, account, amount),
    now: async (): Promise<number> => Number((await reader.getBlock()).timestamp),
    setTime: async (timestamp: number): Promise<void> => {
      await control.setNextBlockTimestamp({ timestamp: BigInt(timestamp) })
      await control.mine({ blocks: 1 })
    },
  }
}
