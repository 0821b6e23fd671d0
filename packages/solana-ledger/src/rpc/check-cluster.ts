import { createHash } from 'node:crypto'
import { tokenProgram } from '@ergon/channels'
import { toBase58 } from '@ergon/protocols'
import { localKeys } from '../embedded/local-keys.ts'
import { readMint } from '../embedded/token-data.ts'
import type { ClusterAccount } from './rpc-ledger.ts'

/** The clusters that are known by name, by the hash of their first block. */
export const clusterGenesis = {
  mainnet: '5eykt4UsFv8P8NJdTREpY1vzqKqZKvdpKuc147dw2N9d',
  devnet: 'EtWTRABZaYq6iMfeYKouRu166VU2xqa1wcaWoxPkrZBG',
  testnet: '4uhcVJyU9pJkvQyS88uRDiswHXSGkY3zQawwpjk2NsNY',
} as const
export type ClusterName = keyof typeof clusterGenesis

/** What a deployment says it uses, checked before anything is signed. */
export type ClusterTerms = {
  readonly programId: string
  /** SHA-256, in hex, of the program's code without the zeros behind it: `codeHash`. */
  readonly programHash: string
  readonly mint: string
  /** Addresses of the keys that will sign. */
  readonly keys: readonly string[]
}

const plainLoaders = ['BPFLoader2111111111111111111111111111111111', 'BPFLoader1111111111111111111111111111111111']
const upgradeableLoader = 'BPFLoaderUpgradeab1e11111111111111111111111'
const programTag = 2
const programDataTag = 3
const programDataHeader = 45
const mintDecimals = 6

/** The hash of a program's code. A loader keeps room behind the code, so zeros at its end count for nothing. */
export function codeHash(code: Uint8Array): string {
  const end = code.findLastIndex((byte) => byte !== 0) + 1
  return createHash('sha256').update(code.subarray(0, end)).digest('hex')
}

/**
 * Holds a deployment's settings against what the cluster has: the program is there, runs, and is the code that was
 * looked at; the mint is SPL Token's, with six decimals; no key is one that anybody knows.
 *
 * @throws Error with the setting that is wrong; whatever the ledger throws when it cannot be read.
 */
export async function checkCluster(
  ledger: { clusterAccount(address: string): Promise<ClusterAccount | null> },
  terms: ClusterTerms,
): Promise<void> {
  const known = Object.values(localKeys).find(({ address }) => terms.keys.includes(address))
  if (known !== undefined)
    throw new Error(`the key of ${known.address} is the embedded ledger's, and public: make one of your own`)
  const program = await ledger.clusterAccount(terms.programId)
  if (program === null) throw new Error(`the cluster has no program ${terms.programId}`)
  if (!program.executable) throw new Error(`${terms.programId} is an account, not a program`)
  const found = codeHash(await codeOf(ledger, program))
  if (found !== terms.programHash)
    throw new Error(`the code of ${terms.programId} has the hash ${found}, not ${terms.programHash}`)
  const mint = await ledger.clusterAccount(terms.mint)
  const decimals = mint?.owner === tokenProgram ? readMint(mint.data)?.decimals : undefined
  if (decimals === undefined) throw new Error(`${terms.mint} is no mint of SPL Token on this cluster`)
  if (decimals !== mintDecimals) throw new Error(`the mint ${terms.mint} has ${decimals} decimals, not ${mintDecimals}`)
}

async function codeOf(
  ledger: { clusterAccount(address: string): Promise<ClusterAccount | null> },
  { owner, data }: ClusterAccount,
): Promise<Uint8Array> {
  if (plainLoaders.includes(owner)) return data
  if (owner !== upgradeableLoader || data[0] !== programTag || data.length !== 36)
    throw new Error(`a program of the loader ${owner} cannot be checked`)
  const behind = await ledger.clusterAccount(toBase58(data.subarray(4)))
  if (behind?.owner !== upgradeableLoader || behind.data[0] !== programDataTag)
    throw new Error('the program has no code on this cluster')
  return behind.data.subarray(programDataHeader)
}
