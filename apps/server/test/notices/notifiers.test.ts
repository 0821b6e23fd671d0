import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { generatePrivateKey, privateKeySigner } from '@ergon/protocols'
import { describe, expect, test } from 'vitest'
import { createXmtpNotifier, type XmtpClient } from '../../src/adapters/xmtp/xmtp-notifier.ts'
import { loadXmtp, xmtpPackage } from '../../src/adapters/xmtp/load-xmtp.ts'
import { authenticated } from '../http/live-socket.ts'
import { startTinySockets } from '../sockets/tiny-sockets.ts'
import { aNotice, notifierSuite } from './notifier-suite.ts'

const ethereum = 0

/** Plays the network, which no test reaches: it knows some wallets and keeps what they are sent. */
function recordingNetwork(known: readonly string[]): {
  readonly client: XmtpClient
  readonly sent: { readonly to: string; readonly text: string }[]
} {
  const sent: { readonly to: string; readonly text: string }[] = []
  return {
    sent,
    client: {
      canMessage: (identifiers) =>
        Promise.resolve(new Map(identifiers.map(({ identifier }) => [identifier, known.includes(identifier)]))),
      conversations: {
        createDmWithIdentifier: ({ identifier, identifierKind }) =>
          Promise.resolve({
            sendText: (text) => {
              if (identifierKind !== ethereum) throw new Error('not a wallet')
              sent.push({ to: identifier, text })
              return Promise.resolve('message')
            },
          }),
      },
    },
  }
}

describe('over sockets', () => {
  notifierSuite(async () => {
    const tiny = await startTinySockets()
    const key = generatePrivateKey()
    const client = await authenticated(tiny.url, key)
    return {
      notifier: tiny.sockets.notifier,
      reachable: privateKeySigner(key).address,
      async arrived() {
        await client.settled()
        return client
          .events()
          .filter(({ event }) => event === 'NotificationNew')
          .map(({ frame }) => JSON.stringify(frame.payload))
      },
      [Symbol.asyncDispose]: () => tiny[Symbol.asyncDispose](),
    }
  })
})

describe('over XMTP', () => {
  const reachable = `0x${'ab'.repeat(20)}`
  notifierSuite(() => {
    const { client, sent } = recordingNetwork([reachable])
    return Promise.resolve({
      notifier: createXmtpNotifier({ connect: () => Promise.resolve({ client, ethereum }), timeoutMs: 1_000 }),
      reachable,
      arrived: () => Promise.resolve(sent.filter(({ to }) => to === reachable).map(({ text }) => text)),
      [Symbol.asyncDispose]: () => Promise.resolve(),
    })
  })

  test('a network that could not be reached is tried again with the next notice', async () => {
    const { client, sent } = recordingNetwork([reachable])
    let tries = 0
    const notifier = createXmtpNotifier({
      connect: () => {
        tries += 1
        return tries === 1 ? Promise.reject(new Error('unreachable')) : Promise.resolve({ client, ethereum })
      },
      timeoutMs: 1_000,
    })
    await expect(notifier.notify(aNotice(reachable))).rejects.toThrow('unreachable')
    expect(await notifier.notify(aNotice(reachable))).toBe('told')
    expect(await notifier.notify(aNotice(reachable))).toBe('told')
    expect([tries, sent.length]).toEqual([2, 2])
  })

  test('a network that does not answer is given up in time', async () => {
    const notifier = createXmtpNotifier({ connect: () => new Promise(() => undefined), timeoutMs: 20 })
    await expect(notifier.notify(aNotice(reachable))).rejects.toThrow('did not answer within 20 ms')
  })

  const settings = { env: 'dev', key: generatePrivateKey(), dataDir: '/nowhere', storeKey: new Uint8Array(32) } as const
  test('without the library the service says what to install', async () => {
    await expect(loadXmtp(settings, () => Promise.reject(new Error('not found')))).rejects.toThrow(
      `${xmtpPackage} is not installed; run npm install ${xmtpPackage}@6.0.0`,
    )
  })

  test('the library is asked as its published types say', async () => {
    await using folder = await temporaryFolder()
    const asked: {
      readonly signer: Readonly<Record<string, unknown>>
      readonly options: Readonly<Record<string, unknown>>
    }[] = []
    const { client } = recordingNetwork([])
    const library = {
      IdentifierKind: { Ethereum: ethereum },
      Client: {
        create: (signer: Record<string, unknown>, options: Record<string, unknown>) => {
          asked.push({ signer, options })
          return Promise.resolve(client)
        },
      },
    }
    const connect = await loadXmtp({ ...settings, dataDir: folder.path }, () => Promise.resolve(library))
    expect(asked).toEqual([])
    await connect()
    const address = privateKeySigner(settings.key).address
    expect(asked[0]).toMatchObject({
      signer: { type: 'EOA' },
      options: { env: 'dev', dbPath: `${folder.path}/xmtp-dev.db3`, dbEncryptionKey: settings.storeKey },
    })
    // What the library calls.
    const signer = asked[0]?.signer as { getIdentifier(): unknown; signMessage(text: string): Promise<Uint8Array> }
    expect(signer.getIdentifier()).toEqual({ identifier: address, identifierKind: ethereum })
    expect(await signer.signMessage('hello')).toHaveLength(65)
  })
})

async function temporaryFolder(): Promise<AsyncDisposable & { readonly path: string }> {
  const path = await mkdtemp(join(tmpdir(), 'ergon-xmtp-'))
  return { path, [Symbol.asyncDispose]: () => rm(path, { recursive: true, force: true }) }
}
