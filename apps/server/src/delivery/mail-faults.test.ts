import { expect, test } from 'vitest'
import { createMailFaults } from './mail-faults.ts'
import type { Sent } from './smtp-mailer.ts'

const minute = 60_000
const failed = (command: string, status: number | null): Sent => ({
  kind: 'failed',
  fault: { code: 'EAUTH', command, status },
})
const noLogin = failed('AUTH PLAIN', 535)
const noRelay = failed('RCPT TO', 550)
const fullMailbox = failed('RCPT TO', 452)
const refused: Sent = { kind: 'refused', fault: { code: 'EENVELOPE', command: 'RCPT TO', status: 550 } }
const taken: Sent = { kind: 'taken' }

type Said = readonly [atMinute: number, sent: Sent]

test.each<[string, readonly Said[], number, boolean]>([
  ['nothing was sent', [], 0, false],
  ['the login is refused once', [[0, noLogin]], 60, false],
  ['and again at once', [[0, noLogin], [1, noLogin]], 60, false], // prettier-ignore
  ['and again after minutes', [[0, noLogin], [1, noLogin], [11, noLogin]], 12, true], // prettier-ignore
  ['a mail was taken since', [[0, noLogin], [11, noLogin], [12, taken]], 13, false], // prettier-ignore
  ['a mail was taken between', [[0, noLogin], [6, taken], [11, noLogin]], 12, false], // prettier-ignore
  ['mailboxes are full', [[0, fullMailbox], [11, fullMailbox]], 12, false], // prettier-ignore
  ['nobody is relayed for', [[0, noRelay], [11, noRelay]], 12, true], // prettier-ignore
  ['a mailbox is not there, which a server says that lets in', [[0, noLogin], [9, refused], [11, noLogin]], 12, false], // prettier-ignore
  ['it was long ago', [[0, noLogin], [11, noLogin]], 400, false], // prettier-ignore
])('when %s', (_when, said, at, isRefusing) => {
  let now = 0
  const faults = createMailFaults(() => now)
  for (const [minutes, sent] of said) {
    now = minutes * minute
    faults.note(sent)
  }
  now = at * minute
  expect(faults.isRefusing()).toBe(isRefusing)
})
