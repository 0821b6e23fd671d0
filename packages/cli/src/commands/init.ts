import { existsSync, readFileSync, statSync } from 'node:fs'
import { networks, generatePrivateKey, privateKeySigner, type Hex } from '@ergon/protocols'
import { CliError, usageError } from '../cli-error.ts'
import type { Command } from '../command.ts'
import { openKey, readKeystore, sealKey } from '../profile/keystore.ts'
import { requireProfileName } from '../profile/profile-store.ts'
import { askAddress } from '../profile/signers.ts'
import { requireUrl, type Session } from '../session.ts'

const localUrl = 'http://127.0.0.1:4020'
const mostKeyBytes = 65_536

export const init: Command = {
  words: ['init'],
  about: 'Make a wallet and a profile; the key stays in an encrypted file of yours.',
  options: {
    signer: { value: 'WHERE', about: 'Sign elsewhere: exec:<command> or http:<url>; no key is made.' },
    import: {
      value: 'FILE',
      about: 'Take a key that is there: a version 3 key file of another wallet, or 64 hex digits.',
    },
    network: {
      value: 'NAME',
      about: 'Where tasks are paid unless a task says otherwise.',
      among: Object.keys(networks),
    },
    rpc: { value: 'URL', about: 'A node of that network, for balances (ERGON_RPC_URL).' },
    force: { about: 'Replace the profile of this name, its key included.' },
  },
  examples: [
    'ergon init --url http://127.0.0.1:4020 --network localnet',
    'ergon init --import ./keystore.json',
    'ergon init --profile treasury --signer exec:/usr/local/bin/sign',
  ],
  async run(call, session) {
    const name = requireProfileName(session.profileName)
    const { profiles, manner, env } = session
    const where = call.text('signer')
    if (where !== undefined && !/^(exec:.|http:https?:\/\/.)/.test(where))
      throw usageError('--signer must be exec:<command> or http:<url>')
    if (!call.is('force') && (profiles.read().profiles[name] !== undefined || existsSync(profiles.keyFile(name)))) {
      throw new CliError(
        'conflict',
        'PROFILE_EXISTS',
        `there is a profile ${name} already`,
        'Go on with it, choose another --profile, or replace it and its key with --force.',
      )
    }
    if (call.is('force') && existsSync(profiles.keyFile(name)))
      await session.confirm(`Replace the key of ${name}? What it holds can then be moved only with a copy of that key.`)
    const url = requireUrl(manner.url ?? env['ERGON_URL'] ?? localUrl)
    const imported = call.text('import')
    if (where !== undefined && imported !== undefined)
      throw usageError('--import and --signer exclude each other', 'A key is either here or elsewhere.')
    const address =
      where !== undefined
        ? await askAddress(where)
        : imported === undefined
          ? await keep(session, name, generatePrivateKey())
          : await take(session, name, imported)
    const network = call.text('network')
    const rpc = call.text('rpc')
    const profile = {
      url,
      address,
      signer: where ?? 'file',
      ...(network === undefined ? {} : { network }),
      ...(rpc === undefined ? {} : { rpc_url: requireUrl(rpc) }),
    }
    profiles.put(name, profile)
    const key_file = where === undefined ? profiles.keyFile(name) : null
    return {
      data: { profile: name, ...profile, key_file },
      brief: address,
      lines: [
        `Profile ${name}: ${address}`,
        `  service  ${url}`,
        key_file === null
          ? `  signer   ${profile.signer}`
          : `  key      ${key_file}, encrypted; without its passphrase nobody opens it, you included`,
      ],
    }
  },
}

/** Seals a key with a passphrase that is asked for, twice where a person types it. */
async function keep(session: Session, name: string, key: Hex): Promise<string> {
  const passphrase = await session.passphrase(`Passphrase for the key of ${name}: `)
  if (passphrase === '') throw usageError('the passphrase is empty', 'Choose one; it is all that protects the file.')
  if (
    session.env['ERGON_PASSPHRASE'] === undefined &&
    session.env['ERGON_PASSPHRASE_FILE'] === undefined &&
    (await session.passphrase('Once more: ')) !== passphrase
  )
    throw usageError('the two passphrases differ', 'Run it again.')
  session.profiles.writeKey(name, `${JSON.stringify(await sealKey(key, passphrase), null, 2)}\n`)
  return privateKeySigner(key).address.toLowerCase()
}

/**
 * A key file is opened once, so that nobody keeps one that they cannot open, and stays sealed as it is; bare digits are
 * sealed.
 */
async function take(session: Session, name: string, path: string): Promise<string> {
  const text = readText(path)
  const [, digits] = /^\s*(?:0x)?([0-9a-f]{64})\s*$/i.exec(text) ?? []
  if (digits !== undefined) return keep(session, name, requireKey(`0x${digits.toLowerCase()}`))
  const key = await openKey(readKeystore(text), await session.passphrase(`Passphrase of ${path}: `))
  session.profiles.writeKey(name, `${text.trim()}\n`)
  return privateKeySigner(key).address.toLowerCase()
}

/** Zero and what is beyond the order of the curve are no keys. */
function requireKey(key: Hex): Hex {
  try {
    privateKeySigner(key)
    return key
  } catch {
    throw usageError('these digits are no private key')
  }
}

function readText(path: string): string {
  try {
    if (statSync(path).size <= mostKeyBytes) return readFileSync(path, 'utf8')
  } catch {
    throw usageError(`${path} cannot be read`)
  }
  throw usageError(`${path} is too large for a key`)
}
