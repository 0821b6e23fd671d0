import { generatePrivateKey, lowerAddress, networks, privateKeySigner, type Hex } from '@ergon/protocols'
import { createPublicClient, http } from 'viem'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { deployOperator, type Deployed } from '../src/deploy/deploy-operator.ts'
import type { DeployOptions } from '../src/deploy/options.ts'
import { deployLocalnet, localRoles, mintTestUsd } from '../src/index.ts'
import { rpcCall } from '../src/json-rpc.ts'
import { startAnvil, type Anvil } from './anvil.ts'
import { createChain, type TestChain } from './chain.ts'
import { startLosingNode, type LosingNode } from './losing-node.ts'

const treasury = lowerAddress(privateKeySigner(generatePrivateKey()).address)
const token = lowerAddress(networks.localnet.tokens['USDC']?.address ?? '')
let anvil: Anvil
let node: LosingNode
let chain: TestChain

beforeAll(async () => {
  anvil = await startAnvil()
  await deployLocalnet(anvil.rpcUrl)
  chain = await createChain(anvil.rpcUrl)
  node = await startLosingNode(anvil.rpcUrl)
})
afterEach(async () => {
  node.decide = () => 'forward'
  await rpcCall(anvil.rpcUrl, 'evm_setAutomine', [true])
})
afterAll(async () => {
  await node[Symbol.asyncDispose]()
  await anvil[Symbol.asyncDispose]()
})

/** A key of its own with gas and some units of the token. */
async function aKey({ wei = 10n ** 18n, units = 5n } = {}): Promise<DeployOptions> {
  const privateKey = generatePrivateKey()
  const { address } = privateKeySigner(privateKey)
  await rpcCall(anvil.rpcUrl, 'anvil_setBalance', [address, `0x${wei.toString(16)}`])
  if (units > 0n) await mintTestUsd(anvil.rpcUrl, address, units)
  const { facilitator } = localRoles
  return {
    ...{ rpcUrl: node.url, privateKey, facilitator: facilitator.address, treasury, feeBps: 1300 },
    ...{ maxDepositAtomic: 100_000_000n, base: undefined, name: undefined },
  }
}

const reader = () => createPublicClient({ transport: http(anvil.rpcUrl) })
const addressOf = (options: DeployOptions): Hex => privateKeySigner(options.privateKey).address
const sentBy = (options: DeployOptions): Promise<number> =>
  reader().getTransactionCount({ address: addressOf(options), blockTag: 'pending' })
const unitsOf = (options: DeployOptions): Promise<unknown> =>
  chain.read('TestUSD', 'balanceOf', [addressOf(options)], { to: token })

async function run(options: DeployOptions): Promise<Deployed & { readonly told: readonly string[] }> {
  const told: string[] = []
  return { ...(await deployOperator(options, (line) => told.push(line))), told }
}

/** Deployed, locked and released once each, however many runs it took. */
async function expectOnce(options: DeployOptions, { row, proof }: Deployed): Promise<void> {
  expect(await sentBy(options)).toBe(3)
  expect(await unitsOf(options)).toBe(4n)
  const state = await chain.read('Escrow', 'paymentState', [proof.hash], { to: row.escrow?.escrow ?? '0x' })
  expect(state).toEqual([true, 0n, 1n])
}

const steps = ['the deployment', 'the lock', 'the release'] as const

test.each(steps)('a node that loses its answer to %s is asked on, and nothing is sent twice', async (step) => {
  const options = await aKey()
  let seen = 0
  node.decide = (method) => {
    if (method === 'eth_sendRawTransaction') seen += 1
    return method === 'eth_sendRawTransaction' && seen === steps.indexOf(step) + 1 ? 'lose-answer' : 'forward'
  }
  await expectOnce(options, await run(options))
})

test.each(steps)('a node that is silent from %s on ends the run, and the next one goes on with it', async (step) => {
  const options = await aKey()
  await rpcCall(anvil.rpcUrl, 'evm_setAutomine', [false])
  let seen = 0
  node.decide = (method) => {
    if (method === 'eth_sendRawTransaction') seen += 1
    return seen > steps.indexOf(step) ? 'lose-answer' : 'forward'
  }
  await expect(run(options)).rejects.toThrow(/0x[0-9a-f]{64} was sent, .*run the same command again/)
  node.decide = () => 'forward'
  const next = await run(options)
  await rpcCall(anvil.rpcUrl, 'evm_setAutomine', [true])
  await expectOnce(options, next)
  expect(next.told[0]).toMatch(/^operator 0x\w{40} on chain 31337, deployed by an earlier run$/)
})

test('a run after one that was through prints the same row and sends nothing', async () => {
  const options = await aKey()
  const first = await run(options)
  const second = await run(options)
  expect(second.row).toEqual(first.row)
  expect(second.told.at(-1)).toBe('one unit was locked by an earlier run and released by an earlier run')
  await expectOnce(options, second)
})

test('an operator with other conditions is another operator', async () => {
  const options = await aKey()
  const first = await run(options)
  const second = await run({ ...options, feeBps: 500 })
  expect(second.row.escrow?.operator).not.toBe(first.row.escrow?.operator)
})

test.each<[string, { wei?: bigint; units?: bigint }, Partial<DeployOptions>, RegExp]>([
  ['a key that can pay for the deployment alone', { wei: 10n ** 13n }, {}, /for gas, and all steps need about/],
  ['a key without a unit for the proof', { units: 0n }, {}, /has no USDC/],
  ['a name that no process takes', {}, { name: 'My Chain' }, /small letters, digits and hyphens/],
])('%s is refused before anything is paid for', async (_what, has, change, message) => {
  const options = { ...(await aKey(has)), ...change }
  await expect(run(options)).rejects.toThrow(message)
  expect(await sentBy(options)).toBe(0)
})

test('a node that says nothing when it is asked for a refund proves no refusal', async () => {
  const options = await aKey()
  const refundInEscrow = '0xe2b8996f'
  node.decide = (method, body) => (method === 'eth_call' && body.includes(refundInEscrow) ? 'lose-answer' : 'forward')
  await expect(run(options)).rejects.toThrow(/does not say whether a payer could take back what is locked/)
  node.decide = () => 'forward'
  await expectOnce(options, await run(options))
})
