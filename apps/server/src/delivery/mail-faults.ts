import type { Sent } from './smtp-mailer.ts'

/** Whether the server for mail takes none at all, as far as this process has tried. */
export type MailFaults = {
  note(sent: Sent): void
  isRefusing(): boolean
}

/** A server that restarts is away for less. */
const lastingMs = 300_000
/** The longest wait between two attempts for one mail is four hours; another process may have been told since. */
const forgottenMs = 18_000_000

/** A mailbox that is busy says nothing about the server; a wrong login, or a sender that is refused, concerns all. */
function concernsAll(sent: Sent): boolean {
  if (sent.kind !== 'failed') return false
  const { command, status } = sent.fault
  return command !== 'RCPT TO' || (status ?? 0) >= 500
}

/** `nowMs` is the time of the servers. */
export function createMailFaults(nowMs: () => number): MailFaults {
  let failing: { readonly since: number; readonly last: number } | undefined
  return {
    note(sent) {
      const at = nowMs()
      if (concernsAll(sent)) failing = { since: failing?.since ?? at, last: at }
      // Whoever is told about a mailbox was let in.
      else failing = undefined
    },
    isRefusing: () =>
      failing !== undefined && failing.last - failing.since >= lastingMs && nowMs() - failing.last < forgottenMs,
  }
}
