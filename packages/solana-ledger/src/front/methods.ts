import { isSolanaAddress, tokenProgram } from '@ergon/channels'
import { toBase58 } from '@ergon/protocols'
import type { MachineCalls, NodeAccount } from '../embedded/calls.ts'
import type { Run } from '../embedded/machine.ts'
import { readMint, readTokenAccount } from '../embedded/token-data.ts'
import { addressAt, countAt, settingsAt, signatureAt, signaturesAt, textAt, transactionAt } from './params.ts'
import type { Params, Settings } from './params.ts'
import { RpcFault, rpcCode, wrongParams } from './rpc-fault.ts'

/** A method of Solana's JSON-RPC, answered from the machine. */
export type Method = (machine: MachineCalls, params: Params) => Promise<unknown>

const mostAccounts = 100
const mostSignatures = 256
const mostHistory = 1_000
const mostAirdropLamports = 10_000_000_000
const mostSpace = 10 * 1024 * 1024
/** What the machine implements; clients only show it. */
const version = { 'solana-core': '3.0.0', 'feature-set': 0 }

/** Answers with the slot it was read at, as most reads of a node do. Refuses a reader who has seen a later one. */
async function inContext(machine: MachineCalls, settings: Settings, read: () => Promise<unknown>): Promise<unknown> {
  const value = await read()
  const slot = await slotOf(machine, settings)
  return { context: { apiVersion: version['solana-core'], slot }, value }
}

async function slotOf(machine: MachineCalls, { minContextSlot }: Settings): Promise<number> {
  const slot = Number(await machine.slot())
  if (typeof minContextSlot === 'number' && slot < minContextSlot)
    throw new RpcFault(rpcCode.slotNotReached, 'Minimum context slot has not been reached', { contextSlot: slot })
  return slot
}

function dataOf({ data }: NodeAccount, { encoding = 'base58', dataSlice }: Settings): readonly [string, string] {
  const bytes = sliced(data, dataSlice)
  if (encoding === 'base58') {
    if (bytes.length > 64)
      throw new RpcFault(rpcCode.params, 'Encoded binary (base 58) data should be less than 128 bytes: ask for base64')
    return [toBase58(bytes), 'base58']
  }
  // A node without a parser for an account answers `jsonParsed` the same way.
  if (encoding === 'base64' || encoding === 'jsonParsed') return [Buffer.from(bytes).toString('base64'), 'base64']
  throw wrongParams('an account is encoded in base58, base64 or jsonParsed')
}

function sliced(data: Uint8Array, slice: unknown): Uint8Array {
  if (slice === undefined || slice === null) return data
  const { offset, length } = settingsAt([slice], 0)
  const [from, size] = [countAt([offset], 0), countAt([length], 0)]
  return data.subarray(from, from + size)
}

function accountInfo(account: NodeAccount | null, settings: Settings) {
  if (account === null) return null
  const { owner, lamports, executable, data } = account
  const base = { owner, lamports: Number(lamports), executable, rentEpoch: 0, space: data.length }
  return { ...base, data: dataOf(account, settings) }
}

function uiAmount(amount: bigint, decimals: number) {
  const digits = amount.toString().padStart(decimals + 1, '0')
  const cut = digits.length - decimals
  const text = `${digits.slice(0, cut)}.${digits.slice(cut)}`.replace(/\.?0+$/, '')
  return { amount: amount.toString(), decimals, uiAmount: Number(text), uiAmountString: text }
}

async function tokenBalance(machine: MachineCalls, at: string) {
  const account = await machine.account(at)
  const held = account?.owner === tokenProgram ? readTokenAccount(account.data) : undefined
  const mint = held === undefined ? null : await machine.account(toBase58(held.mint))
  const decimals = mint === null ? undefined : readMint(mint.data)?.decimals
  if (held === undefined || decimals === undefined) throw wrongParams('not a Token account')
  return uiAmount(held.amount, decimals)
}

async function tokenSupply(machine: MachineCalls, at: string) {
  const account = await machine.account(at)
  const mint = account?.owner === tokenProgram ? readMint(account.data) : undefined
  if (mint === undefined) throw wrongParams('not a Token mint')
  return uiAmount(mint.supply, mint.decimals)
}

