import { createHash } from 'node:crypto'
import type { DueMail, MailSubscriptions } from '@ergon/core'
import { createDeliveryEngine, type DeliveryEngine, type EngineOptions } from './engine.ts'
import type { MailLinks } from './mail-links.ts'
import { confirmationLetter, noticeLetter, type LetterText } from './mail-words.ts'
import { stayOrGo, tellNewest, type NoticeRounds, type NoticeStep } from './notice-rounds.ts'
import type { Notice } from './notice-words.ts'
import type { Mailer, SmtpFault } from './smtp-mailer.ts'

export type MailNoticesDeps = EngineOptions & {
  readonly subscriptions: MailSubscriptions
  readonly market: NoticeRounds<DueMail>['market']
  readonly mailer: Pick<Mailer, 'send'>
  readonly links: MailLinks
  /** Counts a notice; the milliseconds until the next may be sent when there is no room for it, or null. */
  readonly room: (due: DueMail) => Promise<number | null>
  /** Where the app is. */
  readonly origin: string
  /** After a mail: what happens meanwhile comes as one. */
  readonly quietMs: number
  /** In [0, 1). */
  readonly random: () => number
  readonly onFault: (fault: SmtpFault) => void
}

/** One server takes them all. */
const perLane = 8
const leaseMs = 120_000
const minuteMs = 60_000
/** After each attempt that failed. A mail whose answer was lost may come so many times more, and no oftener. */
const waitsMs = [minuteMs, 10 * minuteMs, 60 * minuteMs, 240 * minuteMs] as const
/** From this attempt on a server is believed that there is no such mailbox. */
const believedAt = 3

/**
 * Mails the confirmation to who has not confirmed, and notices to who has. A mailbox that is not there is forgotten; a
 * server that does not answer costs a notice and never a subscription.
 */
export function createMailNotices(deps: MailNoticesDeps): DeliveryEngine {
  const { subscriptions, market, quietMs } = deps
  const rounds: NoticeRounds<DueMail> = {
    rows: subscriptions,
    market,
    quietMs,
    send: (due, notice) => sendNotice(deps, due, notice),
    forget: ({ id }) => subscriptions.stop(id),
  }
  return createDeliveryEngine<DueMail>(
    {
      lease: (most, underWay) => subscriptions.claim({ perLane, most, leaseMs, underWay }),
      laneOf: () => '',
      attempt: (due) => (due.confirmedAt === null ? sendConfirmation(deps, rounds, due) : tellNewest(rounds, due)),
    },
    deps,
  )
}

async function sendConfirmation(deps: MailNoticesDeps, rounds: NoticeRounds<DueMail>, due: DueMail): Promise<void> {
  const { links, subscriptions } = deps
  const openUrl = links.urlOf('confirm', due.id, due.language)
  const stopUrl = links.urlOf('stop', due.id, due.language)
  const letter = confirmationLetter(due.language, { openUrl, stopUrl })
  const step = await send(deps, due, letter, { stopUrl, about: due.askedAt.toISOString() })
  if (step === 'over') await subscriptions.asked(due.id)
  else await stayOrGo(rounds, due, step)
}

async function sendNotice(deps: MailNoticesDeps, due: DueMail, notice: Notice): Promise<NoticeStep> {
  const waitMs = await deps.room(due)
  if (waitMs !== null) return { notBeforeMs: waitMs }
  const stopUrl = deps.links.urlOf('stop', due.id, due.language)
  const letter = noticeLetter(due.language, notice, { openUrl: `${deps.origin}${notice.path}`, stopUrl })
  return send(deps, due, letter, { stopUrl, about: `${due.place} ${notice.tag} ${notice.path}` })
}

type About = { readonly stopUrl: string; readonly about: string }

async function send(
  { mailer, origin, random, onFault }: MailNoticesDeps,
  { id, address, attempts }: DueMail,
  letter: LetterText,
  { stopUrl, about }: About,
): Promise<NoticeStep> {
  const digest = createHash('sha256').update(`${id} ${about}`).digest('hex').slice(0, 32)
  const messageId = `<${digest}@${new URL(origin).hostname}>`
  const sent = await mailer.send({ ...letter, to: address, messageId, stopUrl })
  if (sent.kind === 'taken') return 'over'
  onFault(sent.fault)
  const waitMs = waitsMs[attempts]
  if (sent.kind === 'refused' && attempts + 1 >= believedAt) return 'gone'
  return waitMs === undefined ? 'over' : { againMs: Math.round(waitMs * (0.9 + random() / 5)) }
}
