import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { hexToBytes, privateKeySigner, type Hex } from '@ergon/protocols'
import { ConfigError } from '../../config/config-error.ts'
import type { XmtpClient, XmtpNotifierDeps } from './xmtp-notifier.ts'

export type XmtpSettings = {
  readonly env: 'local' | 'dev' | 'production'
  readonly key: Hex
  readonly dataDir: string
  /** Thirty-two bytes that encrypt what the client keeps on disk. */
  readonly storeKey: Uint8Array
}

type XmtpLibrary = {
  readonly IdentifierKind: { readonly Ethereum: number }
  readonly Client: { create(signer: unknown, options: unknown): Promise<XmtpClient> }
}

/** The version this was written for; an operator installs it, nobody else downloads it (decision 0067). */
export const xmtpPackage = '@xmtp/node-sdk'
const xmtpVersion = '6.0.0'

/** Loads the library now and connects later. @throws ConfigError when it is not installed */
export async function loadXmtp(
  settings: XmtpSettings,
  load: (name: string) => Promise<unknown> = (name) => import(name),
): Promise<XmtpNotifierDeps['connect']> {
  // The library's front door; what is used of it was read from its published types.
  const library = (await load(xmtpPackage).catch((cause: unknown) => {
    throw new ConfigError(
      `SVC_XMTP_ENV is set and ${xmtpPackage} is not installed; ` +
        `run npm install ${xmtpPackage}@${xmtpVersion}, or unset it`,
      { cause },
    )
  })) as XmtpLibrary
  return async () => {
    const wallet = privateKeySigner(settings.key)
    const ethereum = library.IdentifierKind.Ethereum
    const signer = {
      type: 'EOA',
      getIdentifier: () => ({ identifier: wallet.address.toLowerCase(), identifierKind: ethereum }),
      signMessage: async (message: string) => hexToBytes(await wallet.signMessage(message)),
    }
    mkdirSync(settings.dataDir, { recursive: true })
    const client = await library.Client.create(signer, {
      env: settings.env,
      dbPath: join(settings.dataDir, `xmtp-${settings.env}.db3`),
      dbEncryptionKey: settings.storeKey,
    })
    return { client, ethereum }
  }
}