function statusOf(known: Awaited<ReturnType<MachineCalls['status']>>) {
  if (known.kind === 'unknown') return null
  const { kind, slot, error } = known
  const status = error === null ? { Ok: null } : { Err: error }
  return { slot: Number(slot), confirmations: null, err: error, status, confirmationStatus: kind }
}

const runInfo = ({ error, logs, units }: Run) => ({ err: error, logs, unitsConsumed: Number(units) })

async function sendTransaction(machine: MachineCalls, params: Params): Promise<string> {
  const settings = settingsAt(params, 1)
  const wire = transactionAt(params, 0, settings)
  const { signature, run } = await decoding(() => machine.send(wire, settings['skipPreflight'] === true))
  if (settings['skipPreflight'] !== true && run.error !== null)
    throw new RpcFault(rpcCode.preflight, `Transaction simulation failed: ${JSON.stringify(run.error)}`, {
      ...runInfo(run),
      accounts: null,
      returnData: null,
    })
  return signature
}

/** Bytes that are no transaction are the caller's mistake. */
async function decoding<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    throw wrongParams(error instanceof Error ? error.message : 'the transaction cannot be read')
  }
}

async function simulateTransaction(machine: MachineCalls, params: Params): Promise<unknown> {
  const settings = settingsAt(params, 1)
  const wire = transactionAt(params, 0, settings)
  if (settings['sigVerify'] === false || settings['replaceRecentBlockhash'] === true)
    throw wrongParams('a transaction is simulated as it is: signed, and with its own blockhash')
  return inContext(machine, settings, async () => ({
    ...runInfo(await decoding(() => machine.simulate(wire))),
    accounts: null,
    returnData: null,
  }))
}

/** Every slot of this ledger has its block, and its first epoch is its only one. */
async function epochInfo(machine: MachineCalls, params: Params): Promise<unknown> {
  const slot = await slotOf(machine, settingsAt(params, 0))
  const heights = { absoluteSlot: slot, blockHeight: slot, slotIndex: slot }
  return { ...heights, epoch: 0, slotsInEpoch: Number.MAX_SAFE_INTEGER, transactionCount: null }
}

async function getTransaction(machine: MachineCalls, params: Params): Promise<unknown> {
  const { encoding = 'base64' } = settingsAt(params, 1)
  if (encoding !== 'base64') throw wrongParams('a transaction is answered in base64')
  const found = await machine.transaction(signatureAt(params, 0))
  if (found === undefined) return null
  const { slot, unixSec, wire, error, logs, units, calls } = found
  const status = error === null ? { Ok: null } : { Err: error }
  const meta = {
    ...{ err: error, status, computeUnitsConsumed: Number(units), logMessages: logs },
    innerInstructions: calls.map(innerInfo).filter(({ instructions }) => instructions.length > 0),
    // No transaction of this ledger leans on tables.
    loadedAddresses: { writable: [], readonly: [] },
  }
  const blockTime = Number(unixSec)
  return {
    slot: Number(slot),
    blockTime,
    version: 0,
    transaction: [Buffer.from(wire).toString('base64'), 'base64'],
    meta,
  }
}

const innerInfo = (calls: Run['calls'][number], index: number) => ({
  index,
  instructions: calls.map(({ program, accounts, data, depth }) => ({
    ...{ programIdIndex: program, accounts, data: toBase58(data), stackHeight: depth },
  })),
})

/** As far back as this process goes: transactions are not kept over a restart. */
async function signaturesForAddress(machine: MachineCalls, params: Params): Promise<unknown> {
  const settings = settingsAt(params, 1)
  const limit = settings['limit'] === undefined ? mostHistory : countAt([settings['limit']], 0)
  if (limit < 1 || limit > mostHistory) throw wrongParams(`a limit is from 1 to ${mostHistory}`)
  const { before } = settings
  await slotOf(machine, settings)
  const older = before === undefined || before === null ? undefined : signatureAt([before], 0)
  const found = await machine.history(addressAt(params, 0), limit, older)
  return found.map(({ signature, slot, error }) => ({
    ...{ signature, slot: Number(slot), err: error, memo: null, blockTime: null, confirmationStatus: 'finalized' },
  }))
}

