import type { Channel } from '../channels/channel.ts'
import { compareChannel } from '../audit/compare-channel.ts'
import type { Finding } from '../audit/finding.ts'
import { channelAccount } from '../ledger/journal.ts'
import { inTurns } from './audit-money.ts'
import type { MarketDeps } from './deps.ts'
import { isWaitedOut } from './settle-channel.ts'

const roundMs = 60_000
const batch = 100

/**
 * Compares a bounded share of the channels a round: what the books hold of each with what its ledger shows. Only says
 * what differs; nothing is booked here.
 */
export async function auditChannels(deps: MarketDeps): Promise<number> {
  if (deps.channels === undefined) return 0
  const now = deps.clock.now()
  const due = await deps.store.leaseChannelAudits(now, new Date(now.getTime() + roundMs), batch)
  const verdicts = await inTurns(due, (channel) => audit(deps, channel, now))
  const scopes = due.flatMap(({ id }, index) => (verdicts[index] === null ? [] : [scopeOf(id)]))
  const found = due.flatMap(({ id }, index) =>
    (verdicts[index] ?? []).map((one): Finding & { readonly scope: string } => ({ ...one, scope: scopeOf(id) })),
  )
  if (scopes.length > 0) await deps.store.reportFindings(scopes, found, now)
  return 0
}

const scopeOf = (channelId: string): string => `channel:${channelId}`

/** Null where the ledger cannot be read, or the row moved meanwhile: that says nothing. */
async function audit(deps: MarketDeps, channel: Channel, now: Date): Promise<readonly Finding[] | null> {
  const found = await deps.channels?.ledger.channel(channel.id).catch(unread)
  if (found === null || found === undefined) return null
  const held = await deps.store.transaction((tx) => tx.ledgerBalance(channel.asset, channelAccount(channel.id)))
  const again = await deps.store.channel(channel.id)
  if (again?.status !== channel.status || again.paid?.txHash !== channel.paid?.txHash) return null
  return compareChannel(again, held, found, now)
}

function unread(error: unknown): null {
  if (isWaitedOut(error)) return null
  throw error
}
