import { AuthCaptureEvmScheme } from '@x402/evm/auth-capture/client'
import { expect, test } from 'vitest'
import { encodeDeployData } from 'viem'
import { artifacts, type ContractName, localAddresses } from '../src/index.ts'
import { rpcCall } from '../src/json-rpc.ts'
import { abiOf, type TestChain } from './chain.ts'
import { useLocalChain } from './local-chain.ts'
import { asOperator, bareOperator, feeTaker, payee, payer } from './payment.ts'

const chainOf = useLocalChain()

// Where the public client expects version 1.0 of the escrow and its collector.
const escrow = '0xBdEA0D1bcC5966192B070Fdf62aB4EF5b4420cff'
const collector = '0x0E3dF9510de65469C4518D7843919c0b8C7A7757'

/** Runs a contract's constructor at an address of our choice, so that its immutables are right there. */
async function place(
  chain: TestChain,
  name: ContractName,
  address: `0x${string}`,
  args: readonly unknown[],
): Promise<void> {
  const { abi, bytecode } = { ...artifacts[name], abi: abiOf(artifacts[name]) }
  await rpcCall(chain.rpcUrl, 'anvil_setCode', [address, encodeDeployData({ abi, bytecode, args })])
  const code = await rpcCall(chain.rpcUrl, 'eth_call', [{ to: address }, 'latest'])
  await chain.settle(await chain.writer.sendTransaction({ account: payer, to: address, gas: 10_000_000n }))
  await rpcCall(chain.rpcUrl, 'anvil_setCode', [address, code])
}

test('the escrow accepts what an independent client signs', async () => {
  const chain = chainOf()
  await place(chain, 'Escrow', escrow, [])
  await place(chain, 'Eip3009Collector', collector, [escrow])
  const now = Math.floor(Date.now() / 1_000)
  const extra = {
    name: 'USD Coin',
    version: '2',
    captureAuthorizer: bareOperator.address,
    feeRecipient: feeTaker.address,
    captureDeadline: now + 7_200,
    refundDeadline: now + 86_400,
    minFeeBps: 0,
    maxFeeBps: 1_300,
    authCaptureEscrow: escrow,
  }
  const client = new AuthCaptureEvmScheme({
    address: payer.address,
    signTypedData: (data) => payer.signTypedData(data),
  })
  const { payload } = await client.createPaymentPayload(2, {
    scheme: 'auth-capture',
    network: 'eip155:31337',
    asset: localAddresses.TestUSD,
    amount: '1000000',
    payTo: payee.address,
    maxTimeoutSeconds: 3_600,
    extra,
  })
  // The payload of the EIP-3009 method of that scheme.
  const signed = payload as unknown as {
    authorization: { to: string; validBefore: string }
    signature: string
    salt: string
  }
  const info = {
    operator: bareOperator.address,
    payer: payer.address,
    receiver: payee.address,
    token: localAddresses.TestUSD,
    maxAmount: 1_000_000n,
    preApprovalExpiry: Number(signed.authorization.validBefore),
    authorizationExpiry: extra.captureDeadline,
    refundExpiry: extra.refundDeadline,
    minFeeBps: 0,
    maxFeeBps: 1_300,
    feeReceiver: feeTaker.address,
    salt: BigInt(signed.salt),
  }
  const before = [await chain.balanceOf(payee.address), await chain.balanceOf(feeTaker.address)]
  const call = { ...asOperator, to: escrow } as const
  expect(signed.authorization.to).toBe(collector)
  await chain.write('Escrow', 'authorize', [info, 1_000_000n, collector, signed.signature], call)
  await chain.write('Escrow', 'capture', [info, 1_000_000n, 1_300, feeTaker.address], call)
  const after = [await chain.balanceOf(payee.address), await chain.balanceOf(feeTaker.address)]
  expect(after.map((balance, i) => balance - (before[i] ?? 0n))).toEqual([870_000n, 130_000n])
})