async function requestAirdrop(machine: MachineCalls, params: Params): Promise<string> {
  const [address, lamports] = [addressAt(params, 0), countAt(params, 1)]
  if (lamports > mostAirdropLamports) throw wrongParams(`at most ${mostAirdropLamports} lamports at once`)
  return machine.airdrop(address, BigInt(lamports))
}

/** The methods served, by name. What is not here is answered as unknown. */
export const methods: ReadonlyMap<string, Method> = new Map<string, Method>([
  ['getHealth', async () => 'ok'],
  ['getVersion', async () => version],
  ['getGenesisHash', (machine) => machine.genesisHash()],
  ['getSlot', (machine, params) => slotOf(machine, settingsAt(params, 0))],
  ['getBlockHeight', (machine, params) => slotOf(machine, settingsAt(params, 0))],
  ['getEpochInfo', epochInfo],
  ['getFirstAvailableBlock', async (machine) => Number(await machine.keptFrom())],
  ['getBlockTime', async (machine, params) => (countAt(params, 0), Number(await machine.unixSec()))],
  [
    'getLatestBlockhash',
    (machine, params) =>
      inContext(machine, settingsAt(params, 0), async () => {
        const { blockhash, lastValidBlockHeight } = await machine.latestBlockhash()
        return { blockhash, lastValidBlockHeight: Number(lastValidBlockHeight) }
      }),
  ],
  [
    'isBlockhashValid',
    (machine, params) => inContext(machine, settingsAt(params, 1), () => machine.isRecent(textAt(params, 0))),
  ],
  [
    'getMinimumBalanceForRentExemption',
    async (machine, params) => {
      const space = countAt(params, 0)
      if (space > mostSpace) throw wrongParams('an account has at most 10 MiB')
      return Number(await machine.rentOf(BigInt(space)))
    },
  ],
  [
    'getAccountInfo',
    (machine, params) =>
      inContext(machine, settingsAt(params, 1), async () =>
        accountInfo(await machine.account(addressAt(params, 0)), settingsAt(params, 1)),
      ),
  ],
  [
    'getMultipleAccounts',
    (machine, params) => {
      const [addresses] = params
      if (!Array.isArray(addresses) || addresses.length > mostAccounts || !addresses.every(isSolanaAddress))
        throw wrongParams(`parameter 1 is a list of at most ${mostAccounts} addresses`)
      const settings = settingsAt(params, 1)
      return inContext(machine, settings, async () => {
        const accounts = await Promise.all(addresses.map((address) => machine.account(address)))
        return accounts.map((account) => accountInfo(account, settings))
      })
    },
  ],
  [
    'getBalance',
    (machine, params) =>
      inContext(machine, settingsAt(params, 1), async () =>
        Number((await machine.account(addressAt(params, 0)))?.lamports ?? 0n),
      ),
  ],
  [
    'getTokenAccountBalance',
    (machine, params) => inContext(machine, settingsAt(params, 1), () => tokenBalance(machine, addressAt(params, 0))),
  ],
  [
    'getTokenSupply',
    (machine, params) => inContext(machine, settingsAt(params, 1), () => tokenSupply(machine, addressAt(params, 0))),
  ],
  [
    'getSignatureStatuses',
    (machine, params) => {
      const signatures = signaturesAt(params, 0, mostSignatures)
      return inContext(machine, settingsAt(params, 1), async () =>
        (await Promise.all(signatures.map((signature) => machine.status(signature)))).map(statusOf),
      )
    },
  ],
  ['getTransaction', getTransaction],
  ['getSignaturesForAddress', signaturesForAddress],
  ['sendTransaction', sendTransaction],
  ['simulateTransaction', simulateTransaction],
  ['requestAirdrop', requestAirdrop],
  ['getRecentPrioritizationFees', async () => []],
])
