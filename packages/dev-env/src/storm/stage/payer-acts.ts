import { artifacts, localAddresses } from '@ergon/contracts'
import { operatorAbi, parsePaymentAuth, type Hex, type PaymentInfo } from '@ergon/protocols'
import {
  createPublicClient,
  createTestClient,
  encodeFunctionData,
  http,
  parseEventLogs,
  type Abi,
  type Address,
} from 'viem'
import { waitFor } from '../../waiting.ts'

/** What a payer does on chain past the service, with gas that the local chain gives it. */
export type PayerActs = {
  /** Pays a part of what is held, as anybody may whose money it is. */
  release(payer: Address, atomic: bigint): Promise<void>
  /** Pays at once with the very authorization that was signed for a lock. */
  charge(paymentAuth: string): Promise<void>
  transfer(from: Address, to: Address, atomic: bigint): Promise<void>
}

type Info = { readonly payer: Address }

export function createPayerActs(rpcUrl: string): PayerActs {
  const transport = http(rpcUrl, { timeout: 10_000 })
  const [node, reader] = [createTestClient({ mode: 'anvil', transport }), createPublicClient({ transport })]
  const send = async (from: Address, to: Address, data: Hex): Promise<void> => {
    await node.setBalance({ address: from, value: 10n ** 18n })
    await node.impersonateAccount({ address: from })
    // The node signs for whom it impersonates.
    const hash: Hex = await node.request<{
      Method: 'eth_sendTransaction'
      Parameters: readonly unknown[]
      ReturnType: Hex
    }>({ method: 'eth_sendTransaction', params: [{ from, to, data, gas: '0x7a120' }] })
    // viem asks once a block, and an idle chain makes no second one.
    const { status } = await waitFor(() => reader.getTransactionReceipt({ hash }).catch(() => undefined), {
      timeoutMs: 20_000,
      everyMs: 50,
      what: `the receipt of ${hash}`,
    })
    await node.stopImpersonatingAccount({ address: from })
    if (status !== 'success') throw new Error(`${hash} of ${from} was reverted`)
  }
  return {
    async release(payer, atomic) {
      const logs = await reader.getLogs({ address: localAddresses.Escrow, fromBlock: 0n })
      // The interface is JSON; decoding checks it.
      const events = parseEventLogs({
        abi: artifacts.Escrow.abi as unknown as Abi,
        logs,
        eventName: 'PaymentAuthorized',
      }) as unknown as readonly { readonly args: { readonly paymentInfo: Info } }[]
      const info = events
        .map(({ args }) => args.paymentInfo)
        .findLast((one) => one.payer.toLowerCase() === payer.toLowerCase())
      if (info === undefined) throw new Error(`nothing of ${payer} is held`)
      await send(
        payer,
        localAddresses.Operator,
        encodeFunctionData({ abi: operatorAbi.legacy, functionName: 'release', args: [info as PaymentInfo, atomic] }),
      )
    },
    async charge(paymentAuth) {
      const { paymentInfo, signature } = parsePaymentAuth(paymentAuth)
      await send(
        paymentInfo.payer,
        localAddresses.Operator,
        encodeFunctionData({
          abi: operatorAbi.legacy,
          functionName: 'charge',
          args: [paymentInfo, paymentInfo.maxAmount, localAddresses.Eip3009Collector, signature],
        }),
      )
    },
    transfer: (from, to, atomic) =>
      send(
        from,
        localAddresses.TestUSD,
        encodeFunctionData({ abi: transferAbi, functionName: 'transfer', args: [to, atomic] }),
      ),
  }
}

const transferAbi = [
  {
    name: 'transfer',
    type: 'function',
    stateMutability: 'nonpayable',
    inputs: [
      { name: 'to', type: 'address' },
      { name: 'value', type: 'uint256' },
    ],
    outputs: [{ type: 'bool' }],
  },
] as const
