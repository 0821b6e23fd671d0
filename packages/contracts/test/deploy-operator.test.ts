import { execFile } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { fileURLToPath } from 'node:url'
import { networks, parseNetworkRows, type Token } from '@ergon/protocols'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { deployOperator } from '../src/deploy/deploy-operator.ts'
import { readDeployOptions, type DeployOptions } from '../src/deploy/options.ts'
import { deployLocalnet, localAccounts, localRoles, mintTestUsd } from '../src/index.ts'
import { rpcCall } from '../src/json-rpc.ts'
import { startAnvil, type Anvil } from './anvil.ts'
import { createChain, type TestChain } from './chain.ts'

const folder = mkdtempSync(join(tmpdir(), 'contracts-deploy-'))
const keyFile = join(folder, 'key')
const [, , , , , payer, , treasury] = localAccounts
const ofEighteen = `0x${'18'.repeat(20)}` as const
const eurc: Token = { symbol: 'EURC', name: '', version: '1', decimals: 6, address: ofEighteen }
let anvil: Anvil
let chain: TestChain
let words: readonly string[]
let options: DeployOptions

beforeAll(async () => {
  anvil = await startAnvil()
  await deployLocalnet(anvil.rpcUrl)
  chain = await createChain(anvil.rpcUrl)
  if (payer === undefined || treasury === undefined) throw new Error('the local chain has ten accounts')
  await mintTestUsd(anvil.rpcUrl, payer.address, 10n)
  // Whatever it is asked, it answers 18.
  await rpcCall(anvil.rpcUrl, 'anvil_setCode', [ofEighteen, '0x601260005260206000f3'])
  writeFileSync(keyFile, `${payer.privateKey}\n`)
  words = ['--rpc', anvil.rpcUrl, '--key-file', keyFile, '--facilitator', localRoles.facilitator.address]
  words = [...words, '--treasury', treasury.address, '--fee-bps', '500', '--max-deposit', '2000000']
  const read = readDeployOptions(words)
  if (read === undefined) throw new Error('no help was asked for')
  options = read
})
afterAll(async () => {
  await anvil[Symbol.asyncDispose]()
  rmSync(folder, { recursive: true })
})

test('the command deploys, proves with one unit, and prints a row that a file of rows takes', async () => {
  const main = fileURLToPath(new URL('../src/main.ts', import.meta.url))
  const { stdout, stderr } = await promisify(execFile)(process.execPath, [main, 'deploy', ...words])
  const [row] = parseNetworkRows(JSON.parse(stdout))
  expect(row).toMatchObject({
    ...networks.localnet,
    name: 'localnet-own',
    title: 'Local chain, own operator',
    escrow: {},
  })
  expect(row?.escrow?.escrow).toBe(networks.localnet.escrow?.escrow)
  expect(row?.escrow?.operator).not.toBe(networks.localnet.escrow?.operator)
  expect(stderr).toMatch(/one unit was locked in 0x[0-9a-f]{64} and released in 0x[0-9a-f]{64}/)
  const at = { to: row?.escrow?.operator ?? '0x' }
  expect(await chain.read('Operator', 'FEE_RECIPIENT', [], at)).toBe(treasury?.address)
  expect(await chain.read('Operator', 'FACILITATOR', [], at)).toBe(localRoles.facilitator.address)
  expect([
    await chain.read('Operator', 'FEE_BPS', [], at),
    await chain.read('Operator', 'MAX_DEPOSIT', [], at),
  ]).toEqual([500, 2_000_000n])
})

test.each<[string, (good: DeployOptions) => DeployOptions, RegExp]>([
  ['a payer without a unit', (good) => ({ ...good, privateKey: localAccounts[8]?.privateKey ?? '0x' }), /has no USDC/],
  [
    'a facilitator that pays itself',
    (good) => ({ ...good, facilitator: payer?.address ?? '0x' }),
    /the facilitator itself/,
  ],
  ['a treasury that is the facilitator', (good) => ({ ...good, treasury: good.facilitator }), /one account/],
  ['a fee that leaves nothing', (good) => ({ ...good, feeBps: 10_000 }), /leaves nothing/],
  [
    'a row of another chain',
    (good) => ({ ...good, base: networks.base }),
    /base is of chain 8453 and the node of 31337/,
  ],
  [
    'a token that counts in other decimals',
    (good) => ({ ...good, base: { ...networks.localnet, tokens: { EURC: eurc } } }),
    /token EURC has 18 decimals, not 6: change the row localnet/,
  ],
  ['a node that is not there', (good) => ({ ...good, rpcUrl: 'http://127.0.0.1:1' }), /^the node of --rpc does not/],
  [
    'a row whose escrow is no contract',
    (good) => ({
      ...good,
      base: {
        ...networks.localnet,
        escrow: { ...(networks.localnet.escrow ?? neverMind), collector: localRoles.treasury.address },
      },
    }),
    /there is no contract at/,
  ],
])('%s is refused', async (_what, change, message) => {
  await expect(deployOperator(change(options), () => undefined)).rejects.toThrow(message)
})

const neverMind = { escrow: '0x', collector: '0x', operator: '0x', operatorAbi: 'legacy' } as const

test('a published key is refused on any other chain', async () => {
  await using other = await startAnvil([], 4_242)
  await expect(deployOperator({ ...options, rpcUrl: other.rpcUrl }, () => undefined)).rejects.toThrow(/published/)
})

test('options that are missing or make no sense are refused with their name', () => {
  const without = (name: string): readonly string[] => {
    const place = words.indexOf(name)
    return [...words.slice(0, place), ...words.slice(place + 2)]
  }
  for (const name of ['--rpc', '--key-file', '--facilitator', '--treasury'])
    expect(() => readDeployOptions(without(name))).toThrow(name)
  expect(() => readDeployOptions([...without('--treasury'), '--treasury', `0x${'0'.repeat(40)}`])).toThrow('--treasury')
  expect(() => readDeployOptions([...without('--fee-bps'), '--fee-bps', '10001'])).toThrow('--fee-bps')
  writeFileSync(join(folder, 'no-key'), 'a word of mine')
  expect(() => readDeployOptions([...without('--key-file'), '--key-file', join(folder, 'no-key')])).toThrow(
    /^--key-file holds no private key(?!.*a word of mine)/,
  )
  for (const number of ['0'.repeat(64), 'f'.repeat(64)]) {
    writeFileSync(join(folder, 'no-key'), `0x${number}`)
    expect(() => readDeployOptions([...without('--key-file'), '--key-file', join(folder, 'no-key')])).toThrow(
      /^--key-file holds a number that is no private key$/,
    )
  }
  expect(() => readDeployOptions([...words, '--row', keyFile])).toThrow(/^--row takes a file of JSON$/)
  expect(readDeployOptions(['--help'])).toBeUndefined()
})
