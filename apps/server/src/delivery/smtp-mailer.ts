import { createTransport } from 'nodemailer'

export type SmtpServer = {
  readonly host: string
  readonly port: number
  readonly tls: 'at once' | 'upgraded' | 'none'
  readonly login: { readonly user: string; readonly password: string } | undefined
  readonly from: string
}
export type Letter = {
  readonly to: string
  readonly subject: string
  readonly text: string
  readonly html: string
  /** Another copy of a letter has the same: mailboxes may show it once. */
  readonly messageId: string
  /** Where a post ends the subscription (RFC 8058). */
  readonly stopUrl: string
}
/** What a server said, without its words: they may name the address. */
export type SmtpFault = { readonly code: string; readonly command: string; readonly status: number | null }
/** `refused`: there is no such mailbox. `failed`: it was not sent, or nobody knows. */
export type Sent =
  | { readonly kind: 'taken' }
  | { readonly kind: 'refused'; readonly fault: SmtpFault }
  | { readonly kind: 'failed'; readonly fault: SmtpFault }
export type Mailer = Disposable & { send(letter: Letter): Promise<Sent> }

const connections = 4
/** In all, however slowly a server speaks. */
const deadlineMs = 60_000
const timeouts = { dnsTimeout: 5_000, connectionTimeout: 10_000, greetingTimeout: 10_000, socketTimeout: 20_000 }

/** Hands mail to one server over a few connections that are kept. */
export function createSmtpMailer({ host, port, tls, login, from }: SmtpServer): Mailer {
  const transport = createTransport({
    pool: true,
    host,
    port,
    secure: tls === 'at once',
    requireTLS: tls === 'upgraded',
    ignoreTLS: tls === 'none',
    ...(login === undefined ? {} : { auth: { user: login.user, pass: login.password } }),
    ...timeouts,
    maxConnections: connections,
    // What was not answered is tried again by its row, and never by the connection.
    maxRequeues: 0,
    disableFileAccess: true,
    disableUrlAccess: true,
  })
  return {
    async send({ to, subject, text, html, messageId, stopUrl }) {
      try {
        await transport.sendMail({
          from: { name: 'Ergon', address: from },
          to: { name: '', address: to },
          subject,
          text,
          html,
          messageId,
          headers: {
            'Auto-Submitted': 'auto-generated',
            'List-Unsubscribe': `<${stopUrl}>`,
            'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
          },
          signal: AbortSignal.timeout(deadlineMs),
        })
        return { kind: 'taken' }
      } catch (error) {
        return { kind: isNoMailbox(error) ? 'refused' : 'failed', fault: faultOf(error) }
      }
    },
    [Symbol.dispose]() {
      transport.close({ force: true })
    },
  }
}

/** Refused for good, and not by a rule of the server (5.7): those concern who sends (RFC 3463 §3.8). */
function isNoMailbox(error: unknown): boolean {
  const { command, status } = faultOf(error)
  return (
    command === 'RCPT TO' && status !== null && status >= 500 && !/^\d{3}[ -]5\.7\./.test(wordOf(error, 'response'))
  )
}

function faultOf(error: unknown): SmtpFault {
  const status = Number(wordOf(error, 'responseCode'))
  return { code: wordOf(error, 'code'), command: wordOf(error, 'command'), status: status > 0 ? status : null }
}

function wordOf(error: unknown, name: string): string {
  const value: unknown = error instanceof Error ? Reflect.get(error, name) : undefined
  return typeof value === 'string' || typeof value === 'number' ? String(value) : ''
}
