import { beforeAll, describe, expect, test } from 'vitest'
import { encodeAbiParameters, encodeFunctionData, erc20Abi, type Hex, parseAbiParameters, parseSignature } from 'viem'
import { serializeErc6492Signature } from 'viem/utils'
import { type Artifact, localAddresses } from '../src/index.ts'
import { compileTestContracts } from '../tools/compiler.ts'
import { abiOf } from './chain.ts'
import { useLocalChain } from './local-chain.ts'
import { aPayment, asOperator, payer, type PaymentInfo, signPayment, stateOf, stranger } from './payment.ts'

const chainOf = useLocalChain()
const collector = localAddresses.Eip3009Collector

let factory: { readonly address: `0x${string}`; readonly artifact: Artifact }

beforeAll(async () => {
  const { WalletFactory } = await compileTestContracts()
  if (WalletFactory === undefined) throw new Error('The test contract is gone.')
  factory = { address: await chainOf().deploy(WalletFactory), artifact: WalletFactory }
})

const ask = (functionName: string, args: readonly unknown[] = []): Promise<unknown> =>
  chainOf().reader.readContract({ address: factory.address, abi: abiOf(factory.artifact), functionName, args })

const createCall = (salt: bigint): Hex =>
  encodeFunctionData({ abi: abiOf(factory.artifact), functionName: 'create', args: [payer.address, salt] })

const codeAt = (address: `0x${string}`): Promise<Hex | undefined> => chainOf().reader.getCode({ address })

/** A payment of a wallet that the factory has yet to put up, with money in it. */
async function aWalletPayment(salt: bigint): Promise<PaymentInfo> {
  // The factory answers one address.
  const wallet = (await ask('addressOf', [payer.address, salt])) as `0x${string}`
  await chainOf().mint(wallet, 2_000_000n)
  return aPayment(chainOf(), { payer: wallet })
}

/** What the wallet takes for its own: its owner's signature in a form of the wallet's. */
async function ownWords(info: PaymentInfo, signer = payer): Promise<Hex> {
  const { r, s, yParity } = parseSignature(await signPayment(chainOf(), info, signer))
  return encodeAbiParameters(parseAbiParameters('bytes32, bytes32, uint8, string'), [r, s, 27 + yParity, 'wallet'])
}

function authorize(info: PaymentInfo, data: Hex): readonly unknown[] {
  return [info, info.maxAmount, collector, data]
}

describe('a wrapped signature (ERC-6492)', () => {
  test('puts the wallet up and holds its money, in one transaction', async () => {
    const info = await aWalletPayment(1n)
    const data = serializeErc6492Signature({
      address: factory.address,
      data: createCall(1n),
      signature: await ownWords(info),
    })
    expect(await codeAt(info.payer)).toBeUndefined()
    await chainOf().write('Escrow', 'authorize', authorize(info, data), asOperator)
    expect(await stateOf(chainOf(), info)).toEqual([true, 1_000_000n, 0n])
    expect(await codeAt(info.payer)).toBeDefined()
    expect(await chainOf().balanceOf(info.payer)).toBe(1_000_000n)
  })

  test('counts after its wallet was put up by others, and the call of a stranger has no rights of ours', async () => {
    const info = await aWalletPayment(2n)
    const data = serializeErc6492Signature({
      address: factory.address,
      data: createCall(2n),
      signature: await ownWords(info),
    })
    const { writer, settle } = chainOf()
    await settle(await writer.sendTransaction({ to: factory.address, data: createCall(2n), account: stranger }))
    await chainOf().write('Escrow', 'authorize', authorize(info, data), asOperator)
    expect(await stateOf(chainOf(), info)).toEqual([true, 1_000_000n, 0n])
    const caller = String(await ask('lastCaller')).toLowerCase()
    for (const trusted of [collector, localAddresses.Escrow, localAddresses.Operator])
      expect(caller).not.toBe(trusted.toLowerCase())
  })

  test("moves nothing with a stranger's signature, the wrong wallet, a failed call or bytes that are none", async () => {
    const info = await aWalletPayment(3n)
    const wrapped = async (salt: bigint, signer = payer) =>
      serializeErc6492Signature({
        address: factory.address,
        data: createCall(salt),
        signature: await ownWords(info, signer),
      })
    const reverts = async (data: Hex) => chainOf().revertOf('Escrow', 'authorize', authorize(info, data), asOperator)
    expect(await reverts(await wrapped(3n, stranger))).toBe('FiatTokenV2: invalid signature')
    // A wallet is put up, but not the payer's: the address without code has signed nothing.
    expect(await reverts(await wrapped(4n))).not.toBe('did not revert')
    expect(await reverts((await ownWords(info)).concat('6492'.repeat(16)) as Hex)).not.toBe('did not revert')
    expect(await reverts(`0x${'6492'.repeat(16)}`)).not.toBe('did not revert')
    expect(await codeAt(info.payer)).toBeUndefined()
  })

  test('gives the wrapped call no hold of what the collector has', async () => {
    const { mint, balanceOf, write, writer, settle } = chainOf()
    const info = await aWalletPayment(5n)
    await settle(await writer.sendTransaction({ to: factory.address, data: createCall(5n), account: stranger }))
    await mint(collector, 700n)
    const before = await balanceOf(stranger.address)
    const steal = encodeFunctionData({ abi: erc20Abi, functionName: 'transfer', args: [stranger.address, 700n] })
    const data = serializeErc6492Signature({ address: info.token, data: steal, signature: await ownWords(info) })
    await write('Escrow', 'authorize', authorize(info, data), asOperator)
    expect(await stateOf(chainOf(), info)).toEqual([true, 1_000_000n, 0n])
    expect([await balanceOf(collector), await balanceOf(stranger.address)]).toEqual([700n, before])
  })
})
