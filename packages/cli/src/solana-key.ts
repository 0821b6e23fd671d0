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

/** Makes a key, and never over another one. @throws CliError when there is one */
export function writeNewKey(path: string): string {
  const seed = crypto.getRandomValues(new Uint8Array(32))
  const key = ed25519KeyOf(seed)
  try {
    writeFileSync(path, JSON.stringify([...seed, ...key]), { mode: 0o600, flag: 'wx' })
  } catch (cause) {
    throw usageError(`${path} cannot be made: ${messageOf(cause)}`, 'Name another file.')
  }
  return toBase58(key)
}

/** 64 numbers: the seed, and the public key that follows from it. */
function readSeed(path: string): Uint8Array {
  let read: unknown
  try {
    read = JSON.parse(readFileSync(path, 'utf8'))
  } catch (cause) {
    throw usageError(`${path} cannot be read: ${messageOf(cause)}`, 'Make one with: ergon channel key FILE')
  }
  const isKey =
    Array.isArray(read) && read.length === 64 && read.every((one) => Number.isInteger(one) && one >= 0 && one <= 255)
  const bytes = Uint8Array.from(isKey ? (read as readonly number[]) : []) // looked at in the line above
  const seed = bytes.slice(0, 32)
  if (!isKey || ed25519KeyOf(seed).some((byte, at) => byte !== bytes[32 + at]))
    throw usageError(
      `${path} holds no key of Solana`,
      'It is a list of 64 numbers; make one with: ergon channel key FILE',
    )
  return seed
}

const messageOf = (cause: unknown): string => (cause instanceof Error ? cause.message : String(cause))
