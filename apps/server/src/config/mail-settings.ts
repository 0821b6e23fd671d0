import { isMailAddress } from '@ergon/contract/facts'
import { isLoopback } from '@ergon/protocols'
import { ConfigError } from './config-error.ts'
import type { RawSettings } from './env.ts'
import { valueOf } from './value-of.ts'

/** Where mail is handed over, and as whose. */
export type MailSettings = {
  readonly host: string
  readonly port: number
  /** From the first byte on, or else after STARTTLS, or not at all, which is for this machine alone. */
  readonly tls: 'at once' | 'upgraded' | 'none'
  readonly from: string
  /** Mails in an hour, in all. */
  readonly perHour: number
}
export type MailLogin = { readonly user: string; readonly password: string }

/** Off unless a server is set. @throws ConfigError without ever repeating the URL, which holds a password */
export function decideMail(raw: RawSettings): MailSettings | null {
  const url = mailUrl(raw)
  if (url === null) {
    const orphan = raw.names.find((name) => /^SVC_MAIL_/.test(name))
    if (orphan !== undefined) throw new ConfigError(`${orphan} is set and SVC_MAIL_URL is not`)
    return null
  }
  const isTls = url.protocol === 'smtps:'
  const from = raw.text('SVC_MAIL_FROM')
  if (from === undefined) throw new ConfigError('SVC_MAIL_URL is set and SVC_MAIL_FROM is not')
  if (!isMailAddress(from)) throw new ConfigError('SVC_MAIL_FROM must be one address, such as notices@market.example')
  return {
    host: url.hostname.replace(/^\[|\]$/g, ''),
    port: url.port === '' ? (isTls ? 465 : 587) : Number(url.port),
    tls: isTls ? 'at once' : isLoopback(url.hostname) ? 'none' : 'upgraded',
    from,
    perHour: perHourOf(raw),
  }
}

/** Undefined where the server asks for none. @throws ConfigError */
export function readMailLogin(raw: RawSettings): MailLogin | undefined {
  const url = mailUrl(raw)
  if (url === null || url.username === '') return undefined
  try {
    return { user: decodeURIComponent(url.username), password: decodeURIComponent(url.password) }
  } catch (cause) {
    throw new ConfigError('SVC_MAIL_URL: write the signs of user and password as in a URL, % as %25', { cause })
  }
}

function mailUrl(raw: RawSettings): URL | null {
  const text = valueOf(raw, 'SVC_MAIL_URL')
  if (text === undefined) return null
  // Where URL does not know the scheme it leaves the host as it is, so a known scheme takes its place.
  const [, scheme, rest = ''] = /^(smtps?):\/\/(.+)$/.exec(text) ?? []
  if (scheme === undefined || !URL.canParse(`https://${rest}`))
    throw new ConfigError('SVC_MAIL_URL must be smtps://user:password@host, or smtp:// for STARTTLS')
  const { username, password, hostname, pathname, search, hash } = new URL(`https://${rest}`)
  if (pathname !== '/' || search !== '' || hash !== '')
    throw new ConfigError('SVC_MAIL_URL must end with the host or its port')
  if ((username === '') !== (password === ''))
    throw new ConfigError('SVC_MAIL_URL must name user and password, or neither')
  return new URL(`${scheme}://${rest.slice(0, rest.lastIndexOf('@') + 1)}${hostname}${portOf(rest)}`)
}

const portOf = (rest: string): string => /:\d{1,5}(?=\/?$)/.exec(rest)?.[0] ?? ''

function perHourOf(raw: RawSettings): number {
  const given = raw.text('SVC_MAIL_PER_HOUR') ?? '500'
  if (!/^[1-9]\d{0,6}$/.test(given)) throw new ConfigError('SVC_MAIL_PER_HOUR must be a whole number from 1 to 9999999')
  return Number(given)
}
