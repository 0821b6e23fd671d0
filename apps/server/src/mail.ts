import type { DueMail, Market } from '@ergon/core'
import type { Pool } from 'pg'
import { createMailBudget, createMailSubscriptions, type MailLimits } from './adapters/postgres/index.ts'
import type { MailNotices } from './api/mail.ts'
import type { Config } from './config/config.ts'
import type { Secrets } from './config/secrets.ts'
import { createMailFaults } from './delivery/mail-faults.ts'
import { createMailLinks } from './delivery/mail-links.ts'
import { createMailNotices } from './delivery/mail-notices.ts'
import { createSmtpMailer, type SmtpFault } from './delivery/smtp-mailer.ts'
import { createWalletTeller } from './delivery/wallet-teller.ts'
import type { EventRelay } from './events/event-relay.ts'
import type { ProcessLog } from '@ergon/process'
import { keyFor } from './surroundings/key-for.ts'
import type { MailPages } from './transports/mail-pages.ts'

export type Mail = MailNotices &
  MailPages['acts'] & {
    /** Begins mailing what is due; answers how much. */
    begin(): Promise<number>
    /** Whether the server for mail has taken none for a while. */
    isRefused(): boolean
  }

type Base = {
  readonly config: Pick<Config, 'baseUrl' | 'mail'>
  readonly secrets: Pick<Secrets, 'secret' | 'mailLogin'>
  readonly log: ProcessLog
  readonly now: () => Date
  readonly parts: AsyncDisposableStack
  readonly pool: Pool
}

const quietMs = 900_000
/** A stranger may name any mailbox, so it hears little before its owner has spoken. */
const limitsOf = (perHour: number): Readonly<Record<'confirmation' | 'notice', MailLimits>> => ({
  confirmation: { perWallet: 5, perMailbox: 3, perHour: Math.ceil(perHour / 4) },
  notice: { perWallet: 48, perMailbox: 96, perHour },
})

/** Notices by mail, wired; null where no server for mail is set. */
export function openMail(
  { config, secrets, log, now, parts, pool }: Base,
  market: Market,
  relay: EventRelay,
): Mail | null {
  if (config.mail === null) return null
  const { perHour, ...server } = config.mail
  const own = parts.use(new AsyncDisposableStack())
  const subscriptions = createMailSubscriptions(pool)
  const budget = createMailBudget(pool, { key: keyFor(secrets.secret, 'mail budget'), limits: limitsOf(perHour), now })
  const links = createMailLinks(keyFor(secrets.secret, 'mail links'), config.baseUrl)
  const mailer = own.use(createSmtpMailer({ ...server, login: secrets.mailLogin }))
  const faults = createMailFaults(() => now().getTime())
  const onError = (error: unknown): void => {
    log.error({ err: error }, 'a notice could not be mailed')
  }
  own.use(createWalletTeller(relay, subscriptions, onError))
  const notices = createMailNotices({
    subscriptions,
    market,
    mailer: {
      async send(letter) {
        const sent = await mailer.send(letter)
        faults.note(sent)
        return sent
      },
    },
    links,
    room: (due: DueMail) => budget.take('notice', due),
    origin: new URL(config.baseUrl).origin,
    quietMs,
    random: Math.random,
    onFault: sayFaults(log, now),
    onError,
    // What waits for room is looked for once a second.
    onRoom: () => undefined,
  })
  own.defer(() => notices.settled())
  return {
    subscriptions,
    roomToAsk: (addressee) => budget.take('confirmation', addressee),
    async confirm(token) {
      const id = links.idOf('confirm', token)
      return id !== null && (await subscriptions.confirm(id, await market.eventHorizon()))
    },
    async stop(token) {
      const id = links.idOf('stop', token)
      return id !== null && (await subscriptions.stop(id))
    },
    begin: () => notices.begin(),
    isRefused: () => faults.isRefusing(),
  }
}

/** Forgets who did not confirm in time, whether or not mail is sent now; answers how many. */
export const forgetUnconfirmed = (pool: Pool, most: number): Promise<number> =>
  createMailSubscriptions(pool).forget(most)

/** A server that is away fails every mail; the log needs to hear it once a minute. */
function sayFaults(log: ProcessLog, now: () => Date): (fault: SmtpFault) => void {
  let saidAt = 0
  return (fault) => {
    if (now().getTime() - saidAt < 60_000) return
    saidAt = now().getTime()
    log.warn({ fault }, 'the mail server did not take a mail')
  }
}
