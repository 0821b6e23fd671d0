import { networkByName, type Network } from '@ergon/protocols'
import { clusterGenesis } from '@ergon/solana-ledger'
import { isSolanaAddress, mainnetChannelProgram, treasuryOwners } from '@ergon/channels'
import { ConfigError } from './config-error.ts'
import type { RawSettings } from './env.ts'

/** The cluster whose channels fund metered tasks, and what is believed of it (decision 0140). */
export type SolanaSettings = {
  /** The row of the table, with the token of this very cluster. */
  readonly network: Network
  readonly rpcUrls: readonly string[]
  readonly genesisHash: string
  readonly witnesses: number
  readonly channelProgram: string
  readonly programHash: string
  readonly mint: string
  /** Owner of the account for rounding dust: a constant of the program's build. */
  readonly treasuryOwner: string
  /** Millionths of a lamport for each compute unit. */
  readonly maxPriorityFee: bigint
  /** Whether bounties are paid there in one transaction, through the facilitator (decision 0151). */
  readonly paysBounties: boolean
}

const name = 'solana'
const nodes = 'SVC_RPC_SOLANA'
const ours = `SVC_${name.toUpperCase()}_`
const mostNodes = 8

/** Off unless nodes are named. @throws ConfigError */
export function decideSolana(raw: RawSettings): SolanaSettings | null {
  const given = raw.rpcUrls.get(name)
  if (given === undefined) {
    const orphan = raw.names.find((one) => one.startsWith(ours))
    if (orphan !== undefined) throw new ConfigError(`${orphan} is set and ${nodes} is not`)
    return null
  }
  const rpcUrls = readNodes(given)
  const row = networkByName(name)
  if (row === undefined) throw new ConfigError('the network table has no Solana')
  const genesisHash = address(raw, 'SVC_SOLANA_GENESIS', clusterGenesis.mainnet)
  const mint = address(raw, 'SVC_SOLANA_MINT', row.tokens['USDC']?.address)
  const channelProgram = address(raw, 'SVC_SOLANA_PROGRAM', mainnetChannelProgram)
  const network = networkOf(row, genesisHash, mint)
  return {
    network,
    rpcUrls,
    genesisHash,
    witnesses: whole(raw, 'SVC_SOLANA_WITNESSES', 1, rpcUrls.length),
    channelProgram,
    programHash: programHash(raw),
    mint,
    treasuryOwner: address(raw, 'SVC_SOLANA_TREASURY', treasuryOf(genesisHash)),
    maxPriorityFee: BigInt(whole(raw, 'SVC_SOLANA_PRIORITY_FEE', 1_000_000, 1_000_000_000)),
    paysBounties: paysBounties(raw),
  }
}

/** A cluster that is not the main one carries neither its name in CAIP-2 nor its token. */
function networkOf(row: Network, genesisHash: string, mint: string): Network {
  const usdc = row.tokens['USDC']
  if (usdc === undefined) throw new ConfigError('the network table has no USDC on Solana')
  const isReal = genesisHash === clusterGenesis.mainnet
  return {
    ...row,
    testnet: !isReal,
    caip2: `solana:${genesisHash.slice(0, 32)}`,
    tokens: { USDC: { ...usdc, address: mint } },
  }
}

function treasuryOf(genesisHash: string): string {
  if (genesisHash === clusterGenesis.mainnet) return treasuryOwners.mainnet
  return genesisHash === clusterGenesis.devnet ? treasuryOwners.devnet : treasuryOwners.localnet
}

function readNodes(text: string): readonly string[] {
  const urls = text
    .split(',')
    .map((one) => one.trim())
    .filter((one) => one !== '')
  const isSound = urls.every((one) => /^https?:\/\//.test(one) && URL.canParse(one))
  if (!isSound || urls.length === 0 || urls.length > mostNodes)
    throw new ConfigError(`${nodes} must be one to ${String(mostNodes)} http or https URLs, separated by commas`)
  return urls
}

function address(raw: RawSettings, setting: string, usual: string | undefined): string {
  const text = raw.text(setting) ?? usual
  if (!isSolanaAddress(text)) throw new ConfigError(`${setting} must be 32 bytes in base58`)
  return text
}

function programHash(raw: RawSettings): string {
  const text = raw.text('SVC_SOLANA_PROGRAM_HASH')
  if (text === undefined || !/^[0-9a-f]{64}$/.test(text))
    throw new ConfigError(
      `set SVC_SOLANA_PROGRAM_HASH to the SHA-256 of the channel program's code, in lower-case hex: ` +
        `metered channels trust that code and no other`,
    )
  return text
}

function paysBounties(raw: RawSettings): boolean {
  const text = raw.text('SVC_SOLANA_BOUNTIES') ?? 'off'
  if (text !== 'on' && text !== 'off') throw new ConfigError('SVC_SOLANA_BOUNTIES must be on or off')
  return text === 'on'
}

function whole(raw: RawSettings, setting: string, usual: number, most: number): number {
  const text = raw.text(setting) ?? String(usual)
  const value = Number(text)
  if (!/^\d+$/.test(text) || value < 1 || value > most)
    throw new ConfigError(`${setting} must be a whole number from 1 to ${String(most)}`)
  return value
}
