import { readFileSync, writeFileSync } from 'node:fs'
import { ed25519KeyOf, toBase58 } from '@ergon/protocols'
import { solanaSeedSigner, type SolanaSigner } from '@ergon/sdk'
import { usageError } from './cli-error.ts'
import type { Call, OptionSpec } from './command.ts'
import type { Session } from './session.ts'

/** Names the file of a key on Solana. */
export const keyOption: OptionSpec = {
  value: 'FILE',
  about: "The key on Solana: a file as Solana's own tools write it (ERGON_SOLANA_KEY).",
}

/** Where the key of this call is. @throws CliError when none is named */
export function keyPath(call: Call, session: Session): string {
  const path = call.text('key') ?? session.env['ERGON_SOLANA_KEY']
  if (path === undefined)
    throw usageError('the key on Solana is not known', 'Name its file: --key, or ERGON_SOLANA_KEY.')
  return path
}

/** The key that `--key` or the surroundings name. @throws CliError when it cannot be read */
export function solanaKey(call: Call, session: Session): SolanaSigner {
  const path = keyPath(call, session)
  return solanaSeedSigner(readSeed(path))
}

/** Makes a key, and never over another one: a key that is there is the answer. @throws CliError for any other file */
export function makeKey(path: string): { readonly address: string; readonly isNew: boolean } {
  const seed = crypto.getRandomValues(new Uint8Array(32))
  const key = ed25519KeyOf(seed)
  try {
    writeFileSync(path, JSON.stringify([...seed, ...key]), { mode: 0o600, flag: 'wx' })
  } catch (cause) {
    if (cause instanceof Error && 'code' in cause && cause.code === 'EEXIST')
      return {
        address: toBase58(ed25519KeyOf(readSeed(path, 'Name another file; this one is left alone.'))),
        isNew: false,
      }
    throw usageError(`${path} cannot be made: ${messageOf(cause)}`, 'Name another file.')
  }
  return { address: toBase58(key), isNew: true }
}

/** 64 numbers: the seed, and the public key that follows from it. `help` is for a file that holds none. */
function readSeed(path: string, help = 'Make one with: ergon channel key FILE'): Uint8Array {
  let read: unknown
  try {
    read = JSON.parse(readFileSync(path, 'utf8'))
  } catch (cause) {
    throw usageError(`${path} cannot be read: ${messageOf(cause)}`, help)
  }
  const isKey =
    Array.isArray(read) && read.length === 64 && read.every((one) => Number.isInteger(one) && one >= 0 && one <= 255)
  const bytes = Uint8Array.from(isKey ? (read as readonly number[]) : []) // looked at in the line above
  const seed = bytes.slice(0, 32)
  if (!isKey || ed25519KeyOf(seed).some((byte, at) => byte !== bytes[32 + at]))
    throw usageError(`${path} holds no key of Solana, which is a list of 64 numbers`, help)
  return seed
}

const messageOf = (cause: unknown): string => (cause instanceof Error ? cause.message : String(cause))
