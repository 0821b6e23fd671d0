import { createInterface } from 'node:readline/promises'
import { isAddress, lowerAddress, type Address, type Signer } from '@ergon/protocols'
import { createClient, type Client } from '@ergon/sdk'
import { CliError, usageError } from './cli-error.ts'
import { createProgress } from './progress.ts'
import { readPassphrase } from './profile/passphrase.ts'
import { openProfileStore, type Profile, type ProfileStore } from './profile/profile-store.ts'
import { fileSigner, outsideSigner } from './profile/signers.ts'

export type Env = Readonly<Record<string, string | undefined>>
/** The switches that concern every command. */
export type Manner = {
  readonly profile?: string | undefined
  readonly url?: string | undefined
  readonly json: boolean
  readonly quiet: boolean
  readonly yes: boolean
}

/** What a command acts with: the profile, the wallet and the service, each opened when it is asked for. */
export interface Session {
  readonly env: Env
  readonly manner: Manner
  readonly profiles: ProfileStore
  readonly profileName: string
  /** @throws CliError when there is no profile */
  profile(): Profile
  url(): string
  signer(): Signer
  /** Signs every request. @throws CliError when there is no profile */
  client(): Client
  /** Signs when there is a wallet: a party sees more of its own. */
  reader(): Client
  passphrase(prompt: string): Promise<string>
  /** Says on a terminal what lasts, until something else is written. */
  progress(line: string): void
  /** Wipes what `progress` said. */
  settle(): void
  /** A line of output before the command ends: an event of a tail. */
  emit(line: string): void
  /** @throws CliError when the answer is no, or when there is nobody to ask */
  confirm(question: string): Promise<void>
  readonly stopped: AbortSignal
}

export function createSession(env: Env, manner: Manner, stopped: AbortSignal): Session {
  const profiles = openProfileStore(env)
  const profileName = manner.profile ?? env['ERGON_PROFILE'] ?? profiles.read().current ?? 'default'
  const profile = (): Profile => profiles.get(profileName)
  const known = (): Profile | undefined => profiles.read().profiles[profileName]
  const url = (): string => requireUrl(manner.url ?? env['ERGON_URL'] ?? profile().url)
  const progress = createProgress(process.stderr, Date.now)
  const passphrase = (prompt: string): Promise<string> => {
    progress.clear()
    return readPassphrase(env, prompt)
  }
  let signer: Signer | undefined
  const wallet = (): Signer =>
    (signer ??= signerOf(profile(), profiles.keyFile(profileName), () => passphrase(`Passphrase of ${profileName}: `)))
  return {
    env,
    manner,
    profiles,
    profileName,
    profile,
    url,
    passphrase,
    stopped,
    signer: wallet,
    client: () => createClient({ baseUrl: url(), signer: wallet() }),
    reader: () => createClient({ baseUrl: url(), ...(known() === undefined ? {} : { signer: wallet() }) }),
    progress(line) {
      if (!manner.quiet) progress.say(line)
    },
    settle: progress.clear,
    emit(line) {
      progress.clear()
      process.stdout.write(`${line}\n`)
    },
    confirm: (question) => confirm(question, manner),
  }
}

/** @throws CliError when it is no address of a service */
export function requireUrl(text: string): string {
  if (!/^https?:\/\/[^\s?#]+$/.test(text) || !URL.canParse(text)) throw usageError(`${text} is no http address`)
  return text.replace(/\/+$/, '')
}

function signerOf(profile: Profile, keyFile: string, passphrase: () => Promise<string>): Signer {
  const address = addressOf(profile)
  return profile.signer === 'file' ? fileSigner(keyFile, address, passphrase) : outsideSigner(profile.signer, address)
}

function addressOf(profile: Profile): Address {
  if (!isAddress(profile.address))
    throw usageError('the profile names no wallet', 'Make it again with ergon init --force.')
  return lowerAddress(profile.address)
}

async function confirm(question: string, { yes }: Manner): Promise<void> {
  if (yes) return
  if (!process.stdin.isTTY) throw usageError(`there is no terminal to ask at: ${question}`, 'Say --yes.')
  const terminal = createInterface({ input: process.stdin, output: process.stderr })
  const answer = await terminal.question(`${question} [y/N] `).finally(() => {
    terminal.close()
  })
  if (!/^y(es)?$/i.test(answer.trim()))
    throw new CliError('interrupted', 'DECLINED', 'not done', 'Run it again and answer y.')
}
