import { spawn } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { text } from 'node:stream/consumers'
import {
  bytesToHex,
  isAddress,
  lowerAddress,
  privateKeySigner,
  type Address,
  type Hex,
  type SignedAuthorization,
  type Signer,
} from '@ergon/protocols'
import { CliError } from '../cli-error.ts'
import { openKey, readKeystore } from './keystore.ts'

type Ask = (method: string, params: unknown) => Promise<unknown>
const patienceMs = 60_000

/** The key stays sealed until something is to be signed, and is opened once. */
export function fileSigner(file: string, address: Address, passphrase: () => Promise<string>): Signer {
  let opened: Promise<Required<Signer>> | undefined
  const open = (): Promise<Required<Signer>> => (opened ??= openFile(file, address, passphrase))
  return {
    address,
    signMessage: async (message) => (await open()).signMessage(message),
    signTypedData: async (data) => (await open()).signTypedData(data),
    signAuthorization: async (authorization) => (await open()).signAuthorization(authorization),
  }
}

async function openFile(file: string, address: Address, passphrase: () => Promise<string>): Promise<Required<Signer>> {
  const store = readKeystore(readKeyFile(file))
  const signer = privateKeySigner(await openKey(store, await passphrase()))
  if (lowerAddress(signer.address) !== lowerAddress(address))
    throw new CliError(
      'auth',
      'KEY_FILE_UNREADABLE',
      'the key file holds the key of another wallet than the profile names',
      'Restore the key file of this profile.',
    )
  return signer
}

function readKeyFile(file: string): string {
  try {
    return readFileSync(file, 'utf8')
  } catch (cause) {
    throw new CliError(
      'auth',
      'KEY_FILE_UNREADABLE',
      `the key file ${file} cannot be read`,
      'Restore it from a copy, or make another key with ergon init.',
      { cause },
    )
  }
}

/**
 * A wallet behind a command or an address: each request is one JSON object, `{ method, params }`, answered by `{ result
 * }` or `{ error }`.
 */
export function outsideSigner(where: string, address: Address): Signer {
  const ask = askerOf(where)
  return {
    address,
    signMessage: async (message) =>
      hexOf(await ask('signMessage', typeof message === 'string' ? { message } : { bytes: bytesToHex(message) })),
    signTypedData: async (typed_data) => hexOf(await ask('signTypedData', { typed_data })),
    signAuthorization: async (authorization) => authorizationOf(await ask('signAuthorization', authorization)),
  }
}

/** Which wallet the outside signer signs for. */
export async function askAddress(where: string): Promise<Address> {
  const address = await askerOf(where)('address', {})
  if (typeof address !== 'string' || !isAddress(address)) throw refusal('it named no address')
  return lowerAddress(address)
}

function askerOf(where: string): Ask {
  if (where.startsWith('exec:')) return (method, params) => askCommand(where.slice('exec:'.length), { method, params })
  return (method, params) => askServer(where.slice('http:'.length), { method, params })
}

/** The command line is split at spaces and run without a shell. */
async function askCommand(line: string, request: unknown): Promise<unknown> {
  const [command = '', ...words] = line.split(' ').filter((word) => word !== '')
  const child = spawn(command, words, { stdio: ['pipe', 'pipe', 'inherit'], timeout: patienceMs })
  const ended = new Promise<number | null>((resolve, reject) => child.once('error', reject).once('close', resolve))
  // A command that ends without reading its input breaks the pipe; its exit code says what happened.
  child.stdin.on('error', () => undefined).end(JSON.stringify(request, plain))
  const [code, out] = await Promise.all([ended, text(child.stdout)]).catch((cause: unknown) => {
    throw refusal(`${command} cannot be run`, cause)
  })
  if (code !== 0) throw refusal(`${command} ended with ${String(code)}`)
  return resultOf(out)
}

async function askServer(url: string, request: unknown): Promise<unknown> {
  const response = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(request, plain),
    redirect: 'error',
    signal: AbortSignal.timeout(patienceMs),
  }).catch((cause: unknown) => {
    throw refusal('it does not answer', cause)
  })
  return resultOf(await response.text())
}

function resultOf(answer: string): unknown {
  try {
    const read: unknown = JSON.parse(answer)
    if (typeof read === 'object' && read !== null && 'result' in read) return read.result
    if (typeof read === 'object' && read !== null && 'error' in read) throw refusal(String(read.error))
  } catch (error) {
    if (error instanceof CliError) throw error
  }
  throw refusal('its answer is no JSON object with result or error')
}

function hexOf(value: unknown): Hex {
  if (typeof value !== 'string' || !/^0x[0-9a-f]+$/i.test(value)) throw refusal('it answered no signature')
  // The pattern above is the type.
  return value as Hex
}

function authorizationOf(value: unknown): SignedAuthorization {
  if (typeof value !== 'object' || value === null || !('r' in value) || !('s' in value) || !('yParity' in value))
    throw refusal('it answered no authorization')
  // The service holds every member against the account; a wrong one is refused there.
  return value as SignedAuthorization
}

function refusal(why: string, cause?: unknown): CliError {
  return new CliError(
    'auth',
    'SIGNER_REFUSED',
    `the outside signer did not sign: ${why}`,
    'See what the signer says; the profile names it (ergon config show).',
    { cause },
  )
}

/** JSON has no integers of this size; they travel as decimal text. */
function plain(_: string, value: unknown): unknown {
  return typeof value === 'bigint' ? String(value) : value
}
