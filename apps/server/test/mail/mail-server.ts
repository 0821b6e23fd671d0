import { createServer, type AddressInfo, type Socket } from 'node:net'
import { createInterface } from 'node:readline'
import { createSecureContext, createServer as createTlsServer, TLSSocket } from 'node:tls'

export type Received = { readonly from: string; readonly to: readonly string[]; readonly data: string }
/** A server that takes mail (RFC 5321), and does what it is told to instead. */
export type MailServer = AsyncDisposable & {
  readonly port: number
  readonly url: string
  readonly received: Received[]
  /** Every line that a client said outside of mails. */
  readonly said: string[]
  /** Answers a login instead of 235. */
  login: string
  /** Answers a recipient instead of 250. */
  recipient: string
  /** Keeps the mail and hangs up instead of answering. */
  losesAnswers: boolean
}

/** Settings of a deployment that sends mail, to a server that nobody started. */
export const mailNowhere = { SVC_MAIL_URL: 'smtp://127.0.0.1:9', SVC_MAIL_FROM: 'notices@market.test' } as const
/** What a person sends to have notices mailed to an address of this name. */
export const mailFields = (name: string) => ({
  address: `${name}@mail.test`,
  kinds: ['application', 'work', 'money', 'message'],
  language: 'es',
})

/** How a server speaks TLS, and with what. */
export type MailTls = { readonly as: 'at once' | 'upgraded'; readonly key: string; readonly cert: string }

export async function startMailServer(tls?: MailTls): Promise<MailServer> {
  const received: Received[] = []
  const said: string[] = []
  const told = { login: '235 welcome', recipient: '250 ok', losesAnswers: false }
  const server = Object.assign(told, { received, said })
  const sockets = new Set<Socket>()
  const welcome = (socket: Socket): void => {
    sockets.add(socket)
    socket.on('close', () => sockets.delete(socket)).on('error', () => undefined)
    talk(socket, server, tls?.as === 'upgraded' ? tls : undefined)
  }
  const listener = tls?.as === 'at once' ? createTlsServer(tls, welcome) : createServer(welcome)
  await new Promise<void>((resolve) => {
    listener.listen(0, '127.0.0.1', resolve)
  })
  const { port } = listener.address() as AddressInfo // it listens on a port
  return Object.assign(server, {
    port,
    url: `smtp://127.0.0.1:${String(port)}`,
    [Symbol.asyncDispose]: () =>
      new Promise<void>((resolve) => {
        for (const socket of sockets) socket.destroy()
        listener.close(() => {
          resolve()
        })
      }),
  })
}

type Told = Pick<MailServer, 'received' | 'said' | 'login' | 'recipient' | 'losesAnswers'>

/** `upgrade`: what the connection is made secure with, once the client asks for it (RFC 3207). */
function talk(socket: Socket, server: Told, upgrade?: MailTls, isGreeted = false): void {
  let [from, to, data]: [string, string[], string[] | null] = ['', [], null]
  const say = (line: string): void => {
    socket.write(`${line}\r\n`)
  }
  const addressIn = (line: string): string => /<(.*)>/.exec(line)?.[1] ?? ''
  const command = (line: string): void => {
    server.said.push(line)
    const verb = line.slice(0, 4).toUpperCase()
    if (verb === 'MAIL') [from, to] = [addressIn(line), []]
    if (verb === 'RCPT' && server.recipient.startsWith('2')) to.push(addressIn(line))
    if (verb === 'DATA') data = []
    if (verb === 'STAR' && upgrade !== undefined) return secure(upgrade)
    if (verb === 'EHLO') say(extensionsOf(upgrade))
    else if (verb === 'AUTH') say(server.login)
    else if (verb === 'RCPT') say(server.recipient)
    else if (verb === 'DATA') say('354 go on')
    else say(verb === 'QUIT' ? '221 bye' : '250 ok')
  }
  const secure = (offered: MailTls): void => {
    say('220 go on')
    lines.close()
    socket.removeAllListeners('data')
    const secured = new TLSSocket(socket, { isServer: true, secureContext: createSecureContext(offered) })
    secured.on('error', () => undefined)
    talk(secured, server, undefined, true)
  }
  if (!isGreeted) say('220 mail.test')
  const lines = createInterface({ input: socket, crlfDelay: Infinity }).on('error', () => undefined)
  lines.on('line', (line) => {
    if (data === null) command(line)
    else if (line === '.') {
      server.received.push({ from, to, data: data.join('\r\n') })
      data = null
      if (server.losesAnswers) socket.destroy()
      else say('250 taken')
    } else data.push(line.replace(/^\./, ''))
  })
}

const extensionsOf = (upgrade: MailTls | undefined): string =>
  `250-mail.test\r\n250-8BITMIME\r\n250 ${upgrade === undefined ? 'AUTH PLAIN' : 'STARTTLS'}`

/** What a reader of a mail sees: its headers, unfolded, and the text of its first part. */
export function readMail({ data }: Received) {
  const [head = '', ...rest] = data.split('\r\n\r\n')
  const headers = new Map(
    head
      .replaceAll(/\r\n[ \t]+/g, ' ')
      .split('\r\n')
      .map((line) => [line.slice(0, line.indexOf(':')).toLowerCase(), line.slice(line.indexOf(':') + 1).trim()]),
  )
  const body = unquoted(rest.join('\r\n\r\n'))
  return { headers, body, links: [...body.matchAll(/https?:\/\/[^\s"<]+/g)].map(([link]) => link) }
}

function unquoted(text: string): string {
  const bytes = text
    .replaceAll('=\r\n', '')
    .replaceAll(/=([0-9A-F]{2})/g, (_all, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)))
  return Buffer.from(bytes, 'latin1').toString('utf8')
}
